import type { AccountCall } from '../media/account-call.ts'
import type { VideoCodec } from '../media/video.ts'
import type { Account, ForwardedNames } from './account.ts'
import type { AccountCodec, AccountCounting, GenerateCodec, TokenCounting } from './codec.ts'
import type { AccountConverters, Converters } from './conversion.ts'
import type { GatewayError } from './errors.ts'
import type { FileFields } from './files.ts'
import type { Framing } from './framing.ts'
import type { EndedResponse, Usage } from './outcome.ts'
import type { Refusal, RefusalSubject } from './refusal.ts'
import type { ClientRequest, ErrorForm } from './request.ts'
import type { ProviderPreset } from './provider.ts'
import type { TranscriptStore } from './stored.ts'

/** How accounts of a dialect generate text for clients of other dialects. */
export interface AccountText {
  readonly codec: AccountCodec
  /** Present if accounts count tokens. */
  readonly counting?: AccountCounting
  /** Accounts of the dialect serve its own clients alone: what they answer is no message. */
  readonly clientsOnly?: boolean
}

/** A dialect's support for the translation of text generation, for its clients too. */
export interface TextSupport extends AccountText {
  readonly codec: GenerateCodec
  /** The kind of resource that a reply is, see `Produced.kind`. */
  readonly produces: string
  /** Present if the dialect has an endpoint that counts tokens. */
  readonly counting?: TokenCounting
  /** Present if a request can continue a reply by its id. */
  readonly transcripts?: TranscriptStore
}

/** What is left of a limit. Times are milliseconds since 1970. */
interface RateState {
  readonly limit: number
  readonly remaining: number
  /** When the whole amount is there again. */
  readonly resetsAt: number
  readonly now: number
}

/** The headers of a reply that tell what is left of a limit. */
export type RateHeaders = (
  kind: 'requests' | 'tokens',
  state: RateState,
) => Readonly<Record<string, string>>

/** An error as a dialect's clients expect it. */
export interface ErrorReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Serialised as JSON. */
  readonly body: unknown
}

/** What the form of an error depends on. An exchange is one. */
export interface ErrorContext {
  /** The value of `x-request-id`. */
  readonly id: string
  /** Absent: `spec`. */
  readonly errors?: ErrorForm
}

/** The account's side of a dialect. */
export interface Upstream {
  /**
   * The base URL that this dialect's SDKs expect: `versioned` ends in the version (`.../v1`), `bare`
   * does not. Operation paths always contain the version.
   */
  readonly base: 'versioned' | 'bare'
  /**
   * Presets of providers that speak this dialect, by name. A provider that two dialects list speaks
   * both, unless a preset has `onlyIfNamed`.
   */
  readonly providers: Readonly<Record<string, ProviderPreset>>
  /**
   * The client's headers and query parameters that accounts of this dialect get with a native request,
   * besides the names of every dialect (`user-agent`, `idempotency-key`, session ids, `x-stainless-*`).
   * Accounts get no others, unless their configuration names them. Absent: none.
   */
  readonly forward?: Partial<ForwardedNames>
  /**
   * Accounts read `%2F` in a segment of a path as a slash of a name, as AWS does for models that are ARNs.
   * Absent: no path with an encoded slash reaches an account.
   */
  readonly encodesSlashes?: boolean
  /**
   * How accounts frame their streams. Absent: as the dialect's `framing`, or server-sent events if that depends on
   * the request.
   */
  readonly framing?: Framing
  /** Returns the credential and version headers for one request. */
  headers(account: Account, request: ClientRequest): Record<string, string>
  /**
   * Returns the subject of a refusal if a code or message that the providers document names it. Absent,
   * or `undefined`: the status alone decides (`src/kit/refusal-subject.ts`).
   */
  subjectOf?(refusal: Refusal): RefusalSubject | undefined
  /**
   * Returns the HTTP status that an error object inside a stream stands for, in the words of the dialect; its codec
   * and its outcomes of JSON replies have to use the same function. Absent: `statusOfError`, which knows OpenAI's
   * error objects.
   */
  statusOf?(error: Refusal['error']): number
  /**
   * Returns the pause in milliseconds that an error object asks for, where the reply has no such header. It counts for
   * the statuses 429 and 503. Absent: error objects have no pause.
   */
  retryAfterOf?(error: Refusal['error']): number | undefined
  /**
   * Returns the text of an error reply. The client gets it without the account's key and address. Absent, or
   * `undefined`: it is searched in `error.message`, `error`, `message` and `Message`.
   */
  messageOf?(refusal: Refusal): string | undefined
  /**
   * A `GET` that costs nothing and that needs a valid credential, such as the list of models. The
   * gateway makes it to check an account whose refusals leave that open.
   */
  readonly freeCall?: { readonly path: string; readonly query?: string }
  /**
   * How accounts list their models. `GET /v1/models` of the gateway shows them for accounts whose `models` has a
   * pattern. Absent: the names in the configuration alone are listed.
   */
  readonly modelList?: ModelList
}

/** A page of a list of models. */
interface ModelListPage {
  readonly names: readonly string[]
  readonly next?: string | undefined
}

/** A `GET` that costs nothing and lists an account's models. */
export interface ModelList {
  readonly path: string
  /** The query of the first page. */
  readonly query?: string
  /**
   * Reads the JSON of a page: the names as calls have them, of models that this dialect can call, and the query of
   * the next page, if there is one. `undefined`: the JSON is no list.
   */
  read(page: unknown): ModelListPage | undefined
}

/** The media types of replies that are JSON or, if the client requests a stream, events. */
export const jsonOrEvents: readonly string[] = ['application/json', 'text/event-stream']

/** An operation, as far as an exchange depends on it. */
export interface OperationInfo {
  /** Unique, such as `chat.create`. Shown by `check` and in logs and traces. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH'
  /** `none`: public. `signature`: the operation checks a signed URL itself. */
  readonly auth: 'key' | 'none' | 'signature'
  /**
   * The request body. Absent: a JSON object. `form`: a JSON object or `multipart/form-data`, which
   * the gateway spools and passes as `RequestBody.form`. `opaque`: a form, or anything or nothing, which it
   * spools and passes as `RequestBody.opaque`.
   */
  readonly body?: 'optional' | 'none' | 'form' | 'opaque'
  /**
   * The capability that an account needs, such as `generate`; the same in every dialect. Absent: the
   * gateway replies itself.
   */
  readonly capability?: string
  /** Opens a WebSocket: its `serve`, or its plan's `connect`, returns what `acceptSocket` returns. */
  readonly upgrades?: true
  /**
   * Its calls are parts of a WebSocket, which counts among the calls at once and has a slot of its account: they take
   * none of their own.
   */
  readonly overSocket?: true
  /** Serves only requests whose path no other operation has, with any method. */
  readonly yields?: boolean
  /**
   * JSON Schemas of request and reply for `openapi.json`. Each member that the request's schema names,
   * inside of objects and lists too, may occur once in a body, in exactly its spelling.
   */
  readonly schema?: { readonly request?: object; readonly reply?: object }
}

/** An operation as `check` and `openapi.json` show it. */
export interface OperationShape extends OperationInfo {
  /**
   * Patterns: `{name}` is one segment, `{name+}` one or two (a model's name may contain a slash),
   * `{name*}` one or more, `{name~}` at least 16 small letters and digits, as the gateway makes ids,
   * `{name:a|b}` one of these words.
   */
  readonly paths: readonly string[]
  /** Several dialects share the path: the one that claims the request reads its credential and formats its errors. */
  readonly shared?: boolean
  /** Left out of `openapi.json` and `check`: the operation replies 404, 405 or 426, or serves only operators. */
  readonly hidden?: boolean
  /** One line for `openapi.json`. */
  readonly summary: string
  /** Media types of its replies for `openapi.json`; empty for no body. Absent: JSON. */
  readonly replies?: readonly string[]
  /** The status of a success for `openapi.json`. Absent: 200. */
  readonly status?: number
}

/**
 * A dialect that only accounts speak, with what the gateway needs to ask them for clients of other dialects: no
 * paths, and no form of requests, replies and errors for clients. A `Dialect` with `upstream` is one too.
 */
export interface AccountDialect {
  /** Accounts list it in `speaks`; events and logs carry it. */
  readonly id: string
  /** The API's name in its documentation, such as `Messages API`. Absent: the id. */
  readonly title?: string
  readonly upstream: Upstream
  /** Absent: its accounts generate no text for clients of other dialects. */
  readonly generate?: AccountText
  /** Creates and reads videos at accounts of this dialect, for clients of any dialect. */
  readonly video?: VideoCodec
  /** Absent: only clients of the dialect are served, but for text and videos. */
  readonly converts?: AccountConverters
  /** Absent: its accounts end their work with their reply, or cannot say later what it has used. */
  readonly background?: BackgroundWork
}

/** How the gateway asks accounts for the end of work that they go on with after their reply: a response, a batch. */
export interface BackgroundWork {
  /** The free look-up by the account's id. Throws `GatewayError` for an id that no path can have. */
  lookUp(id: string): AccountCall
  /** The end that the reply to a look-up reports; `undefined`: it reports none. */
  endOf(reply: unknown): EndedResponse | undefined
  /** The request that cancels it. Absent: operators cannot. */
  cancel?(id: string): AccountCall
  /**
   * Where the results are of work whose end reports no usage: a JSON text a line, each with a usage of its own.
   * Absent, or `undefined`: there are none.
   */
  resultsOf?(
    reply: unknown,
  ):
    | { readonly place: AccountCall; readonly usageOf: (line: unknown) => Usage | undefined }
    | undefined
}

/** A dialect without its operations, as far as exchanges and candidates depend on it. */
export interface DialectInfo extends Omit<AccountDialect, 'upstream'> {
  /** Returns the client's API key: from the dialect's own header first, then from the others. */
  credential(request: ClientRequest): string | undefined
  /** The headers for an API key, shown to clients that sent none: `x-api-key: KEY`. */
  readonly credentialAs?: readonly string[]
  /** Whether a request to a path that several dialects share, or that none has, comes from a client of this one. */
  claims?(request: ClientRequest): boolean
  /** The header in which this dialect's SDKs read the request id, besides `x-request-id`. */
  readonly requestIdHeader?: string
  /**
   * How streams to clients are framed, which may depend on the request. Absent: server-sent events. A native stream
   * of accounts with another framing is framed again.
   */
  readonly framing?: Framing | ((request: Pick<ClientRequest, 'headers' | 'query'>) => Framing)
  /** Absent: `x-ratelimit-...`, as OpenAI's API has them. */
  readonly rateHeaders?: RateHeaders
  /** Formats an error for this dialect's clients. */
  error(error: GatewayError, exchange: ErrorContext): ErrorReply
  /** Present if accounts can speak this dialect. */
  readonly upstream?: Upstream
  /**
   * Support for translating operations with the capability `generate`. Absent: only accounts that
   * speak this dialect serve its clients, and such accounts serve no clients of other dialects.
   */
  readonly generate?: TextSupport
  /** As `generate`, for operations with these capabilities. */
  readonly converts?: Converters
  /**
   * The request fields that name files. The operation's `understand` runs twice for a body that names
   * uploads: before the gateway reads them, and with their bytes in the body. Absent: its operations
   * handle files themselves.
   */
  readonly files?: FileFields
}
