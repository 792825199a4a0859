import type { OutputLimitField, Propagation, ReplyModel } from '../contract/account.ts'
import type { AccountTimeouts } from '../contract/limits.ts'
import type { PriceSettings } from '../contract/prices.ts'

/** An account at a provider. */
export interface AccountConfig {
  id: string
  /** `openai`, `anthropic`, `gemini`, `openai-compatible`, `sandbox`, ... */
  provider: string
  /** As the provider's own SDK expects it: with `/v1` for openai, the bare origin for others. */
  baseUrl?: string
  /** The provider's key; `env:NAME` reads it from the environment, `file:/path` from a file. */
  apiKey?: string
  /** Dialects that the account speaks. Default: those of its provider; `chat` for `openai-compatible`. */
  speaks?: readonly string[]
  /** Names and patterns (`gpt-*`, `*`), or a map from platform names to the account's own. */
  models: readonly string[] | Readonly<Record<string, string>>
  /**
   * The field in which the account takes the limit of output tokens of a chat request. Default:
   * `max_tokens` for `openai-compatible`, otherwise `max_completion_tokens`.
   */
  outputLimitField?: OutputLimitField
  /**
   * Whether the gateway asks the account for the usage of each chat stream. Default: true. False suits
   * servers that refuse `stream_options`.
   */
  asksForUsage?: boolean
  /**
   * The model that replies name: as the account reports it (`account`, the default), or as the client
   * asked for it (`client`).
   */
  replyModel?: ReplyModel
  /** Headers and query parameters of clients that the account gets besides those of its dialects. */
  forward?: ForwardConfig
  /**
   * Whether requests to the account carry the `traceparent` of their attempt (`traceparent`). Default:
   * `none`.
   */
  propagate?: Propagation
  /** Headers of each request to the account. `env:NAME` and `file:/path` stand for what is there. */
  headers?: Readonly<Record<string, string>>
  /** Deadlines that go before those of the gateway. */
  timeouts?: AccountTimeouts
  /** The most calls at once, in each process. Default: no limit. */
  maxConcurrent?: number
  /** Prices by the account's own names, which go before the shared ones; `free`: its tokens cost nothing. */
  prices?: PriceSettings | 'free'
  /**
   * URL of the proxy for connections to the account; `env:NAME` or `file:/path` if it has credentials. False:
   * none. Default: that of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`.
   */
  proxy?: string | false
  /** Certificate authorities besides those of the system: PEM, `env:NAME` or `file:/path`. */
  ca?: string
  /** The gateway's certificate for the account: PEM, `env:NAME` or `file:/path`. */
  clientCertificate?: { cert: string; key: string; passphrase?: string }
  /** Share among accounts of equal priority: from 0.000001 to 1000000. Default: 1. */
  weight?: number
  /** Accounts with a lower number come first. Default: 0. */
  priority?: number
  /** Default: true. */
  enabled?: boolean
}

/** What of a client's request an account gets, in native calls, besides what its dialects name. */
interface ForwardConfig {
  /** Names, or beginnings with a star: `x-acme-*`. Default: none. */
  headers?: readonly string[]
  /** Names. Default: none. */
  query?: readonly string[]
}
