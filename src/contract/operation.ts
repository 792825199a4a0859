import type { ByteEdit } from '../lib/json/edit.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { AnyPlan, OtherForm, RelayedContent } from './attempt.ts'
import type { RequestBody } from './body.ts'
import type { Call } from './call.ts'
import type { Candidate } from './candidate.ts'
import type { OperationShape } from './dialect-info.ts'
import type { Authenticated, Identified, Routed, Understood } from './exchange.ts'
import type { Observer } from './observer.ts'
import type { Outcome, Reply } from './outcome.ts'
import type { TranslationServices } from './services.ts'
import type { CreatedResource, StoredResource } from './stored.ts'

/** An endpoint of a dialect. */
export type Operation = ForwardOperation | ServeOperation | PerformOperation

/** An operation that an account serves. A call of its own type carries facts from `understand` to `plan`. */
export interface ForwardOperation<Own extends Call = Call> extends OperationShape, ModelInPath {
  readonly capability: string
  /** Checks the request and returns the facts that routing needs. Throws `GatewayError`. */
  understand(exchange: Authenticated, body: RequestBody): MaybePromise<Own>
  readonly forward: Forward<Own>
  /** The turns in its body, if that has turns and is no request for text, so that plugins can change them. */
  readonly turns?: TurnsInBody
  /** The least request, with which an operator asks how calls are served. Absent: an empty body. */
  readonly least?: LeastRequest
}

/** Reads and writes the turns of a body that is no request for text, such as the items of a conversation. */
export interface TurnsInBody {
  /** A request of these turns and nothing else. Throws `GatewayError` for turns that the codec does not accept. */
  decode(body: JsonObject): GenerateRequest
  /** The members of the body that have the turns. */
  encode(turns: GenerateRequest['turns']): JsonObject
}

/** Members of a body that refer to an id, by the kind of the resource with that id. */
type MembersByKind = Readonly<Record<string, (id: string) => JsonObject>>

/** The least request of an operation that its checks accept, besides the model. */
export interface LeastRequest {
  readonly body: JsonObject
  /** Names in small letters. */
  readonly headers?: Readonly<Record<string, string>>
  /** The members that continue a resource of an earlier reply by its id, by the kind: `response`. */
  readonly continues?: MembersByKind
  /** The members that name other data of an earlier reply by its id, by the kind: `container`. */
  readonly names?: MembersByKind
}

/** An operation whose path may name the model. */
export interface ModelInPath {
  /**
   * Returns the model if the path names it, so that no large body is read for an unknown one. Throws
   * `GatewayError`.
   */
  modelOf?(exchange: Authenticated): Pick<Call, 'model' | 'alternatives'>
}

/** How an operation makes the request to an account. */
export type Forward<Own extends Call = Call> = NativeForward<Own> | PlannedForward<Own>

/**
 * A native account gets the client's request, with the edits of the call. The kernel translates the
 * request for other accounts if the dialect has `generate`.
 */
export interface NativeForward<Own extends Call = Call> {
  /** Returns the request's target at the account. */
  target(exchange: Routed): Target
  /** Changes to the body for the account of this attempt, besides `Call.edits`, which they must not overlap. */
  accountEdits?(exchange: Routed): readonly ByteEdit[]
  /** Returns a new observer for one attempt of a streamed call. */
  observer(exchange: Routed): Observer
  /**
   * The member that names the model, as a path from the root of a JSON reply and of a stream's events.
   * Absent: the replies name none.
   */
  readonly modelPaths?: { readonly reply: readonly string[]; readonly frame: readonly string[] }
  /** Returns the outcome that a complete JSON reply of a 2xx status means. */
  outcome(json: unknown, exchange: Routed): Outcome
  /**
   * Whether a complete reply reports a failure in the account's own words, although the call succeeded:
   * a stored response that failed, or the reason why an answer is not complete. The client gets it
   * without the account's key and address, as all results whose outcome is a failure. Absent: never.
   */
  reportsFailure?(json: unknown): boolean
  /**
   * A complete reply as the client has asked for it, where the account's differs: numbers in another encoding, items in
   * another order. `undefined`, or absent: it gets the account's bytes. Throws `GatewayError` for one that does not answer
   * what the client has asked.
   */
  corrected?(json: JsonObject, exchange: Routed & { readonly call: Own }): JsonObject | undefined
  /** Present for a call whose reply is relayed as bytes. Absent: it is JSON or a stream. */
  content?(exchange: Routed): RelayedContent | undefined
  /** The outcome of a reply that is a text. Absent: as `outcome` says of none. */
  outcomeOfText?(text: Buffer): Outcome
  /** Whether the reply may be a text in place of JSON. Absent: never. */
  mayBeText?(exchange: Routed): boolean
  /** Reads a reply in the form that the call does not ask for. Absent: as the codec of the dialect does, if there is one. */
  otherForm?(exchange: Routed): OtherForm
  /** Creates a resource that the call refers to at another account, see `Relocation`. */
  readonly recreate?: Recreate
  /** Serves a call that refers to a resource that the gateway stores instead of an account. */
  readonly serveStored?: ServeStored
  /** Creates a resource in the gateway if no account can create it. */
  createStored?(exchange: Understood): CreatedResource
}

/** Creates a resource again, at another account. */
export interface Recreate {
  call(seed: JsonObject): AccountCall
  /** The id of the new resource; `undefined` if the reply lacks it. */
  idOf(reply: unknown): string | undefined
}

/** The operation plans the request to each account itself. */
export interface PlannedForward<Own extends Call = Call> {
  /** Plans one attempt. Rejects with `Declined` if the account cannot serve the call. */
  plan(
    exchange: Routed & { readonly call: Own },
    services: TranslationServices,
    accountClient: AccountClient,
  ): Promise<AnyPlan>
  /**
   * Every success is billed, so a further attempt follows only if the previous account is known to
   * have produced nothing. `src/attempt/failover.ts` decides that.
   */
  readonly billed: Billed
}

/** The path, query and headers of a request to an account. */
export interface Target {
  /** The full path, with the version. */
  readonly path: string
  /**
   * The client's query, without the question mark. The account gets the parameters that
   * `Upstream.forward` or its configuration names.
   */
  readonly query?: string
  /** Parameters of the dialect itself, which follow the client's. */
  readonly ownQuery?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** An operation that the gateway serves itself. */
export interface ServeOperation extends OperationShape {
  /** `json`: the gateway reads and parses the body. Absent: the body stays on the request's stream. */
  readonly reads?: 'json'
  serve(exchange: Authenticated | Identified, body: RequestBody): Reply | Promise<Reply>
}

/** An operation that serves a call with any number of requests to accounts. */
export interface PerformOperation extends OperationShape, ModelInPath {
  readonly capability: string
  /** Checks the request and returns the facts that routing needs. Throws `GatewayError`. */
  understand(exchange: Authenticated, body: RequestBody): MaybePromise<Call>
  perform(exchange: Understood, send: Send, accountClient: AccountClient): Promise<Reply>
}

/** Sends look-ups to accounts that the operation has chosen; they never count for or against the account's circuit. */
export interface AccountClient {
  /** Resolves with a complete JSON reply. Rejects with `GatewayError`. */
  fetchJson(candidate: Candidate, call: AccountCall): Promise<AccountReply>
  /**
   * Streams a file from the account, or from a URL that the account returned, to the client, with the
   * client's `range`. A request to a URL carries no header of the account.
   */
  proxy(candidate: Candidate, place: AccountCall | URL): Promise<Reply>
  /**
   * Reads a whole file into memory. Rejects with `GatewayError` if it is larger than `limit` bytes, or
   * if the account or the host does not return it.
   */
  download(candidate: Candidate, place: AccountCall | URL, limit: number): Promise<Buffer>
}

/** An account's JSON reply. */
export interface AccountReply {
  readonly json: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Sends one request to the account that routing chose. Resolves when the reply's first output is there. */
export type Send = (target: Target & { readonly method?: string }) => Promise<Reply>

/** Returns the operation unchanged. Gives the literal its type, so that a misspelt member is an error. */
export function defineOperation<Own extends Call>(
  operation: ForwardOperation<Own>,
): ForwardOperation
export function defineOperation(operation: ServeOperation): ServeOperation
export function defineOperation(operation: PerformOperation): PerformOperation
export function defineOperation(operation: Operation): Operation {
  return operation
}

/**
 * The unit that an account bills. A `job` runs at the account before and after its reply. A `reply` is
 * complete: an error reply in its place means that the account produced nothing.
 */
export type Billed = 'job' | 'reply'

/** Serves a call that refers to a resource that the gateway stores. */
export type ServeStored = (exchange: Understood, resource: StoredResource) => MaybePromise<Reply>
