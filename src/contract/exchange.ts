import type { Readable } from 'node:stream'

import type { VideoStatus } from '../media/video.ts'
import type { RequestBody } from './body.ts'
import type { Call, Exclusion, Loss, ResolvedModel } from './call.ts'
import type { Candidate, Snapshot } from './candidate.ts'
import type { DialectInfo, OperationInfo } from './dialect-info.ts'
import type { GatewayError } from './errors.ts'
import type { Outcome } from './outcome.ts'
import type { Caller, ClientConnection, ClientRequest } from './request.ts'
import type { StoredResource } from './stored.ts'

/**
 * One exchange lives through a request. The stages below are views of the same object: the view in
 * a hook's parameter says what exists by then, and nothing is optional "by then".
 */
export interface Received {
  /** Answered as `x-request-id`. */
  readonly id: string
  /** Milliseconds of `performance.now()`. */
  readonly receivedAt: number
  readonly request: ClientRequest
  readonly client: ClientConnection
  /** The accounts, models and aliases that this exchange started with, whatever changes later. */
  readonly snapshot: Snapshot
  readonly progress: Progress
}

/** Times and counts that the summary is made of. Written by the kernel alone. */
export interface Progress {
  /** Requests to accounts so far. */
  attempts: number
  /** The present attempt; where it sends nothing, the one before it again. */
  attempt: Attempt | undefined
  bytesIn: number
  bytesOut: number
  /** When the first real output was ready for the client. */
  firstOutputAt: number | undefined
  routing: Routing | undefined
  outcome: Outcome | undefined
  error: GatewayError | undefined
  streamed: boolean
  /** The frames that make a stream complete have been written. */
  concluded: boolean
  /** What the call made, or is about, where that is a job. */
  job: JobSummary | undefined
  /** Work that is still going on: the answer being made, attempts, also for a client that left. */
  pending: number
  /** Set by whoever waits for all of it to end. */
  onIdle: (() => void) | undefined
  /** An account's stream from its commitment on, whoever reads it in the end. */
  stream: Readable | undefined
  /** What is given back when all work has ended, whatever happened: space on disk. */
  disposables: readonly Disposable[]
  /** The memory of uploads that are read into bodies. */
  memory: UploadMemory | undefined
}

/** One account's try at serving an exchange: everything that an attempt changes. */
export interface Attempt {
  /** 1 for the first of its exchange. */
  readonly number: number
  /** The preparation may replace it by another dialect of the same account. */
  candidate: Candidate
  /** `performance.now()` when the request was handed to the HTTP client. Absent: no request was sent. */
  startedAt: number | undefined
  firstByteAt: number | undefined
  endedAt: number | undefined
  /** A connection stood, and the request began to be sent over it. */
  isSent: boolean
  /** That connection had served other requests, and nothing has come back over it since. */
  isReused: boolean
  /** Fields that translation drops on the way to the account and back. */
  losses: readonly Loss[]
  /** Set once, when the attempt is settled. */
  outcome: Outcome | undefined
}

/** The result of ranking the candidates of a call. */
export interface Routing {
  /** The rule that chose the account of the present attempt. */
  readonly decidedBy: string
  /** The accounts that are not asked, each with the reason. */
  readonly excluded: readonly Exclusion[]
  /** The stored resource that the call continues or is about, where the gateway keeps it. */
  readonly stored: StoredResource | undefined
}

/** The memory that uploads in JSON bodies may take in this process. */
export interface UploadMemory {
  /**
   * Reserves bytes for an exchange until all its work has ended. Throws `GatewayError` 503 where other
   * exchanges have taken all of it, 413 where the body alone exceeds the limit.
   */
  reserve(exchange: Received, bytes: number): void
}

/** A job as it was last known. */
export interface JobSummary {
  /** The gateway's own, without what its dialects put before it; absent until there is one. */
  readonly id?: string | undefined
  /** The id of the account that has it, which may be configured no more. */
  readonly account: string
  readonly model: ResolvedModel
  readonly status?: VideoStatus | undefined
  /** The code of the failure that it ended with. */
  readonly error?: string | undefined
  /** Its account could not be asked just now. */
  readonly stale: boolean
  /** The job that it was made of, as clients call it. */
  readonly remixedFrom?: string | undefined
}

/** The operation is known, and with it how errors look and where the credential is. */
export interface Identified extends Received {
  readonly dialect: DialectInfo
  readonly operation: OperationInfo
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** The caller is known. */
export interface Authenticated extends Identified {
  readonly caller: Caller
  /** What the caller showed, wherever its dialect has it. It goes no further, and into no log. */
  readonly credential: string | undefined
}

/** The body has been read and checked. */
export interface Understood extends Authenticated {
  readonly body: RequestBody
  readonly call: Call
  readonly model: ResolvedModel
}

/** An account has been chosen: that of the present attempt, if there are several. */
export interface Routed extends Understood {
  readonly candidate: Candidate
  readonly attempt: Attempt
}

/** What is known in the end: everything up to the stage that was reached. */
export type Ended = Received & Partial<Omit<Routed, keyof Received>>
