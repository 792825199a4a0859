import type { Account, Candidate } from './accounts/account.ts'
import type { RequestBody } from './body.ts'
import type { GenerateCodec, Wholeness } from './codec.ts'
import type { Counting } from './counting.ts'
import type { GatewayError } from './errors.ts'
import type {
  Authenticated,
  Call,
  ClientRequest,
  Identified,
  Outcome,
  Produced,
  Reply,
  Routed,
  Understood,
} from './exchange.ts'
import type { AnswerKept, Established, Keeping } from './kept.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { AccountCall } from './media/account-call.ts'
import type { VideoCodec } from './media/video.ts'
import type { FileFields } from './named-files/index.ts'
import type { Paid } from './paid.ts'
import type { TranslationServices } from './translate/services.ts'
import type { Approach } from './upstream/approach.ts'
import type { Chunk } from './upstream/chunk.ts'

/**
 * A request/response dialect, as data. Its `name` is also the family that accounts list in `speaks`.
 * Everything a dialect knows about the wire is reachable from here; the kernel knows none by name.
 */
export interface Dialect {
  readonly name: string
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
  readonly operations: readonly Operation[]
  /**
   * Its operations of the capability `generate` in the words of the neutral model. Absent: clients
   * of it are served by accounts that speak it, and accounts that speak nothing else by no others.
   */
  readonly generate?: Translatable
  /**
   * Where its requests name files. A body that names uploads is understood twice: before they are read,
   * and with their bytes in it. Absent: its operations know themselves.
   */
  readonly files?: FileFields
  /** How its accounts are asked for videos, whatever the client speaks. */
  readonly video?: VideoCodec
}

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

export type Operation = ForwardOperation | ServeOperation | PerformOperation

/** Media types of what is answered at once or, where a client asks for that, in events. */
export const jsonOrEvents: readonly string[] = ['application/json', 'text/event-stream']

/** What an operation does, whatever its dialect; `''` for one that the gateway answers itself. */
export function capabilityOf(operation: Operation): string {
  return 'capability' in operation ? operation.capability : ''
}

interface OperationShape {
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

/** Goes to an account. */
export interface ForwardOperation extends OperationShape {
  /** What it does, whatever the dialect: translation finds its counterpart by this. */
  readonly capability: string
  /** Checks the request and reads the facts that routing needs. Throws `GatewayError`. */
  understand(exchange: Authenticated, body: RequestBody): MaybePromise<Call>
  readonly forward: Forward
}

export interface Forward {
  /** Where on the account the request goes; the path in full, with the version. */
  target(exchange: Routed): Target
  /** Made anew for each attempt of a streamed call. */
  observer(exchange: Routed): Observer
  /** What a complete JSON reply of a 2xx status means. */
  outcome(json: unknown, exchange: Routed): Outcome
  /** Answers for an account that has nothing to ask for, since the gateway keeps it itself. */
  readonly kept?: AnswerKept
  /** Makes what no account is there to make. */
  establish?(exchange: Understood): Established
  /** Asks the account in another way than with the client's own request. */
  approach?(exchange: Routed, services: TranslationServices, asking: Asking): Promise<Approach>
  /**
   * Each time it is done costs: another account is asked only where one is known to have made
   * nothing, never where it may have. What is known so is told by `src/paid.ts`.
   */
  readonly paid?: Paid
}

export interface Target {
  readonly path: string
  /** Without the question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Answered by the gateway itself. */
export interface ServeOperation extends OperationShape {
  /** The body is read as that of a call. Absent: it is left on the request's stream. */
  readonly reads?: 'json'
  serve(exchange: Authenticated | Identified, body: RequestBody): Reply | Promise<Reply>
}

/** Several upstream calls. */
export interface PerformOperation extends OperationShape {
  readonly capability: string
  understand(exchange: Authenticated, body: RequestBody): MaybePromise<Call>
  perform(exchange: Understood, send: Send, asking: Asking): Promise<Reply>
}

/** Asks accounts that the operation itself has chosen; how they fare is not held against them. */
export interface Asking {
  /** Resolves with a reply's whole JSON. Rejects with `GatewayError`. */
  ask(candidate: Candidate, call: AccountCall): Promise<Told>
  /**
   * Hands a file's bytes on as they come, and the client's range to the account, or to the host that
   * it named, which is shown nothing of the account's.
   */
  relay(candidate: Candidate, place: AccountCall | URL): Promise<Reply>
  /**
   * Reads a whole file for the gateway itself, whatever the client asked for. Rejects with
   * `GatewayError` where it is larger than `limit`, in bytes, or cannot be had as it is.
   */
  read(candidate: Candidate, place: AccountCall | URL, limit: number): Promise<Buffer>
}

/** What an account told. */
export interface Told {
  readonly json: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Sends one request to the account that routing chose and resolves at commitment. */
export type Send = (target: Target & { readonly method?: string }) => Promise<Reply>

/**
 * Looks on while a native stream passes. It is given whole frames only, however the network cut
 * them, and knows when the stream has not ended as it should and how to say so in its dialect.
 */
export interface Observer {
  /** The reply header of the stream as the client sees it. */
  readonly contentType: string
  /** One or more whole frames. */
  push(frames: Buffer): Observation
  /** The upstream closed the stream in good order. */
  end(): Observation
  /** The last bytes of a stream that broke; then a clean end, or a reset of the connection. */
  fail(error: GatewayError): { readonly bytes: Buffer; readonly ending: 'end' | 'reset' }
  /** Harmless bytes for a silent stream, at a frame boundary. */
  keepAlive(): Buffer
  /** Set where a stream that its upstream leaves open may be taken for ended. */
  readonly wholeness?: Wholeness | undefined
}

/**
 * - `start`: nothing but announcements so far, another account may still take over
 * - `output`: something the client waits for
 * - `terminal`: the stream is complete with these frames
 * - `failed`: the upstream told of an error, or the frames are broken
 */
export type Observation = Observed &
  (
    | {
        readonly phase: 'output'
        /** In place of `bytes`: the same where it need not be copied to go out. */
        readonly chunk?: Chunk
      }
    | { readonly phase: 'start' | 'terminal' | 'failed'; readonly chunk?: never }
  )

interface Observed {
  /** With `terminal`, and with `failed` where the upstream said what went wrong. */
  readonly outcome?: Outcome
  readonly error?: GatewayError
  /** With `start`: what can be asked for by its id from now on, while the stream goes on. */
  readonly announced?: Produced | undefined
  /** What goes to the client instead of the frames; with `failed`, the good frames before. */
  readonly bytes?: Buffer
}

/** Identity, for types and completion. */
export function defineDialect(dialect: Dialect): Dialect {
  return dialect
}

/** Identity, for types and completion. */
export function defineOperation<O extends Operation>(operation: O): O {
  return operation
}
