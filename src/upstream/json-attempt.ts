import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import { passedHeaders } from '../exchange/headers.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { ReplyCollector } from './reply-collector.ts'
import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import { AttemptHandler } from './attempt-handler.ts'
import type { AttemptContext } from './settle.ts'
import type { AttemptEnvironment } from './environment.ts'
import { containsKey, redactBytes, redactKey } from '../kit/redact.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { faultOfSubject, subjectOfRefusal } from '../kit/refusal-subject.ts'
import { errorIn } from '../kit/upstream-error.ts'
import { brokenAttempt, isWhole, notAnAnswer, refusedAttempt } from './failure.ts'

/** An attempt whose reply is one JSON document. It settles before the client receives any of it. */
export class JsonAttempt extends AttemptHandler {
  readonly #read: AttemptPlan['read']
  #collector: ReplyCollector | undefined
  #headers: Record<string, string> = {}
  #status = 200

  constructor(context: AttemptContext, read: AttemptPlan['read'], environment: AttemptEnvironment) {
    super(context, environment)
    this.#read = read
  }

  protected override onAccepted(
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (!isWhole(status) && !(status === 204 && this.#mayBeEmpty())) throw notAnAnswer(status)
    this.#status = status
    this.#headers = passedHeaders(headers, this.attempt.candidate.account)
    this.#collector = new ReplyCollector(status, headers, this.environment.limits.replyBytes)
  }

  protected override onBytes(chunk: Buffer): void {
    this.#collector?.collect(chunk)
    if (!this.#collector?.isOverLimit) return
    throw new GatewayError('upstream_reply_too_large', "The upstream's reply is too large.")
  }

  protected override onComplete(): void {
    const bytes = this.#collector?.body()
    const received = bytes && bytes.length > 0 ? bytes : null
    if (!received && !this.#mayBeEmpty()) throw notJson()
    const { json, received: clean } = this.#withoutKey(received)
    const read = this.#read(json ?? undefined, clean ?? undefined)
    if (isThenable(read)) this.#awaitRead(read, clean)
    else this.#answer(withSubject(read, json, this.attempt.candidate), clean)
  }

  /** The reply without the account's key, before it is read, stored or passed on. Throws for other bytes than JSON. */
  #withoutKey(received: Buffer | null): { received: Buffer | null; json: unknown } {
    if (!received) return { received, json: undefined }
    const text = received.toString()
    const json = parseOrUndefined(text)
    if (json === undefined) throw notJson()
    const { account } = this.attempt.candidate
    if (!containsKey(text, account)) return { received, json }
    const clean = redactKey(json, account)
    return { received: Buffer.from(JSON.stringify(clean)), json: clean }
  }

  /** Waits for an asynchronous read, during which the attempt may end. */
  #awaitRead(reading: Promise<ReadReply>, received: Buffer | null): void {
    const unlessOver = (work: () => void) => {
      if (!this.isOver) this.guard(work)
    }
    void reading.then(
      (read) => unlessOver(() => this.#answer(read, received)),
      (error: unknown) => unlessOver(() => this.onDefect(error)),
    )
  }

  #answer(read: ReadReply, received: Buffer | null): void {
    const { outcome, body = received, failedHere, status = this.#status } = read
    if (outcome.status === 'failed' && outcome.error) {
      if (failedHere) return this.giveUp(brokenAttempt(outcome.error, outcome))
      return this.#refuse(outcome.error.status)
    }
    this.stop()
    this.exchange.progress.firstOutputAt = performance.now()
    const passed = read.headers ? { ...read.headers, ...this.#headers } : this.#headers
    const headers = body ? { 'content-type': 'application/json', ...passed } : passed
    const isFailure = outcome.status !== 'completed' || read.reportsFailure
    const reply = { status, headers, body: isFailure ? this.#withoutPlaces(body) : body }
    const settled = this.settle(outcome)
    if (settled) void settled.then(() => this.resolve(reply))
    else this.resolve(reply)
  }

  /**
   * The body of a result that is not completed, without the account's address: it can contain a message
   * of the account about the failure.
   */
  #withoutPlaces(body: Buffer | null): Buffer | null {
    if (!body) return body
    const json = parseOrUndefined(body.toString())
    return redactBytes(body, json, this.attempt.candidate.account)
  }

  /** Only a DELETE may have an empty reply. */
  #mayBeEmpty(): boolean {
    return this.exchange.operation.method === 'DELETE'
  }

  /** Treats an error inside a 2xx reply as a reply with the error's own status. */
  #refuse(status: number): void {
    const answer = this.#collector?.answer()
    if (answer) this.giveUp(refusedAttempt({ ...answer, status }, this.attempt.candidate))
  }

  protected override onBroken(error: GatewayError): void {
    this.giveUpBroken(error)
  }

  protected override cancel(): void {
    this.abandon()
  }
}

/**
 * Adds what a failed reply, which the client gets as it is, says about its account. `httpStatus` marks
 * a failure that is not the request's.
 */
function withSubject(
  read: ReadReply,
  json: unknown,
  { dialect }: Pick<Candidate, 'dialect'>,
): ReadReply {
  const { outcome } = read
  const { status, httpStatus, error } = outcome
  if (status !== 'failed' || error || httpStatus === undefined) return read
  const refusal = { status: httpStatus, error: errorIn(json) ?? {} }
  const about = subjectOfRefusal(refusal, dialect.upstream)
  return about ? { ...read, outcome: { ...outcome, about, fault: faultOfSubject(about) } } : read
}

function notJson(): GatewayError {
  return new GatewayError('upstream_invalid_reply', "The upstream's reply is not JSON.")
}
