import type { VideoCodec } from '../media/video.ts'
import type { Account } from './account.ts'
import type { TokenCounting, GenerateCodec } from './codec.ts'
import type { GatewayError } from './errors.ts'
import type { FileFields } from './files.ts'
import type { ClientRequest } from './request.ts'
import type { TranscriptStore } from './stored.ts'

/** What translation needs of a dialect. */
export interface TextSupport {
  readonly codec: GenerateCodec
  /** What its replies are: the `kind` of what is produced. */
  readonly produces: string
  /** Where there is a call that counts tokens. */
  readonly counting?: TokenCounting
  /** Where later requests may go on from a reply by its id. */
  readonly transcripts?: TranscriptStore
}

export interface ErrorReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Serialised as JSON. */
  readonly body: unknown
}

/** The account's side of a dialect. */
export interface Upstream {
  /**
   * What the SDKs of this dialect take as base URL: one that ends in the version (`.../v1`), or the
   * bare origin. Operation paths are written in full, with the version, either way.
   */
  readonly base: 'versioned' | 'bare'
  /**
   * Known providers that speak this dialect. One that two dialects list speaks both, unless a preset
   * says otherwise.
   */
  readonly providers: Readonly<Record<string, ProviderPreset>>
  /** Credential and version headers for one request. */
  headers(account: Account, request: ClientRequest): Record<string, string>
}

export interface ProviderPreset {
  /** Absent where every account names its own. */
  readonly baseUrl?: string
  /** Absent: as the dialect that lists it. */
  readonly base?: 'versioned' | 'bare'
  /** Few servers of the kind speak it: an account does where its `speaks` says so, and else not. */
  readonly onlyIfNamed?: boolean
}

/** Media types of what is answered at once or, where a client asks for that, in events. */
export const jsonOrEvents: readonly string[] = ['application/json', 'text/event-stream']

/** What an exchange knows of its operation. */
export interface OperationInfo {
  /** `chat.create`: unique, shown by `check`, logs and traces. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT'
  /** `none`: open to everybody. `signature`: the operation checks a signed URL itself. */
  readonly auth: 'key' | 'none' | 'signature'
  /**
   * The body that the operation takes. Absent: a JSON object. `form`: a JSON object or
   * `multipart/form-data`, which is spooled and stands in `RequestBody.form`.
   */
  readonly body?: 'optional' | 'none' | 'form'
  /**
   * What it does, whatever the dialect: translation finds its counterpart by this. Absent: the
   * gateway answers it itself.
   */
  readonly capability?: string
}

/** An operation as `check` and `openapi.json` show it. */
export interface OperationShape extends OperationInfo {
  /**
   * Patterns: `{name}` is one segment, `{name+}` one or two (a model identifier may hold a slash),
   * `{name*}` one or more, `{name~}` at least 16 small letters and digits, as the gateway makes ids,
   * `{name:a|b}` one of these words.
   */
  readonly paths: readonly string[]
  /** The path is shared: a dialect that claims the request lends its credential and errors. */
  readonly shared?: boolean
  /** Answers that there is nothing here; not offered anywhere. */
  readonly hidden?: boolean
  /** One line for `openapi.json`. */
  readonly summary: string
  /** JSON Schemas of request and reply for `openapi.json`. */
  readonly schema?: { readonly request?: object; readonly reply?: object }
  /** Media types that its replies can have, for `openapi.json`: none for no body. Absent: JSON. */
  readonly replies?: readonly string[]
  /** Of a success, for `openapi.json`. Absent: 200. */
  readonly status?: number
}

/**
 * A request/response dialect without its operations: what an exchange and a candidate know of it. Its
 * `name` is also what accounts list in `speaks`.
 */
export interface DialectInfo {
  readonly id: string
  /** What its documentation calls it: `Messages API`. Absent: its name. */
  readonly title?: string
  /** The credential that decides: the dialect's own header first, then the others. */
  credential(request: ClientRequest): string | undefined
  /** Where its clients send it, for those who did not: `x-api-key: KEY`. */
  readonly credentialAs?: readonly string[]
  /** Whether a request to a path that dialects share comes from one of this dialect's clients. */
  claims?(request: ClientRequest): boolean
  /** Where this dialect's SDK reads the request's id, besides `x-request-id`. */
  readonly requestIdHeader?: string
  /** How an error looks to this dialect's clients. */
  error(error: GatewayError, exchange: { readonly id: string }): ErrorReply
  /** What an account that speaks this dialect needs. Absent where no account ever does. */
  readonly upstream?: Upstream
  /**
   * Its operations of the capability `generate` in the words of the neutral model. Absent: clients
   * of it are served by accounts that speak it, and accounts that speak nothing else by no others.
   */
  readonly generate?: TextSupport
  /**
   * Where its requests name files. A body that names uploads is understood twice: before they are read,
   * and with their bytes in it. Absent: its operations know themselves.
   */
  readonly files?: FileFields
  /** How its accounts are asked for videos, whatever the client speaks. */
  readonly video?: VideoCodec
}
