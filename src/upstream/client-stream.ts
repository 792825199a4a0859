import type { GatewayError } from '../contract/errors.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { Outcome } from '../contract/outcome.ts'
import {
  type AttemptFailure,
  abandonedAttempt,
  brokenAttempt,
  failureTail,
  streamBroken,
} from './failure.ts'
import { ReplyStream, type StreamWriter } from './reply-stream.ts'
import type { RunningAttempt } from './running-attempt.ts'
import { afterTerminalMs } from './environment.ts'

/**
 * How far the client is:
 *
 *     holding --output, 16 KiB, holdMs, keepAliveMs--> committed --terminal frame--> concluding --> concluded
 *        |                                                  |                   outcome settled
 *        failure: the next account                          failure: an error in the client's dialect
 *
 * - `holding`: start frames are held, and another account can still serve the call
 * - `committed`: the client has the head of the reply
 * - `concluding`: the terminal frame waits until the outcome is settled. `holding` leads here too.
 * - `concluded`: the client has the terminal frame. What the account does now does not matter.
 */
type State = 'holding' | 'committed' | 'concluding' | 'concluded'

/** The account's side of a client's stream. */
interface StreamSource {
  /** Reads the account's stream. */
  readonly observer: Observer
  /** The client can take no more until `onReady`. */
  onFull(): void
  onReady(): void
  /** Pauses both sides until something is recorded, then runs `next`. */
  settle(recording: Promise<void>, next: () => void): void
}

/**
 * The client's side of a stream. Frames before the first output are held, within limits of size and time, so that an
 * early failure can still move to another account. The terminal frame waits until the outcome is settled.
 */
export class ClientStream implements StreamWriter {
  readonly #attempt: RunningAttempt
  readonly #source: StreamSource
  readonly #stream = new ReplyStream(this)
  #state: State = 'holding'
  /** The headers of the account's reply for the client. */
  headers: Record<string, string> = {}
  /** Absent after the commitment. */
  #held: Buffer[] | undefined = []
  #heldBytes = 0
  #heldSince = 0
  /** Starts when the request arrives, so that keep-alives are due across failed attempts. */
  #lastWriteAt: number

  constructor(attempt: RunningAttempt, source: StreamSource) {
    this.#attempt = attempt
    this.#source = source
    this.#lastWriteAt = attempt.exchange.receivedAt
  }

  /** Whether the client has the head of the reply, so that no other account can serve the call. */
  get isCommitted(): boolean {
    return this.#held === undefined
  }

  /** Whether the terminal frame has been read. */
  get hasTerminal(): boolean {
    return this.#state === 'concluding' || this.#state === 'concluded'
  }

  /** Passes an observation on; `frames` are those that it is about. */
  apply(frames: Buffer | undefined, observation: Observation): void {
    const bytes = observation.bytes ?? frames
    switch (observation.phase) {
      case 'start':
        if (bytes) this.#hold(bytes)
        break
      case 'output':
        this.#announceOutput()
        this.#pass(bytes)
        break
      case 'terminal':
        this.#conclude(bytes, observation.outcome ?? { status: 'completed', fault: 'none' })
        break
      case 'failed': {
        // An error after the terminal frame does not change the outcome.
        if (this.hasTerminal) return
        if (this.isCommitted && observation.bytes) this.#write(observation.bytes)
        const { error = streamBroken('before its end'), outcome } = observation
        this.fail(brokenAttempt(error, outcome))
      }
    }
  }

  #announceOutput(): void {
    const { attempt } = this.#attempt
    const { onOutput } = attempt
    if (!onOutput) return
    attempt.onOutput = undefined
    onOutput()
  }

  /** Settles the attempt, then sends the terminal frame. */
  #conclude(bytes: Buffer | undefined, outcome: Outcome): void {
    const settled = this.hasTerminal ? undefined : this.#attempt.settle(outcome)
    this.#state = 'concluding'
    const passLast = () => {
      this.#pass(bytes)
      this.#state = 'concluded'
      this.#attempt.exchange.progress.concluded = this.#attempt.hasClient
    }
    if (settled) this.#source.settle(settled, passLast)
    else passLast()
  }

  /** Ends a stream whose terminal frame has been read, and the call of a client that left before it was sent. */
  finish(): void {
    this.#commit()
    this.#attempt.stop()
    this.#stream.finish()
  }

  onBroken(error: GatewayError): void {
    if (!this.hasTerminal) this.fail(brokenAttempt(error))
    // Until then the terminal frame is still to be sent.
    else if (this.#state === 'concluded') this.finish()
  }

  /** Fails the attempt before commitment; afterwards ends the stream with an error in its dialect. */
  fail(failure: AttemptFailure): void {
    if (!this.isCommitted) return this.#attempt.giveUp(failure)
    const { error } = failure
    this.#attempt.stop()
    this.#attempt.exchange.progress.error = error
    const tail = failureTail(this.#source.observer, error)
    const end = () => {
      this.#write(tail.bytes)
      if (tail.ending === 'end') this.#stream.finish()
      else this.#stream.reset(error, () => this.#attempt.exchange.client.reset())
    }
    const settled = this.#attempt.settle(failure.outcome)
    if (settled) void settled.then(end)
    else end()
  }

  /** Ends the attempt because its stream is not needed. */
  cancel(): void {
    if (!this.isCommitted) return this.#attempt.giveUp(abandonedAttempt())
    this.#attempt.stop()
    void this.#attempt.settle({ status: 'cancelled', fault: 'client' })
    this.#stream.destroy()
  }

  /** Commits if frames have been held for too long, sends a keep-alive when one is due, or ends the stream. */
  tick(now: number): void {
    if (!this.#attempt.hasClient) return
    const { holdMs, keepAliveMs } = this.#attempt.timeouts
    const silentMs = now - this.#lastWriteAt
    const { isWaiting } = this.#stream
    if (this.hasTerminal) {
      if (silentMs > afterTerminalMs && !isWaiting) this.finish()
    } else if (this.#heldBytes > 0 && now - this.#heldSince > holdMs) this.#commit()
    else if (silentMs > keepAliveMs) {
      this.#commit()
      if (!this.#stream.isWaiting) this.#write(this.#source.observer.keepAlive())
    }
  }

  /** Whether `body` is this stream, or another reader consumes it. */
  serves(body: unknown): boolean {
    return body === this.#stream || this.#stream.readableFlowing !== null
  }

  /** The client can take more. */
  onReady(): void {
    this.#source.onReady()
  }

  /** Cancels if a plugin dropped the stream. The client's departure is up to the attempt. */
  onAbandoned(): void {
    if (!this.#attempt.isOver && !this.#attempt.exchange.client.gone) this.cancel()
  }

  /** Holds frames that come before the first output. After the commitment they are written. */
  #hold(frames: Buffer): void {
    if (!this.#held) return this.#write(frames)
    if (frames.length === 0) return
    if (this.#heldBytes === 0) this.#heldSince = performance.now()
    this.#held.push(frames)
    this.#heldBytes += frames.length
    if (this.#heldBytes > this.#attempt.environment.limits.holdBytes) this.#commit()
  }

  /** Commits to the account: the client gets its stream, and failures are reported inside it. */
  #commit(): void {
    const held = this.#held
    if (!held) return
    this.#held = undefined
    this.#heldBytes = 0
    if (this.#state === 'holding') this.#state = 'committed'
    for (const frames of held) this.#write(frames)
    this.#attempt.exchange.progress.stream = this.#stream
    const headers = { ...this.headers, 'content-type': this.#source.observer.contentType }
    this.#attempt.commit({ status: 200, headers, body: this.#stream })
  }

  /** Commits, and writes frames of the output. */
  #pass(frames: Buffer | undefined): void {
    this.#commit()
    if (!frames || !this.#attempt.hasClient) return
    // A commitment is no output: a hold that ends and a keep-alive commit as well.
    this.#attempt.exchange.progress.firstOutputAt ??= performance.now()
    this.#write(frames)
  }

  /** Writes bytes, unless the client has left. */
  #write(bytes: Buffer): void {
    if (!this.#attempt.hasClient || bytes.length === 0) return
    const { progress } = this.#attempt.exchange
    this.#lastWriteAt = performance.now()
    progress.bytesOut += bytes.length
    progress.trace?.wrote?.(bytes)
    progress.capture?.wrote(bytes)
    if (!this.#stream.write(bytes)) this.#source.onFull()
  }
}
