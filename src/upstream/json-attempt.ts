import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import { freeBytes } from '../contract/memory.ts'
import { passedHeaders } from '../exchange/headers.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { ReplyCollector, errorBodyBytes } from './reply-collector.ts'
import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'
import type { AttemptEnvironment } from './environment.ts'
import { containsKey, redactBytes, redactKey } from '../kit/secrets/redact.ts'
import { faultOfSubject, subjectOfRefusal } from '../kit/refusal-subject.ts'
import { errorIn, hasFailed } from '../kit/upstream-error.ts'
import { isWhole, notAnAnswer, refusedAttempt } from './failure.ts'
import { type JsonExcess, JsonMeasure, memoryOfJson, smallJson } from '../lib/json/measure.ts'
import { TooMuchJson, isObject, parseWithin } from '../lib/json/object.ts'
import { nextTurn } from '../lib/turns.ts'
import { leaseOf } from '../exchange/record.ts'

/** In bytes. Redacting a longer reply would hold up the other clients. */
const mostRedacted = 16 * 1024 * 1024

/** Creates an attempt whose reply is one JSON document. It settles before the client receives any of it. */
export function jsonAttempt(
  context: AttemptContext,
  read: AttemptPlan['read'],
  environment: AttemptEnvironment,
): RunningAttempt {
  return new RunningAttempt(context, environment, (attempt) => new JsonReply(attempt, read))
}

class JsonReply implements ReplyReader {
  readonly #attempt: RunningAttempt
  readonly #read: AttemptPlan['read']
  #collector: ReplyCollector | undefined
  #headers: Record<string, string> = {}
  #status = 200
  #granted = freeBytes
  #abort: AbortController | undefined
  readonly #signal = () => (this.#abort ??= new AbortController()).signal

  constructor(attempt: RunningAttempt, read: AttemptPlan['read']) {
    this.#attempt = attempt
    this.#read = read
  }

  onAccepted(status: number, headers: ReplyHeaders): void {
    if (!isWhole(status) && !(status === 204 && this.#mayBeEmpty())) throw notAnAnswer(status)
    this.#status = status
    const { environment } = this.#attempt
    this.#headers = passedHeaders(headers, this.#candidate.account)
    this.#collector = new ReplyCollector(status, headers, environment.limits.replyBytes)
  }

  onBytes(chunk: Buffer): void {
    const collector = this.#collector
    collector?.collect(chunk)
    if (!collector?.isOverLimit) {
      if (collector && collector.size > this.#granted) {
        this.#granted = 2 * collector.size
        this.#attempt.upstream.hold(this.#granted)
      }
      return
    }
    throw tooLarge()
  }

  onComplete(): void {
    const bytes = this.#collector?.body()
    const received = bytes && bytes.length > 0 ? bytes : null
    if (!received) {
      if (!this.#mayBeEmpty()) throw notJson()
      this.#understand(undefined, null)
    } else if (received.length <= smallJson) {
      const text = received.toString()
      this.#understand(parseSmall(text), received, text)
    } else this.#await(this.#parse(received), (json) => this.#understand(json, received))
  }

  /** Parses a large reply; each look at all bytes has a turn of the event loop. Rejects with `GatewayError`. */
  async #parse(bytes: Buffer): Promise<unknown> {
    const { environment, exchange } = this.#attempt
    const { keyId } = exchange.caller
    // To join its chunks was work enough for this turn.
    await nextTurn(keyId)
    const { excess, values } = new JsonMeasure(bytes, environment.limits)
    if (excess) throw tooMuchJson(excess)
    await leaseOf(exchange).hold('reply', memoryOfJson(bytes, values))
    await nextTurn(keyId)
    const json = parsed(bytes.toString())
    await nextTurn(keyId)
    return json
  }

  /** `text` is the text of `received`, if it is at hand: searching it is faster than searching bytes. */
  #understand(json: unknown, received: Buffer | null, text?: string): void {
    if (received && !isObject(json)) throw notJson()
    this.#readReply(this.#withoutKey(json, received, text))
  }

  #readReply({ json, received }: KeylessReply): void {
    const answer = (read: ReadReply) =>
      this.#answer(withSubject(read, json, this.#candidate), { json, received })
    const read = this.#read(json, received ?? undefined, this.#signal)
    if (!isThenable(read)) return answer(read)
    this.#holdSmall(received)
    this.#await(read, answer)
  }

  /** Takes memory for the parsed value of a small reply that has to wait. Large ones have theirs. */
  #holdSmall(received: Buffer | null): void {
    if (!received || received.length <= freeBytes || received.length > smallJson) return
    const { values } = new JsonMeasure(received, this.#attempt.environment.limits)
    this.#attempt.upstream.hold(memoryOfJson(received, values))
  }

  /** The reply without the account's key, before it is read, stored or passed on. */
  #withoutKey(json: unknown, received: Buffer | null, text?: string): KeylessReply {
    const { account } = this.#candidate
    if (!received || !containsKey(text ?? received, account)) return { json, received }
    if (received.length > mostRedacted) throw tooLarge()
    const clean = redactKey(json, account)
    return { json: clean, received: Buffer.from(JSON.stringify(clean)) }
  }

  /** Waits for asynchronous work, during which the attempt may end. */
  #await<T>(work: Promise<T>, next: (value: T) => void): void {
    const attempt = this.#attempt
    void work.then(
      (value) => attempt.guard(() => next(value)),
      (error: unknown) => attempt.guard(() => attempt.onDefect(error)),
    )
  }

  #answer(read: ReadReply, reply: KeylessReply): void {
    const { outcome, body = reply.received, failedHere } = read
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
  #withoutPlaces(body: Buffer, { json, received }: KeylessReply): MaybePromise<Buffer> {
    if (body.length > mostRedacted) throw tooLarge()
    const { account } = this.#candidate
    const shown = () =>
      redactBytes(
        body,
        body === received && body.length > smallJson ? json : parsed(body.toString()),
        account,
      )
    if (body.length <= smallJson) return shown()
    return nextTurn(this.#attempt.exchange.caller.keyId).then(shown)
  }

  /** Only a DELETE may have an empty reply. */
  #mayBeEmpty(): boolean {
    return this.#attempt.exchange.operation.method === 'DELETE'
  }

  /** Treats an error inside a 2xx reply as a reply with the error's own status. */
  #refuse(status: number): void {
    const answer = this.#collector?.answer(errorBodyBytes)
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

/** A reply that does not contain the account's key. */
interface KeylessReply {
  readonly json: unknown
  readonly received: Buffer | null
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

function tooLarge(): GatewayError {
  return new GatewayError('upstream_reply_too_large', "The upstream's reply is too large.")
}

function notJson(): GatewayError {
  return new GatewayError('upstream_invalid_reply', "The upstream's reply is not a JSON object.")
}

function parseSmall(text: string): unknown {
  try {
    return parseWithin(text)
  } catch (error) {
    if (error instanceof TooMuchJson) throw tooMuchJson('jsonDepth')
    return undefined
  }
}

/** JSON within the limits; `undefined` for another text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function tooMuchJson(excess: JsonExcess): GatewayError {
  const message = `The upstream's reply ${excesses[excess]}.`
  return new GatewayError('upstream_reply_too_large', message)
}

const excesses: Readonly<Record<JsonExcess, string>> = {
  jsonDepth: 'is nested too deeply',
  jsonValues: 'has too many JSON values',
  longNumber: 'has too long a number',
  longNames: 'has too many long names',
  bareBytes: 'has too many bytes outside of strings',
  escapes: 'has too many escapes',
}
