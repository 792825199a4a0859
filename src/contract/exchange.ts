import type { Readable } from 'node:stream'

import type { GenerateRequest } from '../generate/request.ts'
import type { VideoStatus } from '../media/video.ts'
import type { RequestBody } from './body.ts'
import type { ExchangeCapture } from './capture.ts'
import type { Call, Exclusion, LeftModel, Loss, ResolvedModel } from './call.ts'
import type { Candidate, Snapshot } from './candidate.ts'
import type { DialectInfo, OperationInfo } from './dialect-info.ts'
import type { GatewayError } from './errors.ts'
import type { MemoryBudget, MemoryLease } from './memory.ts'
import type { Outcome, Produced, Usage } from './outcome.ts'
import type { Caller, ClientConnection, ClientRequest, ErrorForm, Peer } from './request.ts'
import type { Relocation, Renamed } from './relocation.ts'
import type { Spend } from './spend.ts'
import type { StoredData } from './stored-data.ts'
import type { StoredResource } from './stored.ts'
import type { ExchangeTrace } from './trace.ts'

/**
 * An exchange: one request and its reply. The types below are views of the same object, one for each
 * stage. A hook's parameter has the view of its stage, so that no member is optional for it.
 */
export interface Received {
  /** The value of `x-request-id`. */
  readonly id: string
  /** Milliseconds, `performance.now()`. */
  readonly receivedAt: number
  readonly request: ClientRequest
  readonly client: ClientConnection
  /** The accounts, models and aliases at the start of the exchange. A reload does not change them. */
  readonly snapshot: Snapshot
  readonly progress: Progress
  /**
   * Whether an operator only asks how the request would be served. Nothing is sent, and a hook that runs
   * then (`onRequest`, `onCandidates`,
   * `onEvents`) changes nothing.
   */
  readonly isDryRun: boolean
  /** The form of errors: the configuration's, and the caller's once the caller is known. */
  readonly errors: ErrorForm
}

/** The mutable state of an exchange. Only the kernel writes it, but for `needsUsage`. */
export interface Progress {
  /** The number of requests sent to accounts. */
  attempts: number
  /** The current attempt. If it ends without a request, the attempt before it. */
  attempt: Attempt | undefined
  /** The attempts before the current one that sent a request, the oldest first. */
  former: readonly Attempt[]
  bytesIn: number
  bytesOut: number
  /** `performance.now()` when the first output was ready for the client. Keep-alives and start frames do not count. */
  firstOutputAt: number | undefined
  routing: Routing | undefined
  /** The models that the call has left for another one, the oldest first. */
  left: readonly LeftModel[]
  outcome: Outcome | undefined
  error: GatewayError | undefined
  /** The attempts that have failed, also without having sent a request, the oldest first. */
  failed: readonly Attempt[]
  /** Headers of the client's reply by plugins. Absent: there are none. */
  headers: Readonly<Record<string, string>> | undefined
  /** Errors that pass through the hooks of plugins, and whether each has been reported. Absent: there was none. */
  hookErrors: Map<unknown, boolean> | undefined
  /**
   * Whether a limit counts the tokens or the cost of the call: a reply that its client leaves is then read to its end, as
   * with `clientGone: 'drain'`. A plugin sets it before the first attempt.
   */
  needsUsage: boolean
  /** What the call holds of limits. Absent: nothing. Only the plugin `limits` writes it. */
  limited: object | undefined
  /** Whether the reply is a stream. */
  streamed: boolean
  /** Whether the frames that complete the stream have been written. */
  concluded: boolean
  /** The job that the call created or refers to. */
  job: JobSummary | undefined
  /** The number of unfinished tasks: the reply, and what may outlast the client: attempts and the work inside of hooks. */
  pending: number
  /** Called when `pending` reaches 0. */
  onIdle: (() => void) | undefined
  /** The reply stream of an account, from its commitment on. */
  stream: Readable | undefined
  /** Disposed of when all tasks have ended: files of the spool. */
  disposables: readonly Disposable[]
  /** The budget for uploads that the gateway reads into JSON bodies. */
  uploadBudget: UploadMemory | undefined
  /** The part of that budget that the current attempt holds. Absent: the exchange has held none. */
  uploadLease: UploadLease | undefined
  /** The budget for large bodies and replies. Absent: they are not counted. */
  memoryBudget: MemoryBudget | undefined
  /** The part of the memory budget that this exchange holds. Absent: the exchange holds no part yet. */
  memoryLease: MemoryLease | undefined
  /** The request in the neutral model, which each translated attempt uses. Absent before the first one. */
  decoded: GenerateRequest | undefined
  /** Its index among the exchanges in flight, -1 for none. Only the gateway's monitor writes it. */
  slot: number
  /** Absent: the exchange is not traced. */
  trace: ExchangeTrace<Routed> | undefined
  /** Absent: no capture is on. */
  capture: ExchangeCapture | undefined
  /** The credentials of a request without a known caller. Absent: no log has asked for them. */
  presented: PresentedCredentials | undefined
}

/** The credentials that a request presents. */
interface PresentedCredentials {
  /** The dialect that one of them was read with. */
  readonly dialect: DialectInfo | undefined
  /** `undefined`: more than any client has. */
  readonly credentials: readonly string[] | undefined
}

/** The state of one attempt: one request to one account. */
export interface Attempt {
  /** 1 for the first of its exchange. */
  readonly number: number
  /** The model that the call had: a fallback changes the model of the exchange. */
  readonly model: ResolvedModel
  /** The preparation may replace it by another dialect of the same account. */
  candidate: Candidate
  /** `performance.now()` when the request was handed to the HTTP client. Absent: no request was sent. */
  startedAt: number | undefined
  firstByteAt: number | undefined
  /** The status of the account's reply. Absent: no reply has arrived. */
  status: number | undefined
  endedAt: number | undefined
  /** Whether the request, or a part of it, was written to a connection. */
  isSent: boolean
  /** Whether that connection has served earlier requests, and has returned no byte since. */
  isReused: boolean
  /** The other end of that connection: the account, or a proxy on the way. Absent: there is no connection. */
  peer: Peer | undefined
  /** Fields that translation drops on the way to the account and back. */
  losses: readonly Loss[]
  /**
   * The counts that the account has reported, for an outcome without usage: the reply was refused, or its client
   * left.
   */
  usage?: Usage | undefined
  /** An estimate of the tokens of the output so far, where the account does not report them. */
  outputTokens?: number | undefined
  /** The resource that the stream has announced, which its client can retrieve. */
  announced?: Produced | undefined
  /** Counts the output of a reply that is under way. */
  counter: OutputCounter | undefined
  /** The stored data that the reply has disclosed to the client before it was cut off. */
  discloses?: readonly StoredData[] | undefined
  /** Called with the first output of a stream, if it was set before the request is sent. */
  onOutput: (() => void) | undefined
  /** Whether the reply is known to be a stream, or is a document whose events are read: neither needs the request. */
  isStream: boolean
  /** Called when `isStream` becomes true. */
  onStream: (() => void) | undefined
  /** Set once, when the attempt is settled. */
  outcome: Outcome | undefined
  /** Set with the outcome, before the plugins get it. */
  spend: Spend | undefined
}

/** Counts the output of a reply so far. */
export interface OutputCounter {
  /** An estimate of its tokens; `undefined` where they cannot be estimated. */
  readonly outputTokens?: number | undefined
}

/** The result of ranking the candidates of a call. */
export interface Routing {
  /** The rule that chose the account of the present attempt. */
  readonly decidedBy: string
  /** The accounts that cannot serve the call, each with the reason. */
  readonly excluded: readonly Exclusion[]
  /** As `excluded`, of the accounts considered so far: a call that the first account serves may visit no other. */
  readonly excludedSoFar: readonly Exclusion[]
  /** Whether only one account can serve the call. */
  readonly pinned: boolean
  /** The resource that the call continues or refers to, if the gateway stores it. */
  readonly stored: StoredResource | undefined
  /** Set if the account of the call knows the resource by another id. */
  readonly renamed: Renamed | undefined
  /** Set if the resource moves to the account of the call, before the request is sent. */
  readonly relocation: Relocation | undefined
  /** Ends a relocation: no other account can serve the call any more. */
  relocated(renamed: Renamed): void
}

/** The budget of this process for uploads in JSON bodies. */
export interface UploadMemory {
  /**
   * Reserves bytes for an exchange until its next attempt, or until all its work has ended. Throws `GatewayError`
   * 503 if other exchanges have reserved too much, 413 if the exchange alone would exceed the limit. A promise
   * waits for the memory of the process, and rejects with 503.
   */
  reserve(exchange: Received, bytes: number): Promise<void> | undefined
}

/** The uploads that one attempt holds in memory. */
export interface UploadLease extends Disposable {
  readonly attempt: Attempt | undefined
  /** Allocates bytes. Throws as `UploadMemory.reserve` does. */
  allocate(bytes: number): void
}

/** The last known state of a job. */
export interface JobSummary {
  /** The gateway's id, without the prefix of a dialect. Absent until the job exists. */
  readonly id?: string | undefined
  /** The id of the account that runs it, which the configuration may no longer contain. */
  readonly account: string
  readonly model: ResolvedModel
  readonly status?: VideoStatus | undefined
  /** The error code of a failed job. */
  readonly error?: string | undefined
  /** The gateway could not refresh the state from the account. */
  readonly stale: boolean
  /** The job that it was remixed from, by the id that clients use. */
  readonly remixedFrom?: string | undefined
}

/** The operation and its dialect are known: the format of errors and the place of the API key. */
export interface Identified extends Received {
  readonly dialect: DialectInfo
  readonly operation: OperationInfo
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** The caller is known. */
export interface Authenticated extends Identified {
  readonly caller: Caller
  /** The client's API key. Never forwarded, never logged. */
  readonly credential: string | undefined
}

/** The body has been read and checked, and the call and its model are known. */
export interface Understood extends Authenticated {
  readonly body: RequestBody
  readonly call: Call
  /** Until the reply begins, a fallback may replace it. */
  readonly model: ResolvedModel
}

/** The account of the current attempt is known. */
export interface Routed extends Understood {
  readonly candidate: Candidate
  readonly attempt: Attempt
}

/** An exchange at its end, with the members of every stage that it reached. */
export type Ended = Received & Partial<Omit<Routed, keyof Received>>
