import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { GatewayError } from '../contract/errors.ts'
import { freeBytes } from '../contract/memory.ts'
import { passedHeaders } from '../exchange/headers.ts'
import { formOf } from '../kit/framing/sse.ts'
import { tokensOfOutput, tokensOfText } from '../kit/estimate.ts'
import { redactBytes, redactHeader } from '../kit/secrets/redact.ts'
import { faultOfSubject, subjectOfRefusal } from '../kit/refusal-subject.ts'
import { errorIn, hasFailed } from '../kit/upstream-error.ts'
import { JsonMeasure, memoryOfJson, smallJson } from '../lib/json/measure.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { nextTurn } from '../lib/turns.ts'
import type { AttemptEnvironment } from './environment.ts'
import { isWhole, notAnAnswer, refusedAttempt } from './failure.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'
import {
  WholeReply,
  mostRedacted,
  notJson,
  parsed,
  textTypeOf,
  tooLarge,
} from './reply-collector.ts'

const openBrace = 0x7b

/** What an attempt needs of its plan to read a reply. */
type ReadingPlan = Pick<AttemptPlan, 'read' | 'otherForm' | 'mayBeText'>

/** A reply without the account's key; without bytes if it is empty. */
interface ReadDocument {
  readonly json?: JsonObject | undefined
  readonly received: Buffer | null
}

/** Creates an attempt whose reply is one JSON document. It settles before the client receives any of it. */
export function jsonAttempt(
  context: AttemptContext,
  plan: ReadingPlan,
  environment: AttemptEnvironment,
): RunningAttempt {
  return new RunningAttempt(context, environment, (attempt) => new JsonReply(attempt, plan))
}

class JsonReply implements ReplyReader {
  readonly #attempt: RunningAttempt
  readonly #plan: ReadingPlan
  #whole: WholeReply | undefined
  #headers: Record<string, string> = {}
  #status = 200
  /** The type of a text in place of JSON. Absent: the reply may be no text. */
  #text: string | undefined
  #abort: AbortController | undefined
  #answered: ReadDocument | undefined
  readonly #signal = () => (this.#abort ??= new AbortController()).signal

  constructor(attempt: RunningAttempt, plan: ReadingPlan) {
    this.#attempt = attempt
    this.#plan = plan
  }

  get outputTokens(): number | undefined {
    const { json, received } = this.#answered ?? {}
    if (json) return tokensOfOutput(json)
    return received ? tokensOfText(received.length) : undefined
  }

  onAccepted(status: number, headers: ReplyHeaders): void {
    if (!isWhole(status) && !(status === 204 && this.#mayBeEmpty())) throw notAnAnswer(status)
    this.#status = status
    this.#headers = passedHeaders(headers, this.#candidate.account)
    if (this.#plan.mayBeText) this.#text = textTypeOf(headers['content-type'])
    this.#whole = new WholeReply(this.#attempt, status, headers)
  }

  onBytes(chunk: Buffer): void {
    this.#whole?.collect(chunk)
  }

  onComplete(): void {
    const whole = this.#whole
    if (!whole || whole.size === 0) {
      if (!this.#mayBeEmpty()) throw notJson()
      if (this.#text !== undefined) this.#headers['content-type'] = this.#text
      return this.#readReply({ received: null })
    }
    const mayCollect = this.#plan.otherForm?.collect !== undefined
    const isObject = whole.bytes[0] === openBrace
    if (!isObject && mayCollect && formOf(whole.bytes) === 'events') return this.#collect(whole)
    if (!isObject && this.#text !== undefined) {
      this.#headers['content-type'] = redactHeader(this.#text, this.#candidate.account)
      return this.#readReply({ received: whole.text() })
    }
    const reply = whole.read()
    if (isThenable(reply)) this.#await(reply, (read) => this.#readReply(this.#adapted(read)))
    else this.#readReply(this.#adapted(reply))
  }

  /** The reply in the form of its dialect, where the account's provider has another form. */
  #adapted(read: ReadDocument): ReadDocument {
    const { account, dialect } = this.#candidate
    const json = read.json && account.adaptations?.[dialect.id]?.reply?.(read.json)
    return json ? { json, received: Buffer.from(JSON.stringify(json)) } : read
  }

  /** Reads a stream that the account has sent in place of a document. */
  #collect(whole: WholeReply): void {
    const { bytes } = whole
    const collecting = this.#plan.otherForm?.collect?.(bytes, this.#signal)
    if (!collecting) throw notJson()
    this.#await(collecting, (read) => {
      const { body } = read
      // The key may be divided over several events.
      const keyless = body && { body: whole.keyless(body) }
      this.#answer({ ...read, ...keyless }, { json: undefined, received: bytes })
    })
  }

  #readReply({ json, received }: ReadDocument): void {
    const answer = (read: ReadReply) =>
      this.#answer(withSubject(read, json, this.#candidate), { json, received })
    const read = this.#plan.read(json, received ?? undefined, this.#signal)
    if (!isThenable(read)) return answer(read)
    this.#holdSmall(received)
    this.#await(read, answer)
  }

  /** Takes memory for the parsed value of a small reply that has to wait. Large ones have theirs. */
  #holdSmall(received: Buffer | null): void {
    if (!received || received.length <= freeBytes || received.length > smallJson) return
    const { values } = JsonMeasure.of(received, this.#attempt.environment.limits)
    this.#attempt.upstream.hold(memoryOfJson(received, values))
  }

  /** Waits for asynchronous work, during which the attempt may end. */
  #await<T>(work: Promise<T>, next: (value: T) => void): void {
    const attempt = this.#attempt
    void work.then(
      (value) => attempt.guard(() => next(value)),
      (error: unknown) => attempt.guard(() => attempt.onDefect(error)),
    )
  }

  #answer(read: ReadReply, reply: ReadDocument): void {
    const { outcome, body = reply.received, failedHere } = read
    this.#answered = reply
    if (outcome.status === 'failed' && outcome.error) {
      if (failedHere) return this.#attempt.giveUpBroken(outcome.error, outcome)
      return this.#refuse(outcome.httpStatus ?? outcome.error.status)
    }
    const isFailure = hasFailed(outcome) || read.reportsFailure
    const shown = isFailure && body ? this.#withoutPlaces(body, reply) : body
    if (isThenable(shown)) this.#await(shown, (clean) => this.#commit(read, clean))
    else this.#commit(read, shown)
  }

  #commit(read: ReadReply, body: Buffer | null): void {
    const { outcome, status = this.#status } = read
    this.#attempt.exchange.progress.firstOutputAt = performance.now()
    const passed = read.headers ? { ...read.headers, ...this.#headers } : this.#headers
    const headers = body ? { 'content-type': 'application/json', ...passed } : passed
    this.#attempt.complete({ status, headers, body }, outcome)
  }

  /**
   * The body of a result that reports a failure, without the account's address: it can contain a message
   * of the account about the failure.
   */
  #withoutPlaces(body: Buffer, { json, received }: ReadDocument): MaybePromise<Buffer> {
    if (body.length > mostRedacted) throw tooLarge()
    if (body.length <= smallJson)
      return redactBytes(body, parsed(body.toString()), this.#candidate.account)
    return this.#withoutPlacesInTurns(body, body === received ? json : undefined)
  }

  /** As `#withoutPlaces`, for a large body: each look at all of its bytes has a turn of the event loop of its own. */
  async #withoutPlacesInTurns(body: Buffer, json: unknown): Promise<Buffer> {
    const { keyId } = this.#attempt.exchange.caller
    await nextTurn(keyId)
    const value = json ?? parsed(body.toString())
    await nextTurn(keyId)
    const shown = redactBytes(body, value, this.#candidate.account)
    await nextTurn(keyId)
    return shown
  }

  /** Whether an empty body is a reply: a DELETE may return nothing, and audio without words has an empty text. */
  #mayBeEmpty(): boolean {
    return this.#text !== undefined || this.#attempt.exchange.operation.method === 'DELETE'
  }

  /** Treats an error inside a 2xx reply as a reply with the error's own status. */
  #refuse(status: number): void {
    const answer = this.#whole?.answer()
    if (answer) this.#attempt.giveUp(refusedAttempt({ ...answer, status }, this.#candidate))
  }

  onBroken(error: GatewayError): void {
    this.#attempt.giveUpBroken(error)
  }

  onStop(): void {
    this.#abort?.abort()
  }

  get #candidate(): Candidate {
    return this.#attempt.attempt.candidate
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
  const refusal = { status: httpStatus, error: errorIn(json) ?? {}, headers: {} }
  const about = subjectOfRefusal(refusal, dialect.upstream)
  return about ? { ...read, outcome: { ...outcome, about, fault: faultOfSubject(about) } } : read
}
