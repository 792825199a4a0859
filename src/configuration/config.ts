import type { ReplyModel } from '../contract/account.ts'
import type { PriceSetting } from '../contract/prices.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import type { AccountConfig } from './account-config.ts'
import type { Address, AdminConfig } from './admin-config.ts'
import type { CaptureConfig } from './capture-schema.ts'
import type { LogConfig } from './log-config.ts'
import type { PluginReference } from './plugins/schema.ts'
import type { TelemetryConfig } from './telemetry-config.ts'
import type { UploadsConfig } from './uploads-config.ts'

/**
 * The configuration as a user writes it. Flags (`--port`) override the environment
 * (`DRAGOMAN_PORT`), and the environment overrides this file.
 */
export interface Config {
  /** Address of the JSON Schema of a JSON or YAML file, for editors. The gateway ignores it. */
  $schema?: string
  /** Address for API clients. Default: 127.0.0.1:8787. Port 0 selects a free port. */
  listen?: Address
  /**
   * Admin address: the admin API and probes. Default: 127.0.0.1:8788. False serves neither; probes stay
   * on `listen`.
   */
  admin?: AdminConfig | false
  /**
   * Where the gateway stores its records: `file:DIR` (default `file:.dragoman`, beside this file),
   * `redis://HOST:PORT` for replicas (also `rediss://`, `redis+sentinel://HOST:PORT,.../NAME`,
   * `redis+cluster://HOST:PORT,...`, and `env:NAME`), or `memory:`, which ends with the process.
   */
  store?: string
  /** API keys, in addition to those that `dragoman keys create` puts into the store. */
  keys?: KeyConfig[]
  /** Upstream accounts. */
  accounts?: AccountConfig[]
  /** Additional names of models: `{ fast: 'gpt-4.1-mini' }`. An alias may name another alias. */
  aliases?: Record<string, string | AliasConfig>
  /**
   * Prices by the names that accounts have for their models, for the metric of costs. An account may have prices of
   * its own. Default: none.
   */
  prices?: Record<string, PriceSetting>
  /**
   * How errors of accounts reach the client: in the error envelope of its dialect, with an integer
   * `code`, a `message` and `details` (`spec`, the default), or byte for byte (`upstream`).
   */
  errors?: 'spec' | 'upstream'
  limits?: LimitsConfig
  timeouts?: TimeoutsConfig
  /**
   * Directory for forms above 1 MiB, relative to this file. Default: the system's directory for
   * temporary files; if that is in memory (tmpfs), name a directory on disk.
   */
  spool?: string
  /**
   * What happens to an account's reply when the client disconnects: `abort` (the default) ends it,
   * `drain` reads it to its end to learn the usage.
   */
  clientGone?: 'abort' | 'drain'
  /**
   * Messages API version 2026-10-21 and later refuse `temperature`, `top_p` and `top_k`. If a client
   * of such a version sends them, `adapt` (the default) asks the account for version 2023-06-01, and
   * `client` keeps the client's version.
   */
  samplingFields?: 'adapt' | 'client'
  /**
   * What happens to a request that names stored data of an account (items, containers, audio, threads) by
   * an id that no reply to its API key has contained, or a file that code has made for another key: `refuse`
   * (the default) answers 400; `forward` leaves it to the account. Only a gateway with a single tenant may forward: any key can then read the data
   * of every other key on the same account.
   */
  unknownIds?: 'refuse' | 'forward'
  /**
   * What happens to settings of a request that an account of another dialect does not support: `drop`
   * (the default) leaves them out and names them in `x-dragoman-losses`; `native` and `reject` use
   * only accounts that support the whole request, and answer 400 if there is none. A key may have its
   * own policy.
   */
  losses?: LossPolicy
  /**
   * URL at which clients reach this gateway: `https://llm.example.com`, with a path if an ingress adds
   * one. URLs that the gateway issues begin with it. Default: the address of `listen`, if it is a
   * loopback address.
   */
  publicUrl?: string
  /**
   * Addresses and networks (`10.0.0.0/8`) of the proxies before the gateway; `loopback` and `private` stand
   * for networks. The client's address, and the scheme, host and path of URLs if `publicUrl` is not set,
   * come from the headers of these proxies, and of no others. Default: none.
   */
  trustedProxies?: string[]
  /** Where files uploaded through `POST /v1/files/upload_url` go. */
  uploads?: UploadsConfig
  /** Which image models exist. Legacy and newer models accept different requests. */
  imageModels?: ImageModelsConfig
  /**
   * How the gateway fetches files that clients name by URL, for accounts that accept no URL. Its
   * limits apply to uploads that go into a request as well.
   */
  remote?: RemoteConfig
  /** Permits captures of requests and replies. Default: false. */
  capture?: CaptureConfig | false
  /** What the gateway logs, how and where. */
  log?: LogConfig
  /** Metrics, and how they are named. */
  telemetry?: TelemetryConfig
  /**
   * Your own plugins, which run before the shipped authentication: plugins, or modules by their names, as a JSON or
   * YAML file has them: `{ use: './my-plugin.ts', options: { ... } }`.
   */
  plugins?: (GatewayPlugin | PluginReference)[]
}

/** An API key. Exactly one of `secret` and `hash`. */
export interface KeyConfig {
  /** Identifies the key in logs. Everything that clients store with this key belongs to its id. */
  id: string
  /** The key that clients send; `env:NAME` reads it from the environment, `file:/path` from a file. */
  secret?: string
  /** `sha256:` and the 64 hex digits of the secret's SHA-256, to keep the secret out of the file. */
  hash?: string
  /** Names and patterns (`gpt-*`) of the models that the key may use. Default: all models. */
  models?: string[]
  /** An ISO 8601 time with its zone, a `Date`, or milliseconds since 1970. Default: never. */
  expiresAt?: string | Date | number
  disabled?: boolean
  /**
   * Whether clients may ask how a request is routed: a request with `x-dragoman-explain: 1` gets the
   * header `x-dragoman-route`, which names accounts. Default: false.
   */
  explain?: boolean
  /** Replaces the top-level `losses` for this key. */
  losses?: LossPolicy
}

/** An additional name of a model. */
interface AliasConfig {
  /** A model, or another alias. */
  model: string
  /** Goes before that of the account. */
  replyModel?: ReplyModel | undefined
}

/** Sizes and counts. */
export interface LimitsConfig {
  /** Largest JSON request, in bytes after decompression. Default: 64 MiB. */
  jsonBodyBytes?: number
  /** Levels of nested objects and lists in a JSON request or reply. Default: 200. */
  jsonDepth?: number
  /** Values and member names in a JSON request or reply. Default: 250,000. */
  jsonValues?: number
  /** Times that a body may be as large decompressed as compressed, above 4 MiB. Default: 100. */
  expansionRatio?: number
  /**
   * Memory for large bodies, parsed JSON and large replies of a process together, in bytes. Default: a
   * quarter of the memory that the process may use, from 64 MiB to 512 MiB.
   */
  memoryBytes?: number
  /**
   * Least bytes per second of a request body, on average over `timeouts.requestBodyMs`. Default: 1024.
   */
  bodyBytesPerSecond?: number
  /** Largest form, files included, in bytes. Default: 1 GiB. */
  formBytes?: number
  /** Largest part of a form, in bytes. Default: 512 MiB, or `formBytes` if that is less. */
  formPartBytes?: number
  /**
   * Disk space for all forms of a process together, in bytes, at least `formBytes`. Default: 4 GiB.
   */
  spoolBytes?: number
  /**
   * Uploads that a process reads into JSON bodies at the same time, in bytes before base64. Such
   * bodies take about three and a half times as much memory. Default: 512 MiB.
   */
  inlineBytes?: number
  /** Largest reply of an account that the gateway holds as a whole, in bytes. Default: 64 MiB. */
  replyBytes?: number
  /** Largest single frame of a stream, in bytes. Default: 40 MiB. */
  frameBytes?: number
  /** Accounts that one request may try. Default: 5. */
  attempts?: number
}

/** Which image models exist. */
export interface ImageModelsConfig {
  /**
   * Names and patterns of legacy image models; all others are newer models. The first name applies
   * to an edit that names no model. Default: `['dall-e-2']`.
   */
  legacy?: string[]
  /**
   * Name of the model that applies instead if such an edit asks for a feature of newer models.
   * Default: `gpt-image-1`.
   */
  current?: string
  /**
   * Names and patterns of newer models that accept further sizes and qualities. The gateway does not
   * check these fields for them. Default: `['gpt-image-2*']`.
   */
  later?: string[]
}

/** How the gateway fetches URLs of clients. By default only from the public internet, by https. */
export interface RemoteConfig {
  /** Whether `http:` URLs are accepted. Default: false. */
  allowHttp?: boolean
  /**
   * Hosts and networks, each with a port, that the gateway may reach although they are not public:
   * `media.internal:443`, `10.1.0.0/16:8443`. Every client can read the files that they serve.
   */
  allow?: string[]
  /** Networks that the gateway must not reach, besides those that are not public: `5.6.0.0/16`. */
  forbid?: string[]
  /** The only ports that the gateway may reach. Default: all ports. */
  ports?: number[]
  /** Largest file. Default: 20 MiB. */
  maxBytes?: number
  /** All files of a request together. Default: 50 MiB. */
  maxTotalBytes?: number
  /** Different URLs in a request; 0 fetches none. Default: 20. */
  maxFiles?: number
  /** For one file, redirects included. Default: 10 s. */
  timeoutMs?: number
  /** For all files of a request. Default: 30 s. */
  totalTimeoutMs?: number
  /** Default: 3. */
  maxRedirects?: number
}

/** All in milliseconds. */
export interface TimeoutsConfig {
  /** Until the connection to an account is established. Default: 10 s. */
  connectMs?: number
  /** Until the first byte of an account's reply. Default: 15 min. */
  firstByteMs?: number
  /** Longest silence within an account's reply. Default: 15 min. */
  idleMs?: number
  /** One attempt at an account, from its start to its last byte. Default: 2 h. */
  totalMs?: number
  /** Silence of a stream after which its client gets a keep-alive. Default: 15 s. */
  keepAliveMs?: number
  /**
   * How long the gateway holds back the first events of a stream, so that another account can take
   * over. Default: 5 s.
   */
  holdMs?: number
  /** Longest silence while a request body arrives. Default: 60 s. */
  requestBodyMs?: number
  /**
   * How long the gateway reads an account's reply after its client has disconnected
   * (`clientGone: 'drain'`), and how long a shutdown waits for exchanges in flight. Default: 30 s.
   */
  drainMs?: number
  /**
   * How long a call waits for one `onRequest` hook of a plugin, and for one event of an `onEvents` mapper
   * that waits. Default: 30 s.
   */
  pluginMs?: number
}

/** Identity, for types and completion in `dragoman.config.ts`. */
export function defineConfig(config: Config): Config {
  return config
}
