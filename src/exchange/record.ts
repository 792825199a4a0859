import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { RequestBody } from '../contract/body.ts'
import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'
import type { Call, LeftModel, ResolvedModel } from '../contract/call.ts'
import type {
  Attempt,
  Authenticated,
  Identified,
  Progress,
  Received,
  Routed,
  Understood,
} from '../contract/exchange.ts'
import type { MemoryLease } from '../contract/memory.ts'
import type { Caller, ClientConnection, ClientRequest, ErrorForm } from '../contract/request.ts'

const noAttempts: readonly Attempt[] = []

/**
 * The object behind all views of an exchange. Every field exists from the start, so that the object's
 * shape never changes; the views say which fields are set.
 */
class ExchangeRecord implements Received {
  readonly id: string
  readonly receivedAt = performance.now()
  readonly request: ClientRequest
  readonly client: ClientConnection
  readonly snapshot: Snapshot
  readonly isDryRun: boolean
  errors: ErrorForm
  readonly progress: Progress = {
    attempts: 0,
    attempt: undefined,
    former: noAttempts,
    bytesIn: 0,
    bytesOut: 0,
    firstOutputAt: undefined,
    routing: undefined,
    left: noneLeft,
    outcome: undefined,
    error: undefined,
    failed: noAttempts,
    headers: undefined,
    hookErrors: undefined,
    needsUsage: false,
    limited: undefined,
    streamed: false,
    concluded: false,
    job: undefined,
    pending: 1,
    onIdle: undefined,
    stream: undefined,
    disposables: none,
    uploadBudget: undefined,
    uploadLease: undefined,
    memoryBudget: undefined,
    memoryLease: undefined,
    decoded: undefined,
    slot: -1,
    trace: undefined,
    capture: undefined,
    presented: undefined,
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

  constructor(
    id: string,
    request: ClientRequest,
    client: ClientConnection,
    snapshot: Snapshot,
    errors: ErrorForm,
    isDryRun: boolean,
  ) {
    this.id = id
    this.request = request
    this.client = client
    this.snapshot = snapshot
    this.errors = errors
    this.isDryRun = isDryRun
  }
}

const none: readonly Disposable[] = []
const noneLeft: readonly LeftModel[] = []

/** Registers an object to be disposed of when all tasks of an exchange have ended. */
export function disposeAtEnd({ progress }: Received, disposable: Disposable): void {
  progress.disposables = [...progress.disposables, disposable]
}

/**
 * The memory that an exchange holds. It returns to the budget when all tasks have ended. The first call throws
 * `GatewayError` as `MemoryBudget.lease` does.
 */
export function leaseOf(exchange: Received): MemoryLease {
  const { progress } = exchange
  if (progress.memoryLease) return progress.memoryLease
  if (!progress.memoryBudget) return unlimited
  const { caller } = exchange as Partial<Authenticated>
  const lease = progress.memoryBudget.lease(caller?.keyId ?? '')
  progress.memoryLease = lease
  disposeAtEnd(exchange, lease)
  return lease
}

const unlimited: MemoryLease = {
  held: () => 0,
  hold: () => undefined,
  [Symbol.dispose]: () => {},
}

/** Marks one task of an exchange as begun. Throws once all of its tasks have ended: what they held has been returned. */
export function beginWork(progress: Progress): void {
  if (progress.pending === 0) throw tooLate()
  progress.pending++
}

/** The error of a hook that goes on when its call has ended. */
export function tooLate(): Error {
  return new Error('A hook called next() too late: its call has ended.')
}

/** Marks one task of an exchange as ended. */
export function finishWork(progress: Progress): void {
  if (--progress.pending === 0) progress.onIdle?.()
}

/** Creates an exchange. */
export function enterReceived(
  id: string,
  request: ClientRequest,
  client: ClientConnection,
  snapshot: Snapshot,
  errors: ErrorForm = 'spec',
  isDryRun = false,
): Received {
  return new ExchangeRecord(id, request, client, snapshot, errors, isDryRun)
}

/** Sets the dialect alone, which formats the error of a request without an operation. */
export function enterDialect(exchange: Received, dialect: DialectInfo): void {
  const record = exchange as ExchangeRecord
  record.dialect = dialect
}

/** Sets the operation and its dialect. */
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

/** Sets the caller. */
export function enterAuthenticated(
  exchange: Identified,
  caller: Caller,
  credential: string | undefined,
): Authenticated {
  const record = exchange as ExchangeRecord
  record.caller = caller
  record.errors = caller.errors ?? record.errors
  record.credential = credential
  return record
}

/** Sets the call before its model is resolved, so that the access log has it even if the model is unknown. */
export function enterCall(exchange: Authenticated, call: Call): void {
  const record = exchange as ExchangeRecord
  record.call = call
}

/** Sets the body, the call and its model. */
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

/** Replaces the model of a call. Nothing is known of its routing any more. */
export function enterModel(exchange: Understood, model: ResolvedModel): void {
  const record = exchange as ExchangeRecord
  record.model = model
  record.progress.routing = undefined
}

/** Begins a new attempt with a candidate. `number` counts from 1. */
export function enterRouted(exchange: Understood, candidate: Candidate, number: number): Routed {
  return resumeAttempt(exchange, {
    number,
    model: exchange.model,
    candidate,
    startedAt: undefined,
    firstByteAt: undefined,
    status: undefined,
    endedAt: undefined,
    isSent: false,
    isReused: false,
    peer: undefined,
    losses: [],
    counter: undefined,
    onOutput: undefined,
    isStream: false,
    onStream: undefined,
    outcome: undefined,
    spend: undefined,
  })
}

/** Makes an attempt the current one, again or with another candidate. */
export function resumeAttempt(exchange: Understood, attempt: Attempt): Routed {
  const record = exchange as ExchangeRecord
  record.candidate = attempt.candidate
  record.attempt = attempt
  return record
}
