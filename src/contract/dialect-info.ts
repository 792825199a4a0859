import type { Account } from './account.ts'
import type { Counting, GenerateCodec } from './codec.ts'
import type { Operation } from './operation.ts'
import type { ClientRequest } from './request.ts'
import type { Keeping } from './stored.ts'

/** What translation needs of a dialect. */
export interface Translatable {
  readonly codec: GenerateCodec
  /** What its replies are: the `kind` of what is produced. */
  readonly produces: string
  /** Where there is a call that counts tokens. */
  readonly counting?: Counting
  /** Where later requests may go on from a reply by its id. */
  readonly keeping?: Keeping
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

/** What an operation does, whatever its dialect; `''` for one that the gateway answers itself. */
export function capabilityOf(operation: Operation): string {
  return 'capability' in operation ? operation.capability : ''
}

export interface OperationShape {
  /** `chat.create`: unique, shown by `check`, logs and traces. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT'
  /**
   * Patterns: `{name}` is one segment, `{name+}` one or two (a model identifier may hold a slash),
   * `{name*}` one or more, `{name~}` at least 16 small letters and digits, as the gateway makes ids,
   * `{name:a|b}` one of these words.
   */
  readonly paths: readonly string[]
  /** `none`: open to everybody. `signature`: the operation checks a signed URL itself. */
  readonly auth: 'key' | 'none' | 'signature'
  /**
   * What body comes with it. Absent: a JSON object. `form`: that, or `multipart/form-data`, which is
   * spooled and told as `RequestBody.form`.
   */
  readonly body?: 'optional' | 'none' | 'form'
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
