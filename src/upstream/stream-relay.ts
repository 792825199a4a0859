import type { Observation, Observer } from '../contract/observer.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import { passedHeaders } from '../exchange/headers.ts'
import { FrameJoiner, parseFrame } from '../lib/sse.ts'
import type { ReplyCollector } from './reply-collector.ts'
import { AttemptHandler } from './attempt-handler.ts'
import type { AttemptContext } from './settle.ts'
import type { Chunk } from '../lib/http-chunk.ts'
import type { AttemptEnvironment } from './environment.ts'
import { parseOrUndefined } from '../lib/json/read.ts'
import { brokenAttempt, refusedAttempt } from './failure.ts'
import { ReplyStream, type StreamWriter } from './reply-stream.ts'

/** How long an upstream may keep its connection open after all that it has to say, in milliseconds. */
const afterTerminalMs = 1_000

/**
 * A streamed attempt. Where the account speaks the client's dialect the upstream's frames pass as
 * they are while an observer looks on; otherwise the observer writes them anew. Announcements are held back until something the
 * client waits for is there, so that an early failure can still move to another account; the
 * terminal frame is held back until the outcome is settled.
 */
export class StreamRelay extends AttemptHandler implements StreamWriter {
  readonly #observer: Observer
  readonly #joiner = new FrameJoiner()
  readonly #stream = new ReplyStream(this)
  #headers: Record<string, string> = {}
  #held: Buffer[] = []
  #heldBytes = 0
  #heldSince = 0
  #committed = false
  #terminal = false
  #settling = false
  #completed = false
  /** Silence is counted from when the client asked, however many accounts have failed since. */
  #lastWriteAt: number

  constructor(context: AttemptContext, observer: Observer, environment: AttemptEnvironment) {
    super(context, environment)
    this.#observer = observer
    this.#lastWriteAt = context.exchange.receivedAt
  }

  protected override onAccepted(
    _status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (!String(headers['content-type'] ?? '').startsWith('text/event-stream')) {
      throw new GatewayError('upstream_invalid_reply', 'The upstream did not answer with a stream.')
    }
    this.#headers = passedHeaders(headers)
  }

  protected override onBytes(chunk: Buffer): void {
    const frames = this.#joiner.feed(chunk)
    if (frames) this.#observe(frames, this.#observer.observe(frames))
    else if (this.#joiner.pendingBytes > this.environment.limits.frameBytes) {
      throw new GatewayError('upstream_invalid_reply', 'A frame of the stream is too large.')
    }
  }

  protected override onComplete(): void {
    this.#completed = true
    if (this.#settling) return
    const rest = this.#joiner.flush()
    if (rest) this.#observeLast(rest)
    if (this.#settling || this.isOver) return
    if (!this.#terminal) this.#observe(undefined, this.#observer.end())
    if (this.#terminal && !this.#settling && !this.isOver) this.#finish()
  }

  #observeLast(rest: Buffer): void {
    const frames = completeFrame(rest)
    if (frames) this.#observe(frames, this.#observer.observe(frames))
    else if (!this.#terminal) throw broken('in the middle of a frame')
  }

  #observe(frames: Buffer | undefined, observation: Observation): void {
    const { announced: produced } = observation
    const { candidate } = this.attempt
    const known =
      produced &&
      this.environment.hooks.produced?.({ exchange: this.exchange, candidate, produced })
    if (known) this.#waitFor(known, () => this.#act(frames, observation))
    else this.#act(frames, observation)
  }

  /** Nothing moves on either side meanwhile. */
  #waitFor(work: Promise<void>, next: () => void): void {
    this.#settling = true
    this.controller?.pause()
    void work.then(() => {
      this.#settling = false
      if (this.isOver) return
      this.guard(next)
      if (this.isOver || this.#settling) return
      if (this.#completed) this.guard(() => this.onComplete())
      else this.controller?.resume()
    })
  }

  #act(frames: Buffer | undefined, observation: Observation): void {
    const bytes = observation.bytes ?? frames
    switch (observation.phase) {
      case 'start':
        if (bytes) this.#hold(bytes)
        break
      case 'output':
        if (observation.chunk) this.#passChunk(observation.chunk)
        else this.#pass(bytes)
        break
      case 'terminal':
        this.#conclude(bytes, observation.outcome ?? { status: 'completed', fault: 'none' })
        break
      case 'failed':
        // What follows a complete stream takes nothing back.
        if (this.#terminal) return
        if (this.#committed && observation.bytes) this.#write(observation.bytes)
        this.#fail(observation.error ?? broken('before its end'), observation.outcome)
    }
  }

  /** Announcements wait for the first real output, within limits of size and time. */
  #hold(bytes: Buffer): void {
    if (this.#committed) return this.#write(bytes)
    if (this.#heldBytes === 0) this.#heldSince = performance.now()
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes > this.environment.limits.holdBytes) this.#commit()
  }

  /** From here on this account's stream is the client's, and failures are told inside it. */
  #commit(): void {
    if (this.#committed) return
    this.#committed = true
    this.exchange.progress.firstOutputAt ??= performance.now()
    for (const bytes of this.#held) this.#write(bytes)
    this.#held = []
    const headers = { ...this.#headers, 'content-type': this.#observer.contentType }
    this.exchange.progress.stream = this.#stream
    this.resolve({ status: 200, headers, body: this.#stream })
  }

  /** The client has taken what was there. */
  onReady(): void {
    if (!this.#settling) this.controller?.resume()
  }

  #write(bytes: Buffer): void {
    if (this.leftAt !== undefined || bytes.length === 0) return
    this.#noteWritten(bytes.length)
    if (!this.#stream.write(bytes)) this.controller?.pause()
  }

  #passChunk(chunk: Chunk): void {
    this.#commit()
    if (this.leftAt !== undefined) return
    this.#noteWritten(chunk.length)
    if (!this.#stream.writeChunk(chunk)) this.controller?.pause()
  }

  #noteWritten(length: number): void {
    this.#lastWriteAt = performance.now()
    this.exchange.progress.bytesOut += length
  }

  /** Settles before the terminal frame goes out. */
  #conclude(bytes: Buffer | undefined, outcome: Outcome): void {
    const settled = this.#terminal ? undefined : this.settle(outcome)
    this.#terminal = true
    if (settled) this.#waitFor(settled, () => this.#passLast(bytes))
    else this.#passLast(bytes)
  }

  #passLast(bytes: Buffer | undefined): void {
    this.#pass(bytes)
    this.exchange.progress.concluded = this.leftAt === undefined
  }

  #pass(bytes: Buffer | undefined): void {
    this.#commit()
    if (bytes) this.#write(bytes)
  }

  #finish(): void {
    this.stop()
    this.#stream.finish()
  }

  protected override onBroken(error: GatewayError): void {
    if (this.#terminal) this.#finish()
    else this.#fail(error)
  }

  protected override onRefused(refusal: ReplyCollector): void {
    const failure = refusedAttempt(refusal.answer(), this.attempt.candidate.account)
    if (this.#committed) this.#fail(failure.error, failure.outcome)
    else this.giveUp(failure)
  }

  /** Before commitment another account may try; afterwards the client is told in its dialect. */
  #fail(error: GatewayError, known?: Outcome): void {
    if (!this.#committed) return this.giveUp(brokenAttempt(error, known))
    this.stop()
    this.exchange.progress.error = error
    const { outcome } = brokenAttempt(error, known)
    const tail = this.#lastWords(error)
    const end = () => {
      this.#write(tail.bytes)
      if (tail.ending === 'end') this.#stream.finish()
      else this.#stream.reset(error, () => this.exchange.client.reset())
    }
    const settled = this.settle(outcome)
    if (settled) void settled.then(end)
    else end()
  }

  #lastWords(error: GatewayError): ReturnType<Observer['fail']> {
    try {
      return this.#observer.fail(error)
    } catch {
      // A reset says as much as a dialect that has no words.
      return { bytes: Buffer.alloc(0), ending: 'reset' }
    }
  }

  override tick(now: number): void {
    if (this.#settling) return
    if (this.#hasEndedSilently(now)) return this.guard(() => this.onComplete())
    super.tick(now)
    if (this.isOver) return
    const { keepAliveMs, holdMs } = this.environment.timeouts
    if (this.leftAt !== undefined) return
    if (this.#terminal) {
      if (now - this.#lastWriteAt > afterTerminalMs && !this.#stream.isWaiting) this.#finish()
    } else if (this.#heldBytes > 0 && now - this.#heldSince > holdMs) this.#commit()
    else if (now - this.#lastWriteAt > keepAliveMs) this.#stayAlive()
  }

  /** Some upstreams leave a stream open after all of it, and some dialects have no word for its end. */
  #hasEndedSilently(now: number): boolean {
    if (this.isOver || this.#terminal || this.lastByteAt === undefined) return false
    const { completeness } = this.#observer
    if (!completeness || this.controller?.paused || this.#joiner.pendingBytes > 0) return false
    const patience = completeness === 'certain' ? afterTerminalMs : this.environment.timeouts.idleMs
    return now - this.lastByteAt > patience
  }

  /** A client that does not read needs no keep-alive, and an upstream paused for it is not idle. */
  protected override isIdle(now: number): boolean {
    if (this.controller?.paused) this.lastByteAt = now
    return !this.#settling && super.isIdle(now)
  }

  #stayAlive(): void {
    this.#commit()
    if (!this.#stream.isWaiting) this.#write(this.#observer.keepAlive())
  }

  override onClientGone(): void {
    if (this.#terminal) return this.#finish()
    super.onClientGone()
    this.controller?.resume()
  }

  protected override ownsBody(body: Reply['body'] | undefined): boolean {
    return body === this.#stream || this.#stream.readableFlowing !== null
  }

  /** A plugin had the stream and did not hand it on. A client that left has its own policy. */
  onAbandoned(): void {
    if (!this.isOver && !this.exchange.client.gone) this.leave()
  }

  protected override leave(): void {
    if (!this.#committed) return this.abandon()
    this.stop()
    void this.settle({ status: 'cancelled', fault: 'client' })
    this.#stream.destroy()
  }
}

/** A last frame whose blank line is missing, completed; `undefined` where it was cut short. */
function completeFrame(rest: Buffer): Buffer | undefined {
  const { data } = parseFrame(rest)
  const whole = data === undefined || data === '[DONE]' || parseOrUndefined(data) !== undefined
  return whole ? Buffer.concat([rest, Buffer.from('\n\n')]) : undefined
}

function broken(where: string): GatewayError {
  return new GatewayError('upstream_stream_broken', `The upstream's stream broke off ${where}.`)
}
