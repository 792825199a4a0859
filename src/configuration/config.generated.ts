// Generated from the schema of the configuration: change that, and run `npm run generate`.
import type { GatewayPlugin } from '../contract/plugin.ts'

/**
 * The configuration as a user writes it. Flags (`--port`) go before the environment (`DRAGOMAN_PORT`), which
 * goes before this file.
 */
export interface Config {
  /** Address for API clients. */
  listen?: ListenConfig | undefined
  /**
   * Admin address: the admin API and probes (`/livez`, `/readyz`). False serves neither, and probes stay on
   * `listen`. Default: the defaults of its settings.
   */
  admin?: AdminConfig | false | undefined
  /**
   * Where the gateway stores its records: `file:DIR` (a relative path starts at the configuration file),
   * `redis://HOST:PORT` for replicas (also `rediss://`, `redis+sentinel://HOST:PORT,HOST:PORT/NAME` and
   * `redis+cluster://HOST:PORT,HOST:PORT`), or `memory:`, which ends with the process. `env:NAME` reads the URL
   * from the environment. Default: `"file:.dragoman"`.
   */
  store?: string | undefined
  /** API keys, in addition to those in the store. Default: `[]`. */
  keys?: readonly KeyConfig[] | undefined
  /** Upstream accounts. Default: `[]`. */
  accounts?: readonly AccountConfig[] | undefined
  /** Teams of keys, with models and limits that their keys share. Default: `[]`. */
  teams?: readonly TeamConfig[] | undefined
  /** Limits of all calls of the gateway together. Default: `[]`. */
  quotas?: readonly QuotaConfig[] | undefined
  /** Who learns that budgets run out. */
  alerts?: AlertsConfig | undefined
  /**
   * Additional names of models: `{ fast: 'gpt-4.1-mini' }`. An alias may name another alias. With `{ fast: {
   * model: 'gpt-4.1-mini', replyModel: 'client' } }` replies name the model as the client asked for it, with
   * `replyModel: 'account'` as the account reports it; an alias goes before its account. An alias with the name
   * of its model has settings of the model: `{ 'gpt-4.1': { model: 'gpt-4.1', strategy: 'latency' } }`. Default:
   * `{}`.
   */
  aliases?: Readonly<Record<string, string | AliasConfig>> | undefined
  /**
   * Prices of models by the accounts' own names for them, for the metric of costs. They go before the published
   * prices of the providers, which the gateway brings. Default: `{}`.
   */
  prices?: Readonly<Record<string, PriceConfig>> | undefined
  /**
   * The form of errors, of accounts and of the gateway: `spec` is the error envelope of the client's dialect
   * with an integer `code`, a `message` and `details`; `upstream` is the same, but errors of accounts pass byte
   * for byte; `native` is the provider's own form, for strictly typed clients: `code` is a text or null, and a
   * video that waits is `queued`. Default: `"spec"`.
   */
  errors?: 'spec' | 'upstream' | 'native' | undefined
  /** Sizes and counts. A request or reply beyond them is refused. */
  limits?: LimitsConfig | undefined
  /** How long the gateway waits. */
  timeouts?: TimeoutsConfig | undefined
  /**
   * Directory for forms above 1 MiB; a relative path starts at the configuration file. If the default is in
   * memory (tmpfs), name a directory on disk. Default: the system's directory for temporary files.
   */
  spool?: string | undefined
  /**
   * What happens to an account's reply when the client disconnects: `abort` ends it, `drain` reads it to its end
   * to learn the usage. Default: `"abort"`.
   */
  clientGone?: 'abort' | 'drain' | undefined
  /**
   * What happens to settings of a request that an account of another dialect does not support: `drop` leaves
   * them out and names them in `x-dragoman-losses`; `native` and `reject` use only accounts that support the
   * whole request, and answer 400 if no account does. Default: `"drop"`.
   */
  losses?: 'drop' | 'native' | 'reject' | undefined
  /**
   * URL at which clients reach this gateway, with a path if an ingress adds one. URLs that the gateway issues
   * begin with it. Default: the address of `listen` if it is a loopback address; otherwise requests for such
   * URLs answer 500.
   */
  publicUrl?: string | undefined
  /**
   * Addresses and networks of the proxies before the gateway; `loopback` and `private` stand for networks. The
   * client’s address, and the scheme, host and path of URLs if `publicUrl` is not set, come from the headers of
   * these proxies, and of no others. Default: `[]`.
   */
  trustedProxies?: readonly string[] | undefined
  /** Where uploaded files go. */
  uploads?: UploadsConfig | undefined
  /** Which image models exist. Legacy and newer models accept different requests. */
  imageModels?: ImageModelsConfig | undefined
  /**
   * Paths beside those of the dialects whose requests pass to accounts as they are. None passes that is not
   * named. Default: `[]`.
   */
  passthrough?: readonly PassthroughConfig[] | undefined
  /**
   * How the gateway fetches files that clients name by URL. By default it reaches the public internet by https,
   * and nothing else.
   */
  remote?: RemoteConfig | undefined
  /**
   * Permits administrators to capture requests and replies of a key for a bounded time. `false`: captures are
   * not permitted. Default: `false`.
   */
  capture?: CaptureConfig | false | undefined
  /**
   * Whether the store gets a row for each attempt and their sums: what calls have used and cost. False writes
   * none. Default: `true`.
   */
  history?: boolean | undefined
  /** What the gateway logs, how and where. A reload takes effect without a restart. */
  log?: LogConfig | undefined
  /** Metrics and traces, and how they are named. */
  telemetry?: TelemetryConfig | undefined
  /**
   * Your own plugins, which run before the shipped authentication. A file of TypeScript or JavaScript may
   * contain plugins themselves as well. Default: `[]`.
   */
  plugins?: readonly (GatewayPlugin | PluginConfig)[] | undefined
  /** Address of the JSON Schema of this file, for editors. The gateway ignores it. Default: none. */
  $schema?: string | undefined
}

export interface PluginConfig {
  /**
   * The module of the plugin: a path that begins with `./`, `../` or `/` (a relative one starts at the
   * configuration file), or the name of a package that is installed beside it.
   */
  use: string
  /**
   * Options of the plugin, checked by its own schema. A text `env:NAME` is the value of this variable, and
   * `file:/path` the content of this file. Default: no options.
   */
  options?: Readonly<Record<string, unknown>> | undefined
}

export interface TelemetryConfig {
  /** Metrics, at `/metrics` of the admin address. False counts nothing. Default: the defaults of its settings. */
  metrics?: MetricsConfig | false | undefined
  /** Logs by OTLP. */
  logs?: LogsConfig | undefined
  /**
   * Traces by OTLP. The variables of OpenTelemetry (`OTEL_*`) go before these settings, and
   * `OTEL_SDK_DISABLED=true` and `OTEL_TRACES_EXPORTER=none` turn traces off. False traces nothing. Default:
   * true where `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set, otherwise false.
   */
  traces?: TracesConfig | boolean | undefined
}

export interface TracesConfig {
  /**
   * The use of a `traceparent` that a client sends: `trust` continues its trace, so that clients decide which
   * calls are sampled; `link` begins a new trace that links to it; `ignore` drops it. Default: `trust` for
   * requests through a trusted proxy, otherwise `link`.
   */
  incoming?: 'trust' | 'link' | 'ignore' | undefined
  /**
   * The share of the traces that begin here. A continued trace is sampled if its client samples it.
   * `OTEL_TRACES_SAMPLER` goes before it. Default: `1`.
   */
  sample?: number | undefined
  /**
   * Whether spans have what callers ask and models answer: texts, instructions and tools, 8 KiB of each side.
   * API keys in it are replaced, but nothing else that is private. Default: `false`.
   */
  content?: boolean | undefined
  /**
   * URL of the collector, without `/v1/traces`. `OTEL_EXPORTER_OTLP_ENDPOINT` and
   * `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` go before it. Default: `http://localhost:4318`.
   */
  endpoint?: string | undefined
}

export interface LogsConfig {
  /**
   * Whether the operators' log is sent by OTLP as well, to the place that the `OTEL_EXPORTER_OTLP_*` variables
   * name. `OTEL_LOGS_EXPORTER=none` and `OTEL_SDK_DISABLED=true` prevail. Default: where `OTEL_LOGS_EXPORTER`
   * has `otlp`.
   */
  otlp?: boolean | undefined
  /** Whether the access log is sent too, with `otlp`. Default: `false`. */
  access?: boolean | undefined
  /** Whether the rows of the ledger are sent too, with `otlp`: events named `dragoman.attempt`. Default: `false`. */
  ledger?: boolean | undefined
}

export interface MetricsConfig {
  /**
   * Whether `/metrics` needs an admin token, of any role. `false` lets every machine that reaches the admin
   * address read it. Default: for requests from other machines, and through proxies.
   */
  requireToken?: boolean | undefined
  /**
   * Names of models that labels have as they are, besides those that accounts list. Any other that only a
   * pattern of an account matches (`gpt-*`) has the pattern as label: clients choose the names. Default: `[]`.
   */
  models?: readonly string[] | undefined
  /**
   * Whether the calls, tokens and costs of each key, or of each team, are series of their own: 500 at most, and
   * one for all further ones. Default: `[]`.
   */
  by?: readonly ('key' | 'team')[] | undefined
  /**
   * Whether metrics are pushed by OTLP as well, to the place that the `OTEL_EXPORTER_OTLP_*` variables name.
   * Default: where `OTEL_METRICS_EXPORTER` has `otlp`.
   */
  otlp?: boolean | undefined
}

export interface LogConfig {
  /**
   * The least level of the operators' log. `debug` adds a line for each attempt; `off` writes none. Default:
   * `"info"`.
   */
  level?: 'debug' | 'info' | 'warn' | 'error' | 'off' | undefined
  /**
   * The form of lines: `json`, `pretty` for people, or `auto`: `pretty` on a terminal, `json` anywhere else.
   * Default: `"auto"`.
   */
  format?: 'auto' | 'json' | 'pretty' | undefined
  /**
   * Which requests the access log has: `all`, those with a line of level `error` (`errors`), or none (`off`).
   * Default: `"all"`.
   */
  access?: 'all' | 'errors' | 'off' | undefined
  /**
   * File that both logs are appended to; a relative path starts at the configuration file. The gateway creates
   * it with mode 0640, and its directory must exist. Default: standard error, and standard output for the access
   * log.
   */
  file?: string | undefined
}

export interface CaptureConfig {
  /**
   * Directory of the files, which have what callers send and get. The gateway creates it, for its own user
   * alone; a relative path starts at the configuration file.
   */
  directory: string
  /** After so many hours a file is deleted. Default: `24`. */
  keepHours?: number | undefined
  /** All files together. A capture ends where it would exceed them. Unit: bytes. Default: `67108864`. */
  maxBytes?: number | undefined
}

export interface RemoteConfig {
  /** Whether `http:` URLs are accepted. Default: `false`. */
  allowHttp?: boolean | undefined
  /**
   * Hosts and networks, each with a port, that the gateway may reach although they are not public:
   * `media.internal:443`, `10.1.0.0/16:8443`. Every client can read the files that they serve. Default: `[]`.
   */
  allow?: readonly string[] | undefined
  /**
   * Networks that the gateway must not reach, in addition to those that are not public: `5.6.0.0/16`. Default:
   * `[]`.
   */
  forbid?: readonly string[] | undefined
  /** Largest file. Unit: bytes. Default: `20971520`. */
  maxBytes?: number | undefined
  /**
   * Different URLs in a request. With 0 the gateway fetches no URLs of clients or accounts, except to download
   * videos. Default: `20`.
   */
  maxFiles?: number | undefined
  /** For one file, redirects included. Unit: milliseconds. Default: `10000`. */
  timeoutMs?: number | undefined
}

export interface PassthroughConfig {
  /**
   * The path of requests that pass. With `/*` at its end it has all paths below it, too. A path that a dialect
   * has is served by the dialect.
   */
  path: string
  /** Id of the account that gets the requests. Either it or `pool` is required. Default: one of `pool`. */
  account?: string | undefined
  /**
   * Ids of accounts: each request goes to one of them, by priority and weight, and to the next one if it fails.
   * Default: `account` alone.
   */
  pool?: readonly string[] | undefined
  /** Methods of requests that pass. HEAD passes with GET. Default: `["GET","POST","PUT","PATCH","DELETE"]`. */
  methods?: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[] | undefined
  /**
   * Ids of the keys that may use the path, also of those whose `models` bind them. Default: all keys that may
   * use every model.
   */
  keys?: readonly string[] | undefined
}

export interface ImageModelsConfig {
  /**
   * Names and patterns of legacy image models; all others are newer models. The first name applies to an edit
   * that names no model. Default: `["dall-e-2"]`.
   */
  legacy?: readonly string[] | undefined
  /**
   * Name of the model that applies instead if such an edit asks for a feature of newer models. Default:
   * `"gpt-image-1"`.
   */
  current?: string | undefined
  /**
   * Names and patterns of newer models that accept further sizes and qualities. The gateway does not check these
   * fields for them. Default: `["gpt-image-2*"]`.
   */
  later?: readonly string[] | undefined
}

export interface UploadsConfig {
  /** Name of the storage for requests that name none. Default: `local`; without it the first of `storages`. */
  default?: string | undefined
  /**
   * Directory of the gateway's own storage, `local`; a relative path starts at the configuration file. `false`
   * removes this storage. Replicas must share the directory. Default: `uploads` in the directory of a `file:`
   * store, otherwise `.dragoman/uploads`.
   */
  directory?: string | false | undefined
  /**
   * Largest file. If it is set, requests for a bucket must announce the `size`. Unit: bytes. Default:
   * `536870912`.
   */
  maxBytes?: number | undefined
  /**
   * After so many days `local` deletes a file; `false` keeps files. Buckets have their own lifecycle rules.
   * Unit: days. Default: `30`.
   */
  keepDays?: number | false | undefined
  /**
   * Accepted media types and families (`image/*`). If it is set, requests for a bucket must announce the
   * `content_type`. Default: all types.
   */
  types?: readonly string[] | undefined
  /**
   * Signs the URLs of `local`: at least 16 characters. `env:NAME` reads it from the environment, `file:/path`
   * from a file. Default: generated, and saved in the store.
   */
  secret?: string | undefined
  /** Storages of the S3 family, by the name that requests and paths use for them. Default: `{}`. */
  storages?: Readonly<Record<string, StorageConfig>> | undefined
}

export interface StorageConfig {
  /** The kind of storage. Default: the name of the storage, if that is a kind. */
  kind?: 's3' | 'r2' | 'minio' | 'gcs' | 'oss' | undefined
  /** Name of the bucket. */
  bucket: string
  /**
   * Region of the bucket. `s3` and `oss` require it. Default: `auto` for `r2` and `gcs`, `us-east-1` for
   * `minio`.
   */
  region?: string | undefined
  /**
   * Scheme, host and port of the storage. `r2` and `minio` require it. Default: the provider's, for `s3`, `gcs`
   * and `oss`.
   */
  endpoint?: string | undefined
  /** Further regions that a request may name, each with a bucket of its own name. Default: `{}`. */
  regions?: Readonly<Record<string, RegionConfig>> | undefined
  /**
   * Id of the access key; for `gcs`, of an HMAC key. `env:NAME` reads it from the environment, `file:/path` from
   * a file.
   */
  accessKeyId: string
  /** Secret of the access key. `env:NAME` reads it from the environment, `file:/path` from a file. */
  secretAccessKey: string
  /**
   * Session token of temporary credentials. `env:NAME` reads it from the environment, `file:/path` from a file.
   * Default: none.
   */
  sessionToken?: string | undefined
  /** Prefix of every key in the bucket: `uploads/`. Default: no prefix. */
  prefix?: string | undefined
  /**
   * Whether the bucket is in the path of URLs instead of the host. Default: `true` for `r2`, `minio`, `gcs` and
   * bucket names with a dot.
   */
  pathStyle?: boolean | undefined
  /** Lets every URL replace files, for clients that do not send the descriptor's `headers`. Default: `false`. */
  overwrite?: boolean | undefined
}

export interface RegionConfig {
  /** Name of the bucket; each region has a bucket of its own name. */
  bucket: string
  /**
   * Scheme, host and port of the storage in this region. Default: the storage's for `r2` and `minio`, otherwise
   * the provider's.
   */
  endpoint?: string | undefined
}

export interface TimeoutsConfig {
  /** Until the connection to an account is established. Unit: milliseconds. Default: `10000`. */
  connectMs?: number | undefined
  /**
   * Until the first byte of an account's reply. Models may think for a long time before they answer. Unit:
   * milliseconds. Default: `900000`.
   */
  firstByteMs?: number | undefined
  /** Longest silence within an account's reply. Unit: milliseconds. Default: `900000`. */
  idleMs?: number | undefined
  /**
   * One attempt at an account, from its start to the last byte of the reply. Unit: milliseconds. Default:
   * `7200000`.
   */
  totalMs?: number | undefined
  /**
   * Silence of a stream after which its client gets a keep-alive. The first keep-alive ends failover. Unit:
   * milliseconds. Default: `15000`.
   */
  keepAliveMs?: number | undefined
  /**
   * How long the gateway holds back the first events of a stream (at most 16 KiB), so that another account can
   * take over. Unit: milliseconds. Default: `5000`.
   */
  holdMs?: number | undefined
  /**
   * Longest silence while a request body arrives, and the time over which a body must arrive with 1 KiB/s on
   * average. Unit: milliseconds. Default: `60000`.
   */
  requestBodyMs?: number | undefined
  /**
   * How long the gateway reads an account's reply after its client has disconnected (`clientGone: 'drain'`), and
   * how long a shutdown waits for exchanges in flight. Unit: milliseconds. Default: `55000`.
   */
  drainMs?: number | undefined
  /**
   * How long a call waits for one hook of a plugin, without the time that accounts take, and for one event of an
   * `onEvents` mapper that waits. Afterwards the call fails. Unit: milliseconds. Default: `30000`.
   */
  pluginMs?: number | undefined
}

export interface LimitsConfig {
  /** Largest JSON request, after decompression. Unit: bytes. Default: `67108864`. */
  jsonBodyBytes?: number | undefined
  /**
   * Values and member names in a JSON request, and in a reply of an account; four numbers count as one. A value
   * takes about 100 bytes of memory besides its text, and time. At most 16 names may have more than 16,000
   * characters, at most 24 MiB may stand outside of strings (8 MiB in a frame of a stream), and strings may have
   * 2,000,000 escapes, of which `\/` is an eighth. A request of more than 64 KiB must be UTF-8. Default:
   * `250000`.
   */
  jsonValues?: number | undefined
  /**
   * Memory of a process for bodies, their parsed JSON, replies, and what calls use of large stored responses.
   * One key uses at most half of it while others use it too; a request that finds no room within 5 s is answered
   * 503. Exchanges of up to 256 KiB count only beyond a free part of a quarter as much on top, of which one key
   * uses at most half. One call at a time is served for each 32 KiB, and at least twice `callsPerKey`. Garbage
   * and copies take about as much again. Unit: bytes. Default: a quarter of the usable memory, from 64 MiB to
   * 512 MiB.
   */
  memoryBytes?: number | undefined
  /**
   * Calls of one API key that a process serves at once, waiting ones and streams included. Further ones are
   * answered 429 with `retry-after`. Default: `1000`.
   */
  callsPerKey?: number | undefined
  /**
   * Largest form, files included, and largest body that passes to an account. The default rises to
   * `formPartBytes` and falls to `spoolBytes` if these are set. Unit: bytes. Default: `1073741824`.
   */
  formBytes?: number | undefined
  /**
   * Largest part of a form, at most `formBytes`. The default falls to `formBytes`. Unit: bytes. Default:
   * `536870912`.
   */
  formPartBytes?: number | undefined
  /**
   * Disk space for all forms of a process together, at least `formBytes`. The default rises to `formBytes`.
   * Several forms of one API key may fill half of it. Unit: bytes. Default: `4294967296`.
   */
  spoolBytes?: number | undefined
  /**
   * Uploads that a process reads into JSON bodies at the same time, counted before base64. Such bodies take
   * about three and a half times as much memory. Unit: bytes. Default: `536870912`.
   */
  inlineBytes?: number | undefined
  /**
   * Largest reply of an account that the gateway holds as a whole, such as a JSON reply, or that it translates
   * as a stream. In a stream for a client of Responses each text counts eight times, and for others the
   * arguments of tool calls five times. Unit: bytes. Default: `67108864`.
   */
  replyBytes?: number | undefined
  /** Largest single frame of a stream. Unit: bytes. Default: `33554432`. */
  frameBytes?: number | undefined
  /** Accounts that one request may try. Default: `5`. */
  attempts?: number | undefined
}

export interface AliasConfig {
  /** A model, or another alias. */
  model: string
  /**
   * The model that replies name: `account` as the account reports it, `client` as the client asked for it.
   * Default: the value of the alias that it names, otherwise the account's.
   */
  replyModel?: 'account' | 'client' | undefined
  /**
   * How to choose among accounts of the same rank and priority: `least-busy` takes the one with the fewest
   * calls, `latency` the one with the quickest first output, `cost` the one with the lowest price. Default: the
   * value of the alias that it names, otherwise `weight` decides.
   */
  strategy?: 'least-busy' | 'latency' | 'cost' | undefined
  /**
   * Models that stand in when no account of the model can serve a call. An empty list: none. Default: the value
   * of the alias that it names, otherwise none.
   */
  fallbacks?: readonly FallbackConfig[] | undefined
}

export interface FallbackConfig {
  /**
   * The kinds of failures after which it is asked: `unavailable`, `rate_limited`, `context_length`, `refused`,
   * `budget`.
   */
  on: readonly ('unavailable' | 'rate_limited' | 'context_length' | 'refused' | 'budget')[]
  /** A model, or another alias. */
  model: string
}

export interface AlertsConfig {
  /** Posts the alerts of budgets. Default: alerts are in the log and the metrics alone. */
  webhook?: WebhookConfig | undefined
}

export interface WebhookConfig {
  /** The address that alerts are posted to. */
  url: string
  /** Signs each alert. `env:NAME` reads it from the environment, `file:/path` from a file. */
  secret: string
}

export interface TeamConfig {
  /** Identifies the team in logs, metrics and `keys[].team`. */
  id: string
  /** The name that operators see. Default: the id. */
  name?: string | undefined
  /**
   * Names and patterns of the models that the keys of the team may use. A key with `models` of its own may use
   * what both name. Default: all that the keys may use.
   */
  models?: readonly string[] | undefined
  /** Limits of all keys of the team together. Default: no limits. */
  quotas?: readonly QuotaConfig[] | undefined
}

export interface AccountConfig {
  /** Identifies the account in logs, in the header `x-dragoman-account` and in commands. */
  id: string
  /**
   * `openai`, `anthropic`, `gemini`, `openai-compatible`, `sandbox`, `azure`, `bedrock`, `vertex`, a server by
   * its name (`openrouter`, `groq`, `mistral`, `deepseek`, `xai`, `together`, `fireworks`, `cerebras`,
   * `perplexity`, `cohere`, `moonshot`, `zai`, `qwen`, `minimax`, `ollama`, `vllm`, `sglang`, `llamacpp`,
   * `lmstudio`, `github`, `cloudflare`, `huggingface`), or a provider that a plugin adds: Providers. The
   * provider determines the defaults of `baseUrl` and `speaks`.
   */
  provider: string
  /**
   * Base URL of the API, as the provider's own SDK expects it: with `/v1` for `openai` and `openai-compatible`,
   * the bare origin for `anthropic` and `gemini`. Default: the provider's; `openai-compatible`, `cloudflare` and
   * `sandbox` have none.
   */
  baseUrl?: string | undefined
  /**
   * Base URLs of single dialects, each as that dialect's SDK expects it: with `/v1` for OpenAI's dialects,
   * without it for Anthropic's and Google's. They go before `baseUrl`; one key, one health and one set of limits
   * are for all of them. Default: the provider's, or `baseUrl`.
   */
  baseUrls?: Readonly<Record<string, string>> | undefined
  /**
   * The provider's API key. `env:NAME` reads it from the environment, `file:/path` from a file. Default:
   * requests carry no credential.
   */
  apiKey?: string | undefined
  /** A token of Microsoft Entra in place of `apiKey`, for `azure`: Providers. */
  entra?: EntraConfig | undefined
  /**
   * A token of Google Cloud in place of `apiKey`, for `vertex`: Providers. Default: application default
   * credentials of the machine, for `vertex` without `apiKey`.
   */
  googleAuth?: GoogleAuthConfig | undefined
  /**
   * Keys of AWS, which sign requests, in place of `apiKey`, for `bedrock`: Providers. Default: the credentials
   * of the machine, for `bedrock` without `apiKey`.
   */
  aws?: AwsConfig | undefined
  /** The dated API of `azure`, with deployments in its paths. Default: the `v1` API. */
  apiVersion?: string | undefined
  /** The project of a `vertex` account. Default: only with an `apiKey` of the express mode. */
  project?: string | undefined
  /** The location of a `vertex` account: a region, `global`, `us` or `eu`. Default: `global`. */
  location?: string | undefined
  /** The region of an account at AWS. Default: none. */
  region?: string | undefined
  /**
   * `anthropic_version` of requests for Claude at a cloud, in place of the client's. At `bedrock` it chooses
   * InvokeModel: Providers. Default: the cloud's.
   */
  anthropicVersion?: string | undefined
  /** A guardrail of AWS for all requests of the account. Default: none. */
  guardrail?: GuardrailConfig | undefined
  /**
   * Dialects that the account speaks, if they differ from the dialects of its provider: `responses`, `chat`,
   * `messages`, `generate`, `converse` (accounts only), `completions`, `embeddings`, `embed-content`, `predict`,
   * `rerank`, `moderations`, `images`, `videos`, `video-operations`, `audio`, `realtime`, `files`,
   * `message-batches`, `message-files`, `cached-contents`, or a dialect that a plugin adds. A translated request
   * uses the first one that fits. Default: the provider's; `chat` for `openai-compatible`.
   */
  speaks?: readonly string[] | undefined
  /**
   * Options of the account, for a provider whose plugin has a schema of them: Dialects. They are no place for
   * secrets. Default: the defaults of the provider's schema.
   */
  options?: Readonly<Record<string, unknown>> | null | undefined
  /**
   * Names and patterns (`gpt-*`, `*`) of the account's models, or a map from platform names to the account's own
   * names. In a map, one `*` may stand on both sides: `{ 'team/*': 'gpt-*' }`.
   */
  models: readonly string[] | Readonly<Record<string, string>>
  /**
   * The field in which the account takes the limit of output tokens of a chat request. `max_tokens` suits Ollama
   * and other servers that ignore the newer field; `max_completion_tokens` suits OpenAI, Azure OpenAI and
   * accounts that forward to them. Requests that name the other field are adapted where the account takes
   * `max_tokens`. Default: `max_tokens` for `openai-compatible` and most servers by name, otherwise
   * `max_completion_tokens`.
   */
  outputLimitField?: 'max_completion_tokens' | 'max_tokens' | undefined
  /**
   * Whether the gateway asks the account for the usage of each stream of chats and completions
   * (`stream_options.include_usage`), to count its tokens. A client that has not asked for the usage does not
   * get it. `false` suits servers that refuse the field: without it streams of clients that do not ask have no
   * token counts. Default: `true`.
   */
  asksForUsage?: boolean | undefined
  /**
   * What the account's server lacks, in place of what its provider's servers lack: a translated call leaves it
   * out and names it as a loss. `[]`: it lacks nothing. Default: `cache_key`, `safety_identifier`,
   * `service_tier`, `store`, `strict_tools` and `system_midway` for chat requests to `openai-compatible`; these
   * and [others](providers.md#servers-by-name) for servers by name; otherwise nothing.
   */
  lacks?: readonly ('audio_input' | 'cache_key' | 'cache_points' | 'candidates' | 'custom_tools' | 'end_user' | 'file_input' | 'file_url' | 'frequency_penalty' | 'image_detail' | 'image_input' | 'image_url' | 'json_object' | 'json_schema' | 'logprobs' | 'metadata' | 'parallel_tool_calls' | 'presence_penalty' | 'reasoning' | 'reasoning_effort' | 'safety_identifier' | 'seed' | 'service_tier' | 'stop' | 'store' | 'stored-responses' | 'strict_tools' | 'system_midway' | 'temperature_above_1' | 'top_k' | 'verbosity')[] | undefined
  /**
   * The model that replies name: `account` as the account reports it, `client` as the client asked for it. An
   * alias may decide otherwise. Default: `"account"`.
   */
  replyModel?: 'account' | 'client' | undefined
  /**
   * What the account gets of a client's request, besides what its dialects name. It applies to calls in the
   * account's own dialect.
   */
  forward?: ForwardConfig | undefined
  /**
   * Headers of each request to the account, by name; they go before the headers of clients. A value may be
   * `env:NAME` or `file:/path`. They do not follow a redirect to another host, and cannot replace the
   * credential, the host or what belongs to the connection and the body. At most 32, of 16 KiB in all. Default:
   * none.
   */
  headers?: Readonly<Record<string, string>> | undefined
  /** Deadlines of this account, which go before the top-level `timeouts`. */
  timeouts?: AccountTimeoutsConfig | undefined
  /**
   * The most calls at once at this account, in each process; a stream counts until its end. A call goes to the
   * next account while this one is at its limit. Default: no limit.
   */
  maxConcurrent?: number | undefined
  /**
   * Prices of this account by its own names of models, which go before the prices of `prices`. `free`: its
   * tokens cost nothing, as on a server of your own. For the file only: the admin API creates accounts without
   * them, to which the top-level `prices` apply. Default: the top-level `prices`.
   */
  prices?: 'free' | Readonly<Record<string, PriceConfig>> | undefined
  /**
   * Limits of the account. They refuse no call: an account at a limit gets no calls, and others serve them. For
   * the file only, as `prices`. Default: no limits.
   */
  quotas?: readonly QuotaConfig[] | undefined
  /**
   * The proxy for connections to the account: `http://HOST:PORT`, or `https://` for a proxy with TLS. It is
   * asked for a tunnel (`CONNECT`), also for an `http:` address; TLS to the account stays end to end. A URL with
   * credentials is `env:NAME` or `file:/path`. `false` goes without a proxy, whatever the environment says.
   * Default: the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
   */
  proxy?: false | string | undefined
  /**
   * Certificate authorities that the account, and its proxy, may have besides the authorities of the system, in
   * PEM; `env:NAME` and `file:/path` read them from there. Default: the authorities of the system and of
   * `NODE_EXTRA_CA_CERTS`.
   */
  ca?: string | undefined
  /** The certificate with which the gateway identifies itself to the account. */
  clientCertificate?: ClientCertificateConfig | undefined
  /** Share of the requests among accounts of the same priority: from 0.000001 to 1000000. Default: `1`. */
  weight?: number | undefined
  /** Accounts with a lower number come first. Default: `0`. */
  priority?: number | undefined
  /** `false` takes the account out of service. Default: `true`. */
  enabled?: boolean | undefined
}

export interface ClientCertificateConfig {
  /**
   * The certificate, with those between it and its authority, in PEM. `env:NAME` and `file:/path` read it from
   * there.
   */
  cert: string
  /** Its private key in PEM, `env:NAME` or `file:/path`. */
  key: string
  /** The passphrase of an encrypted key; `env:NAME`, `file:/path`. Default: the key is not encrypted. */
  passphrase?: string | undefined
}

export interface PriceConfig {
  /** Rates for a million tokens, in USD. Absent: only the units have a price. Default: none. */
  rates?: RatesConfig | undefined
  /** Other rates of long prompts. Default: none. */
  over?: readonly OverConfig[] | undefined
  /** Prices of work beside the tokens or in their place, in USD each. No tier changes them. Default: none. */
  units?: UnitsConfig | undefined
  /**
   * Factors of the rates for service tiers besides the standard one, by the words of the account in any case:
   * one for all classes of tokens, or a map with one for each class. Default: none.
   */
  tiers?: Readonly<Record<string, string | number | Readonly<Record<string, string | number>>>> | undefined
  /** Changes of the price that are known in advance. Default: none. */
  later?: readonly LaterConfig[] | undefined
}

export interface LaterConfig {
  /** The first day of the change, in UTC. */
  from: string
  /** Rates for a million tokens, in USD. Absent: only the units have a price. Default: none. */
  rates?: RatesConfig | undefined
  /** Other rates of long prompts. Default: none. */
  over?: readonly OverConfig[] | undefined
  /** Prices of work beside the tokens or in their place, in USD each. No tier changes them. Default: none. */
  units?: UnitsConfig | undefined
  /**
   * Factors of the rates for service tiers besides the standard one, by the words of the account in any case:
   * one for all classes of tokens, or a map with one for each class. Default: none.
   */
  tiers?: Readonly<Record<string, string | number | Readonly<Record<string, string | number>>>> | undefined
}

export interface UnitsConfig {
  /** Price of a web search that the account makes, or of a search unit of a rerank. Default: none. */
  search?: string | number | undefined
  /**
   * Price of an image of an image model: one for all, or a map by size, by quality or by both, as
   * `hd/1024x1024`. Without it, images cost as much as their tokens. Default: none.
   */
  image?: string | number | Readonly<Record<string, string | number>> | undefined
  /** Price of a second of video: one for all, or a map by size or by resolution. Default: none. */
  second?: string | number | Readonly<Record<string, string | number>> | undefined
  /**
   * Price of a second of audio that is transcribed or translated, where the account reports seconds in place of
   * tokens. Default: none.
   */
  audioSecond?: string | number | undefined
  /** Price of a character of a text that is spoken, where the account reports no tokens. Default: none. */
  character?: string | number | undefined
}

export interface OverConfig {
  /** The rates apply to calls whose whole prompt has more tokens, for all of their tokens. */
  inputTokens: number
  /** All rates of these calls. A class without a rate here has none, also if `rates` names one. */
  rates: RatesConfig
}

export interface RatesConfig {
  /** Rate of the tokens of the prompt that are in no other class. Default: none. */
  input?: string | number | undefined
  /** Rate of the tokens of the reply that are in no other class, reasoning included. Default: none. */
  output?: string | number | undefined
  /** Rate of tokens that a cache has served. Default: none. */
  cacheRead?: string | number | undefined
  /** Rate of tokens written to a cache. Default: none. */
  cacheWrite?: string | number | undefined
  /** Rate of tokens written to a cache that keeps them for an hour. Default: none. */
  cacheWrite1h?: string | number | undefined
  /** Rate of the audio of the prompt. Default: none. */
  inputAudio?: string | number | undefined
  /** Rate of the images of the prompt. Default: none. */
  inputImage?: string | number | undefined
  /** Rate of the audio of the reply. Default: none. */
  outputAudio?: string | number | undefined
  /** Rate of the images of the reply. Default: none. */
  outputImage?: string | number | undefined
}

export interface AccountTimeoutsConfig {
  /**
   * Until the connection to an account is established. Unit: milliseconds. Default: the same member of
   * `timeouts`.
   */
  connectMs?: number | undefined
  /**
   * Until the first byte of an account's reply. Models may think for a long time before they answer. Unit:
   * milliseconds. Default: the same member of `timeouts`.
   */
  firstByteMs?: number | undefined
  /** Longest silence within an account's reply. Unit: milliseconds. Default: the same member of `timeouts`. */
  idleMs?: number | undefined
  /**
   * One attempt at an account, from its start to the last byte of the reply. Unit: milliseconds. Default: the
   * same member of `timeouts`.
   */
  totalMs?: number | undefined
  /**
   * How long the gateway holds back the first events of a stream (at most 16 KiB), so that another account can
   * take over. Unit: milliseconds. Default: the same member of `timeouts`.
   */
  holdMs?: number | undefined
}

export interface ForwardConfig {
  /**
   * Headers, by name or by beginning (`x-acme-*`). A beginning never stands for a credential or an organisation.
   * Default: `[]`.
   */
  headers?: readonly string[] | undefined
  /** Query parameters, by name. Default: `[]`. */
  query?: readonly string[] | undefined
}

export interface GuardrailConfig {
  /** The id of the guardrail. */
  id: string
  /** Its version, or `DRAFT`. */
  version: string
}

export interface AwsConfig {
  /** The id of an access key. Default: the identity of the machine. */
  accessKeyId?: string | undefined
  /** The secret access key. Default: the identity of the machine. */
  secretAccessKey?: string | undefined
  /** The session token of temporary keys. Default: the keys are permanent. */
  sessionToken?: string | undefined
  /** A profile of the files of AWS, in place of keys. Default: the identity of the machine. */
  profile?: string | undefined
}

export interface GoogleAuthConfig {
  /**
   * A file of credentials: of a service account, or of workload identity federation. Its `token_uri` counts.
   * Default: `json` takes its place.
   */
  file?: string | undefined
  /** The content of such a file: `env:NAME` or `file:/path`. Default: `file` takes its place. */
  json?: string | undefined
}

export interface EntraConfig {
  /** The tenant. Default: only with `managedIdentity`. */
  tenantId?: string | undefined
  /**
   * The application, or one of the identities that the machine has been given. Default: the only identity of the
   * machine.
   */
  clientId?: string | undefined
  /** A secret of the application. Default: another proof takes its place. */
  clientSecret?: string | undefined
  /**
   * A file with a token of another issuer, such as the one of Kubernetes. It is read each time. Default: another
   * proof takes its place.
   */
  federatedTokenFile?: string | undefined
  /**
   * The identity of the virtual machine, App Service or Container App on which the gateway runs. Default:
   * another proof takes its place.
   */
  managedIdentity?: true | undefined
  /** Where tokens come from. Default: `https://login.microsoftonline.com`. */
  authority?: string | undefined
}

export interface KeyConfig {
  /**
   * Identifies the key in logs. Everything that clients store with this key belongs to its id. Clients see it at
   * `GET /dragoman/key` alone.
   */
  id: string
  /**
   * The API key that clients send. `env:NAME` reads it from the environment, `file:/path` from a file. A key has
   * either `secret` or `hash`. Default: none.
   */
  secret?: string | undefined
  /**
   * `sha256:` and the 64 hex digits of the SHA-256 of the secret. It keeps the secret out of the file. Default:
   * none.
   */
  hash?: string | undefined
  /**
   * Names and patterns (`gpt-*`) of the models that the key may use. For its clients, all other models do not
   * exist, wherever a request names them. Default: all models.
   */
  models?: readonly string[] | undefined
  /** Words about the key for operators, by name. They change nothing for its clients. Default: none. */
  labels?: Readonly<Record<string, string>> | undefined
  /**
   * When the key expires: an ISO 8601 date, an ISO 8601 time with its zone, or milliseconds since 1970. In
   * TypeScript also a `Date`. Default: never.
   */
  expiresAt?: Date | string | number | undefined
  /** Whether the key is rejected. Default: `false`. */
  disabled?: boolean | undefined
  /**
   * The team of the key, by its id in `teams`. Its models and limits apply beside those of the key. Default:
   * none.
   */
  team?: string | undefined
  /** Limits of the key. Default: no limits. */
  quotas?: readonly QuotaConfig[] | undefined
  /**
   * Whether clients may ask how a request is routed: a request with `x-dragoman-explain: 1` gets the headers
   * `x-dragoman-route`, which names accounts, and `x-dragoman-cost`. Default: `false`.
   */
  explain?: boolean | undefined
  /** Replaces the top-level `losses` for this key. Default: the top-level `losses`. */
  losses?: 'drop' | 'native' | 'reject' | undefined
  /** Replaces the top-level `errors` for this key. Default: the top-level `errors`. */
  errors?: 'spec' | 'upstream' | 'native' | undefined
}

export interface QuotaConfig {
  /** What is counted: calls, tokens, tokens of prompts, tokens of replies, USD, or calls at once. */
  kind: 'requests' | 'tokens' | 'inputTokens' | 'outputTokens' | 'cost' | 'concurrent'
  /** The most in a window: a whole number, or for `cost` USD with at most 9 decimals. 0 refuses every call. */
  amount: number | string
  /**
   * The time of the amount. Up to `1h`, requests and tokens have a rate, which knows no edges; all else is a
   * budget: days, weeks (from Monday) and months in `zone`, other times from 1970 on, or `total`. Default:
   * `total` for `cost`, otherwise `1m`; calls at once have none.
   */
  window?: string | undefined
  /** Names and patterns of the models whose calls are counted, after aliases. Default: all models. */
  models?: readonly string[] | undefined
  /**
   * `endUser`: each end user has the amount. Requests name end users in `user`, `safety_identifier` or
   * `metadata.user_id`; without one of them they are one user together. Default: all calls together.
   */
  per?: 'endUser' | undefined
  /** `warn` counts, logs what it would have refused, and refuses nothing. Default: `refuse`. */
  action?: 'refuse' | 'warn' | undefined
  /** Shares of a budget at which operators are alerted. Default: `[0.8, 1]`. */
  alerts?: readonly number[] | undefined
  /**
   * `true` begins no call that the rest of a budget does not cover, and refuses calls at once while the store is
   * away. Default: `false`.
   */
  strict?: boolean | undefined
  /** The time zone of days, weeks and months. Default: `UTC`. */
  zone?: string | undefined
}

export interface AdminConfig {
  /** Host name or IP address to listen on. Default: `"127.0.0.1"`. */
  host?: string | undefined
  /** Port to listen on; 0 selects a free port. Default: `8788`. */
  port?: number | undefined
  /** Admin tokens, in addition to those in the store. A reload takes effect without a restart. Default: `[]`. */
  tokens?: readonly TokenConfig[] | undefined
  /**
   * Hosts at which browsers and proxies reach the admin address, besides loopback addresses and the address
   * itself. With any other Host only probes are answered. Default: `[]`.
   */
  allowedHosts?: readonly string[] | undefined
  /**
   * Proxies before the admin address whose headers about the client count, as with the top-level
   * `trustedProxies`. Default: `[]`.
   */
  trustedProxies?: readonly string[] | undefined
  /**
   * Whether the admin address serves the console. `false`: `/` leads to GraphiQL, and the API works as before.
   * Default: `true`.
   */
  console?: boolean | undefined
  /**
   * The page of a trace in your tracing system, `{traceId}` in the place of its id: the console links calls to
   * it. Default: none.
   */
  traceUrl?: string | undefined
  /**
   * Where credentials of accounts of the store may be: `env:NAME` and `file:/path`, in which `*` stands for any
   * characters but a slash. An administrator can send the content of these places to any address, so list places
   * of such credentials alone. A place that another setting names is permitted only if it is the `apiKey` of an
   * account with the same base URL; other variables of the gateway and files of its store are never permitted.
   * Default: `["env:DRAGOMAN_ACCOUNT_*"]`.
   */
  credentials?: readonly string[] | undefined
  /** What administrators may do with accounts of the store. */
  accounts?: AdminAccountsConfig | undefined
  /** Sessions of browsers. */
  sessions?: SessionsConfig | undefined
  /** Sign-in by OpenID Connect. Default: none. */
  oidc?: OidcConfig | undefined
}

export interface OidcConfig {
  /** The issuer, which publishes its endpoints (discovery). */
  issuer: string
  /** The id of this gateway at the provider. */
  clientId: string
  /** The secret of this gateway at the provider; `env:NAME` reads it from the environment. */
  clientSecret: string
  /**
   * The scopes that it asks for. Some providers name groups only with a scope of their own. Default:
   * `["openid","profile","email"]`.
   */
  scopes?: readonly string[] | undefined
  /** The claim of the ID token, otherwise of the user's data, that has a list of groups. Default: `"groups"`. */
  groupsClaim?: string | undefined
  /** The role of each group; the greatest of several. A user without any of these groups cannot sign in. */
  roles: Readonly<Record<string, 'viewer' | 'operator' | 'admin'>>
  /**
   * Where the provider hands users back, as registered there. Default: `/session/oidc/callback` at the host that
   * the browser names.
   */
  redirectUrl?: string | undefined
}

export interface SessionsConfig {
  /**
   * A session ends when its user has done nothing for this long: the console then hides what it shows, and asks
   * for a sign-in. What pages ask for by themselves, and streams, do not count. Unit: milliseconds. Default:
   * `1800000`.
   */
  idleMs?: number | undefined
}

export interface AdminAccountsConfig {
  /**
   * Hosts, addresses and networks that no account of the store may reach, also where its name resolves to them;
   * through a proxy, which resolves names itself, only as its `baseUrl` or `options` name them. The default has
   * the addresses at which clouds serve credentials of a machine. Default:
   * `["169.254.169.254","169.254.170.2","169.254.170.23","100.100.100.200","fd00:ec2::254","fd00:ec2::23","fd20:ce::254","metadata.google.internal"]`.
   */
  forbid?: readonly string[] | undefined
}

export interface TokenConfig {
  /** Identifies the token in the audit log. */
  id: string
  /**
   * The token that operators send. At least 32 random characters; `env:NAME` reads them from the environment. A
   * token has either `secret` or `hash`. Default: none.
   */
  secret?: string | undefined
  /**
   * `sha256:` and the 64 hex digits of the SHA-256 of the secret. It keeps the secret out of the file. Default:
   * none.
   */
  hash?: string | undefined
  /**
   * What the token permits: `viewer` reads; `operator` also steers what runs; `admin` also changes keys,
   * accounts and tokens.
   */
  role: 'viewer' | 'operator' | 'admin'
  /**
   * When the token expires: an ISO 8601 date, an ISO 8601 time with its zone, or milliseconds since 1970. In
   * TypeScript also a `Date`. Default: never.
   */
  expiresAt?: Date | string | number | undefined
}

export interface ListenConfig {
  /** Host name or IP address to listen on. Default: `"127.0.0.1"`. */
  host?: string | undefined
  /** Port to listen on; 0 selects a free port. Default: `8787`. */
  port?: number | undefined
}

/** Identity, for types and completion in `dragoman.config.ts`. */
export function defineConfig(config: Config): Config {
  return config
}
