import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { RequestBody } from '../contract/body.ts'
import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'
import type { Call, ResolvedModel } from '../contract/call.ts'
import type {
  Attempt,
  Authenticated,
  Identified,
  Progress,
  Received,
  Routed,
  Understood,
} from '../contract/exchange.ts'
import type { Caller, ClientConnection, ClientRequest } from '../contract/request.ts'

/**
 * The one object behind all views of an exchange. Every field is there from the beginning, so that
 * its shape never changes on the way; which of them are filled is what the views say.
 */
class ExchangeRecord implements Received {
  readonly id: string
  readonly receivedAt = performance.now()
  readonly request: ClientRequest
  readonly client: ClientConnection
  readonly snapshot: Snapshot
  readonly progress: Progress = {
    attempts: 0,
    attempt: undefined,
    bytesIn: 0,
    bytesOut: 0,
    firstOutputAt: undefined,
    routing: undefined,
    outcome: undefined,
    error: undefined,
    streamed: false,
    concluded: false,
    job: undefined,
    pending: 1,
    onIdle: undefined,
    stream: undefined,
    disposables: nothing,
    memory: undefined,
  }
  dialect!: DialectInfo
  operation!: OperationInfo
  params!: Readonly<Record<string, string>>
  caller!: Caller
  credential!: string | undefined
  body!: RequestBody
  call!: Call
  model!: ResolvedModel
  candidate!: Candidate
  attempt!: Attempt

  constructor(id: string, request: ClientRequest, client: ClientConnection, snapshot: Snapshot) {
    this.id = id
    this.request = request
    this.client = client
    this.snapshot = snapshot
  }
}

const nothing: readonly Disposable[] = []

/** Keeps something until all work of an exchange has ended. */
export function disposeAtEnd({ progress }: Received, disposable: Disposable): void {
  progress.disposables = [...progress.disposables, disposable]
}

/** One piece of an exchange's work has ended. */
export function finishWork(progress: Progress): void {
  if (--progress.pending === 0) progress.onIdle?.()
}

export function enterReceived(
  id: string,
  request: ClientRequest,
  client: ClientConnection,
  snapshot: Snapshot,
): Received {
  return new ExchangeRecord(id, request, client, snapshot)
}

/** Its errors are in the words of this dialect, though no operation of it was asked for. */
export function enterDialect(exchange: Received, dialect: DialectInfo): void {
  const record = exchange as ExchangeRecord
  record.dialect = dialect
}

export function enterIdentified(
  exchange: Received,
  dialect: DialectInfo,
  operation: OperationInfo,
  params: Readonly<Record<string, string>>,
): Identified {
  const record = exchange as ExchangeRecord
  record.dialect = dialect
  record.operation = operation
  record.params = params
  return record
}

export function enterAuthenticated(
  exchange: Identified,
  caller: Caller,
  credential: string | undefined,
): Authenticated {
  const record = exchange as ExchangeRecord
  record.caller = caller
  record.credential = credential
  return record
}

/** What is asked for is known, and told in the end, though there may be no such model. */
export function enterCall(exchange: Authenticated, call: Call): void {
  const record = exchange as ExchangeRecord
  record.call = call
}

export function enterUnderstood(
  exchange: Authenticated,
  body: RequestBody,
  call: Call,
  model: ResolvedModel,
): Understood {
  const record = exchange as ExchangeRecord
  record.body = body
  record.call = call
  record.model = model
  return record
}

/** A new attempt at a candidate; the exchange is at it from now on. */
export function enterRouted(exchange: Understood, candidate: Candidate, number: number): Routed {
  return resumeAttempt(exchange, {
    number,
    candidate,
    startedAt: undefined,
    firstByteAt: undefined,
    endedAt: undefined,
    isSent: false,
    isReused: false,
    losses: [],
    outcome: undefined,
  })
}

/** The exchange is at this attempt, again or with another candidate. */
export function resumeAttempt(exchange: Understood, attempt: Attempt): Routed {
  const record = exchange as ExchangeRecord
  record.candidate = attempt.candidate
  record.attempt = attempt
  return record
}
