import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import type { Account, Candidate } from './accounts/account.ts'
import type { Snapshot } from './accounts/snapshot.ts'
import type { Ranking } from './candidates.ts'
import type { RequestBody } from './body.ts'
import type { JsonObject } from './codec.ts'
import type { Dialect, Operation } from './dialect.ts'
import type { GatewayError } from './errors.ts'
import type { LossPolicy } from './generate/losses.ts'
import type { VideoStatus } from './media/video.ts'
import type { UploadRoom } from './named-files/room.ts'
import type { Pin } from './plugin.ts'

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

/** The request as it stands on the wire. */
export interface ClientRequest {
  readonly method: string
  /** Percent-encoded, without the query. */
  readonly path: string
  /** Without the question mark. May hold a key: never log it. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  readonly stream: Readable
}

/** Whether somebody is still listening. */
export interface ClientConnection {
  readonly gone: boolean
  /** Calls back once when the client leaves before its answer is complete. Returns the undo. */
  onGone(callback: () => void): () => void
  /** The same for an attempt, without a function for each. */
  watch(watcher: ClientWatcher): void
  unwatch(watcher: ClientWatcher): void
  /** Breaks the connection, for an answer that cannot end otherwise. */
  reset(): void
  /** For libraries that take a signal; made when first asked for. */
  readonly signal: AbortSignal
}

export interface ClientWatcher {
  onClientGone(): void
}

/** Times and counts that the summary is made of. Written by the kernel alone. */
export interface Progress {
  attempts: number
  bytesIn: number
  bytesOut: number
  /** `performance.now()` when the last upstream was asked, and when it answered its first byte. */
  upstreamStartedAt: number | undefined
  upstreamFirstByteAt: number | undefined
  upstreamEndedAt: number | undefined
  /** In the present attempt a connection stood, and the request began to be sent. */
  upstreamAsked: boolean
  /** That connection had served others before, and nothing has come back over it since. */
  upstreamReused: boolean
  /** When the first real output was ready for the client. */
  firstOutputAt: number | undefined
  account: Account | undefined
  /** Who was left out, and what decided. */
  ranking: Ranking | undefined
  outcome: Outcome | undefined
  error: GatewayError | undefined
  streamed: boolean
  /** The frames that make a stream complete have been written. */
  concluded: boolean
  /** What translation drops on the way to the account and back. */
  losses: readonly Loss[]
  /** What the call made, or is about, where that is a job. */
  job: ToldJob | undefined
  /** Work that is still going on: the answer being made, attempts, also for a client that left. */
  pending: number
  /** Set by whoever waits for all of it to end. */
  onIdle: (() => void) | undefined
  /** An account's stream from its commitment on, whoever reads it in the end. */
  stream: Readable | undefined
  /** What is given back when all work has ended, whatever happened: space on disk. */
  held: readonly Disposable[]
  /** Where uploads that are read into bodies take their memory from. */
  room: Pick<UploadRoom, 'leaseOf'> | undefined
}

/** A job as it was last known. */
export interface ToldJob {
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
  readonly madeOf?: string | undefined
}

/** The operation is known, and with it how errors look and where the credential is. */
export interface Identified extends Received {
  readonly dialect: Dialect
  readonly operation: Operation
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
  /** 1 for the first. */
  readonly attempt: number
}

/** Who asks. */
export interface Caller {
  /** The key's id, which survives the rotation of its secret. */
  readonly keyId: string
  /** Whether this caller may use a platform model or an alias. */
  mayUse(model: string): boolean
  /** The names and patterns that this goes by, where there are such. */
  readonly models?: readonly string[] | undefined
  /** Whether it may be told how its calls are routed. */
  readonly mayExplain?: boolean
  /** What becomes of what an account cannot be asked for. Absent: as the configuration says. */
  readonly losses?: LossPolicy | undefined
}

/** The only facts that routing needs. */
export interface Call {
  /**
   * As the client wrote it; `''` for a call that names no model, which any account of the dialect
   * can serve. Further spellings, tried in order, where a path allows several.
   */
  readonly model: string
  readonly alternatives?: readonly string[]
  readonly stream: boolean
  /** Resources of earlier exchanges that this one depends on. */
  readonly refersTo: readonly Reference[]
  /** Pieces of earlier replies that the input names instead of telling them. */
  readonly mentions?: readonly Mention[]
  /**
   * What should lead to the account that served its like before, most telling first, as
   * `kind:value`. Preferences only.
   */
  readonly affinity?: readonly string[]
  /** Changes that a native request gets, as byte ranges over the original body, JSON or form. */
  readonly edits: readonly ByteEdit[]
  /**
   * Where the model's name stands in the body: in JSON with its quotes, in a form the content of its
   * part. Absent when it is in the path.
   */
  readonly modelAt?: ByteRange | undefined
  /** What stands before the name there. */
  readonly modelPrefix?: string
  /** What this call drops on its way, told to the client. */
  readonly losses: readonly Loss[]
  /** The account that alone can serve it, where that is known from what the call is about. */
  readonly pin?: Pin
  /** What asks for an answer that can only go back as the account tells it, and why. */
  readonly verbatim?: Loss
  /** The upstream work goes on when the client leaves, because it has been paid for. */
  readonly finishWithoutClient?: boolean
}

export interface Reference {
  readonly kind: string
  readonly id: string
  /**
   * `chain`: the new work continues the old, which is possible for an hour and with the same model.
   * `own`: the resource itself is asked for, by whoever owns it.
   */
  readonly use: 'chain' | 'own'
}

/** A piece of an earlier reply, and where the request names it. */
export interface Mention {
  readonly id: string
  readonly field: string
}

export interface Loss {
  readonly field: string
  readonly reason: string
  /** What the client can do instead of leaving it out. */
  readonly way?: string | undefined
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface ByteEdit extends ByteRange {
  readonly text: string
}

export interface ResolvedModel {
  readonly requested: string
  /** The platform model, after aliases: what bindings and scopes use. */
  readonly name: string
}

/** How one attempt ended. Exactly one for each attempt. */
export interface Outcome {
  readonly status: 'completed' | 'incomplete' | 'failed' | 'cancelled'
  readonly fault: 'account' | 'caller' | 'client' | 'gateway' | 'none'
  readonly produced?: Produced | undefined
  /** A resource that is there no more. */
  readonly deleted?: { readonly kind: string; readonly id: string } | undefined
  /** Ids of produced items. */
  readonly items?: readonly string[]
  readonly usage?: Usage | undefined
  readonly httpStatus?: number
  /** Milliseconds that the account asked to be left alone. */
  readonly retryAfterMs?: number
  readonly error?: GatewayError
}

/** What the reply is called, and by whose model it was made. */
export interface Produced {
  readonly kind: string
  readonly id: string
  readonly model: string | undefined
  /**
   * What later calls may do with the id: ask for it, or continue from it as well. Absent: nothing
   * that the gateway has to remember.
   */
  readonly binds?: 'own' | 'chain'
  /** What the gateway keeps of it, where the account does not. */
  readonly kept?: JsonObject | undefined
}

/** Tokens. What an upstream did not tell is unknown, not 0. */
export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly reasoningTokens?: number
}

/** What a call gets: bytes as they are, or a stream of them. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string | Readable | null
}

/** What is left to tell after the last byte. */
export interface Summary {
  readonly status: number
  readonly end: 'complete' | 'client_gone' | 'broken'
  readonly durationMs: number
}
