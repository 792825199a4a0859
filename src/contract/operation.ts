import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { AttemptPlan } from './attempt.ts'
import type { RequestBody } from './body.ts'
import type { Call } from './call.ts'
import type { Candidate } from './candidate.ts'
import type { OperationShape } from './dialect-info.ts'
import type { Authenticated, Identified, Routed, Understood } from './exchange.ts'
import type { Observer } from './observer.ts'
import type { Outcome, Reply } from './outcome.ts'
import type { TranslationServices } from './services.ts'
import type { CreatedResource, StoredResource } from './stored.ts'

export type Operation = ForwardOperation | ServeOperation | PerformOperation

/** Goes to an account. */
export interface ForwardOperation extends OperationShape {
  readonly capability: string
  /** Checks the request and reads the facts that routing needs. Throws `GatewayError`. */
  understand(exchange: Authenticated, body: RequestBody): MaybePromise<Call>
  readonly forward: Forward
}

export type Forward = NativeForward | PlannedForward

/** The client's own request goes to an account that speaks its dialect; others are translated. */
export interface NativeForward {
  /** Where on the account the request goes; the path in full, with the version. */
  target(exchange: Routed): Target
  /** A new one for each attempt of a streamed call. */
  observer(exchange: Routed): Observer
  /** The meaning of a complete JSON reply of a 2xx status. */
  outcome(json: unknown, exchange: Routed): Outcome
  /** Answers for an account that has nothing to ask for, since the gateway keeps it itself. */
  readonly serveStored?: ServeStored
  /** Makes a resource that no account is there to make. */
  createStored?(exchange: Understood): CreatedResource
}

/** The operation makes the request to each account itself. */
export interface PlannedForward {
  plan(
    exchange: Routed,
    services: TranslationServices,
    accountClient: AccountClient,
  ): Promise<AttemptPlan>
  /**
   * Every success is billed: another account is asked only where the last one is known to have made
   * nothing. `src/attempt/failover.ts` decides that.
   */
  readonly billed: Billed
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
  perform(exchange: Understood, send: Send, accountClient: AccountClient): Promise<Reply>
}

/** Sends look-ups to accounts that the operation has chosen; they never count for or against the account's circuit. */
export interface AccountClient {
  /** Resolves with a reply's whole JSON. Rejects with `GatewayError`. */
  fetchJson(candidate: Candidate, call: AccountCall): Promise<AccountReply>
  /**
   * Hands a file's bytes on as they come, and the client's range to the account, or to the host that
   * it named, which is shown nothing of the account's.
   */
  proxy(candidate: Candidate, place: AccountCall | URL): Promise<Reply>
  /**
   * Reads a whole file for the gateway itself, whatever the client asked for. Rejects with
   * `GatewayError` where it is larger than `limit`, in bytes, or cannot be had as it is.
   */
  download(candidate: Candidate, place: AccountCall | URL, limit: number): Promise<Buffer>
}

/** An account's JSON reply. */
export interface AccountReply {
  readonly json: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** Sends one request to the account that routing chose and resolves at commitment. */
export type Send = (target: Target & { readonly method?: string }) => Promise<Reply>

/** Returns the operation as it is: for types and completion, and so that misspelt members are errors. */
export function defineOperation(operation: ForwardOperation): ForwardOperation
export function defineOperation(operation: ServeOperation): ServeOperation
export function defineOperation(operation: PerformOperation): PerformOperation
export function defineOperation(operation: Operation): Operation {
  return operation
}

/**
 * What costs each time that it is done. A `job` goes on at the account after its answer, and has
 * taken some steps before it; a `reply` is all there is, and a refusal in its place means that
 * nothing was made.
 */
export type Billed = 'job' | 'reply'

/** The answer to a call about something that the gateway keeps. */
export type ServeStored = (exchange: Understood, kept: StoredResource) => MaybePromise<Reply>
