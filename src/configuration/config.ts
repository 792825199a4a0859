import type { GatewayPlugin } from '../contract/plugin.ts'
import type { LossPolicy } from '../generate/unsupported.ts'

/**
 * What a user writes. Flags (`--port`) win over the environment (`DRAGOMAN_PORT`), the environment
 * over this file, this file over the defaults.
 */
export interface Config {
  /** Address of the JSON Schema of a JSON or YAML file, for editors. The gateway ignores it. */
  $schema?: string
  /** Where clients come in. Default: 127.0.0.1:8787. Port 0 takes any free one. */
  listen?: Address
  /** Where operators come in. Default: 127.0.0.1:8788. */
  admin?: Address
  /**
   * Where the gateway keeps its records: `file:DIR` (default `file:.dragoman`, beside this file),
   * `redis://HOST:PORT` for many replicas (also `rediss://`, `redis+sentinel://HOST:PORT,.../NAME`,
   * `redis+cluster://HOST:PORT,...`, and `env:NAME`), or `memory:`, which is forgotten with the
   * process.
   */
  store?: string
  /** API keys besides those that `dragoman keys create` puts into the store. */
  keys?: KeyConfig[]
  /** The upstream accounts. */
  accounts?: AccountConfig[]
  /** Further names for models: `{ fast: 'gpt-4.1-mini' }`. An alias may name another alias. */
  aliases?: Record<string, string>
  /**
   * How errors of upstreams reach the client: in one envelope (`spec`, the default), or byte for
   * byte (`upstream`).
   */
  errors?: 'spec' | 'upstream'
  limits?: LimitsConfig
  timeouts?: TimeoutsConfig
  /**
   * A directory for uploads that are too large for memory, relative to this file. Default: the
   * system's for temporary files; where that is in memory (tmpfs), name another.
   */
  spool?: string
  /** What happens upstream when the client leaves: `abort` (the default), or `drain` for metering. */
  clientGone?: 'abort' | 'drain'
  /**
   * Messages clients of API version 2026-10-21 or later that send `temperature`, `top_p` or `top_k`,
   * which that version refuses: `adapt` (the default) asks the account for 2023-06-01 then, `client`
   * hands the client's version on.
   */
  samplingFields?: 'adapt' | 'client'
  /**
   * What becomes of what the account of another dialect cannot be asked for: `drop` (the default)
   * leaves it out and names it in `x-dragoman-losses`, `native` asks accounts that can be, `reject`
   * answers 400. A key may have its own.
   */
  losses?: LossPolicy
  /**
   * Where clients find this gateway, for URLs that it hands out: `https://llm.example.com`, with a
   * path where an ingress adds one. Absent: its own address, if that is of this machine alone.
   */
  publicUrl?: string
  /** Where uploads of `POST /v1/files/upload_url` go. */
  uploads?: UploadsConfig
  /** Which image models there are, since they differ in what they take. */
  imageModels?: ImageModelsConfig
  /**
   * How files that clients name by URL are fetched for accounts that take no URL, and how much of
   * these, and of uploads, goes into a request.
   */
  remote?: RemoteConfig
  /** Plugins of your own, run before the shipped authentication. Not in a JSON file. */
  plugins?: GatewayPlugin[]
}

export interface Address {
  host?: string
  port?: number
}

/** An API key. Exactly one of `secret` and `hash`. */
export interface KeyConfig {
  /** Names the key in logs; what clients store belongs to it. Never shown to clients. */
  id: string
  /** What clients send; `env:NAME` reads it from the environment. */
  secret?: string
  /** `sha256:` and the 64 hex digits of the secret's SHA-256, to keep the secret out of the file. */
  hash?: string
  /** Names and patterns (`gpt-*`) of the models that this key may use. Absent: all. */
  models?: string[]
  /** An ISO 8601 time with its zone, a `Date`, or milliseconds since 1970. Absent: never. */
  expiresAt?: string | Date | number
  disabled?: boolean
  /**
   * Whether its holder is told how calls are routed: a request with `x-dragoman-explain: 1` gets
   * `x-dragoman-route`, which names accounts. Default: false.
   */
  explain?: boolean
  /** For this key instead of the configuration's `losses`. */
  losses?: LossPolicy
}

/** An account at a provider. */
export interface AccountConfig {
  id: string
  /** `openai`, `anthropic`, `gemini`, `openai-compatible`, `sandbox`, ... */
  provider: string
  /** As the provider's own SDK takes it: `.../v1` for openai, the bare origin for others. */
  baseUrl?: string
  /** The provider's key; `env:NAME` reads it from the environment. */
  apiKey?: string
  /** Dialects that the account speaks; absent: those of its provider, of `openai-compatible` `chat`. */
  speaks?: string[]
  /** Names and patterns (`gpt-*`, `*`), or a map from platform names to the account's own. */
  models: string[] | Record<string, string>
  /** Share among accounts of equal priority. Default: 1. */
  weight?: number
  /** Lower is asked first. Default: 0. */
  priority?: number
  /** Default: true. */
  enabled?: boolean
}

export interface LimitsConfig {
  /** Largest JSON request, in bytes after decompression. Default: 64 MiB. */
  jsonBodyBytes?: number
  /** Largest form, files included, in bytes. Default: 1 GiB. */
  formBytes?: number
  /** Largest part of a form, in bytes. Default: 512 MiB, or `formBytes` where that is less. */
  formPartBytes?: number
  /**
   * What forms may take on disk together, in bytes for each process: `formBytes` at least. Default:
   * 4 GiB.
   */
  spoolBytes?: number
  /**
   * What uploads may have together that are read into JSON bodies, in bytes for each process, before
   * they are base64: bodies with them take about three and a half times that of memory. Default: 512 MiB.
   */
  inlineBytes?: number
  /** Largest reply that is held as a whole, in bytes. Default: 64 MiB. */
  replyBytes?: number
  /** Largest single frame of a stream, in bytes. Default: 64 MiB. */
  frameBytes?: number
  /** Accounts that one request may try. Default: 5. */
  attempts?: number
}

export interface ImageModelsConfig {
  /**
   * Names and patterns of legacy image models; all others are newer. The first name is meant where
   * an edit names no model. Default: `['dall-e-2']`.
   */
  legacy?: string[]
  /**
   * A name, meant instead where such an edit asks for what only newer models can do. Default:
   * `gpt-image-1`.
   */
  current?: string
  /**
   * Names and patterns of newer models that take sizes and qualities beyond the contract's. Default:
   * `['gpt-image-2*']`.
   */
  later?: string[]
}

export interface UploadsConfig {
  /** The storage where a request names none. Default: `local`, or without it the first of the others. */
  default?: string
  /**
   * Of the gateway's own storage, `local`; false for none. Default: `uploads` in the directory of a
   * `file:` store, `.dragoman/uploads` with any other. Replicas have to share it.
   */
  directory?: string | false
  /**
   * Of one file. Default: 512 MiB. Where it is set, clients of a bucket have to announce the `size`,
   * since nobody else counts there.
   */
  maxBytes?: number
  /**
   * After so many days what `local` has taken is deleted; false keeps it. Default: 30. Buckets have
   * rules of their own for that.
   */
  keepDays?: number | false
  /** Media types and families (`image/*`) that are taken. Absent: all. */
  types?: string[]
  /** Signs the URLs of `local`; `env:NAME`. Absent: one is made and kept in the store. */
  secret?: string
  /** Storages of the S3 family, by the name that requests and paths have for them. */
  storages?: Record<string, StorageConfig>
}

export interface StorageConfig {
  /** Absent where the storage's name says it. */
  kind?: 's3' | 'r2' | 'minio' | 'gcs' | 'oss'
  bucket: string
  /** Default: `auto` for r2 and gcs, `us-east-1` for minio. */
  region?: string
  /** Scheme, host and port. Needed for r2 and minio. */
  endpoint?: string
  /** Further regions that a request may name, each with a bucket of its own name. */
  regions?: Record<string, { bucket: string; endpoint?: string }>
  /** `env:NAME` reads it from the environment, as with the others. For gcs: an HMAC key. */
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
  /** Before every key in the bucket: `uploads/`. */
  prefix?: string
  /** Whether the bucket stands in the path. Default: for r2, minio, gcs and names with a dot. */
  pathStyle?: boolean
  /** Lets every URL replace files, for clients that send no `headers` of the descriptor. */
  overwrite?: boolean
}

/** By default all of the public internet may be reached by https, and nothing else. */
export interface RemoteConfig {
  /** Whether `http:` URLs will do. Default: false. */
  allowHttp?: boolean
  /**
   * Hosts and networks with a port that may be reached although they are not public:
   * `media.internal:443`, `10.1.0.0/16:8443`. Every client can read what answers there.
   */
  allow?: string[]
  /** Networks that must not be reached besides those that are not public: `5.6.0.0/16`. */
  forbid?: string[]
  /** The only ports that may be reached. Absent: any. */
  ports?: number[]
  /** Of one file. Default: 20 MiB. */
  maxBytes?: number
  /** Of all files of a request. Default: 50 MiB. */
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
  /** Until an upstream connection stands. Default: 10 s. */
  connectMs?: number
  /** Until an upstream's first byte. Default: 15 min. */
  firstByteMs?: number
  /** Between two bytes of an upstream. Default: 15 min. */
  idleMs?: number
  /** One attempt at an account, from its start to its last byte. Default: 2 h. */
  totalMs?: number
  /** Silence after which a stream gets a keep-alive. Default: 15 s. */
  keepAliveMs?: number
  /** How long the start of a stream is held back, so that another account can take over. Default: 5 s. */
  holdMs?: number
  /** Longest silence while a request body arrives. Default: 60 s. */
  requestBodyMs?: number
  /**
   * How long an upstream is read on for a client that has left (`clientGone: 'drain'`), and how long
   * a shutdown waits for exchanges in flight. Default: 30 s.
   */
  drainMs?: number
}

/** Identity, for types and completion in `dragoman.config.ts`. */
export function defineConfig(config: Config): Config {
  return config
}
