import type { Observation, Observer } from '../contract/observer.ts'
import type { GatewayError } from '../contract/errors.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import { passedHeaders } from '../exchange/headers.ts'
import type { ReplyCollector } from './reply-collector.ts'
import { ObservedStream } from './observed-stream.ts'
import type { AttemptContext } from './settle.ts'
import type { AttemptEnvironment } from './environment.ts'
import { brokenAttempt, failureTail, refusedAttempt, streamBroken } from './failure.ts'
import { afterTerminalMs } from './timeouts.ts'
import { ClientStream, type StreamedAttempt } from './client-stream.ts'
import type { ReplyStream } from './reply-stream.ts'

/**
 * A streamed attempt. On a native account the upstream's frames pass unchanged while the observer reads them;
 * otherwise the observer encodes new frames. Frames before the first output are buffered, so that an early
 * failure can still move to another account. The terminal frame waits until the outcome is settled.
 */
export class StreamRelay extends ObservedStream implements StreamedAttempt {
  readonly #client: ClientStream
  #headers: Record<string, string> = {}

  constructor(context: AttemptContext, observer: Observer, environment: AttemptEnvironment) {
    super(context, observer, environment)
    const { exchange } = context
    const { holdBytes } = environment.limits
    this.#client = new ClientStream({ exchange, attempt: this, holdBytes })
  }

  protected override onAccepted(
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    super.onAccepted(status, headers)
    this.#headers = passedHeaders(headers, this.attempt.candidate.account)
  }

  protected override get isCommitted(): boolean {
    return this.#client.isCommitted
  }

  protected override apply(frames: Buffer | undefined, observation: Observation): void {
    const bytes = observation.bytes ?? frames
    switch (observation.phase) {
      case 'start':
        if (bytes) this.#client.hold(bytes)
        break
      case 'output':
        if (this.attempt.onOutput) this.#announceOutput(this.attempt.onOutput)
        this.#client.pass(bytes)
        break
      case 'terminal':
        this.#conclude(bytes, observation.outcome ?? { status: 'completed', fault: 'none' })
        break
      case 'failed':
        // An error after the terminal frame does not change the outcome.
        if (this.hasTerminal) return
        if (this.isCommitted && observation.bytes) this.#client.write(observation.bytes)
        this.#fail(observation.error ?? streamBroken('before its end'), observation.outcome)
    }
  }

  #announceOutput(onOutput: () => void): void {
    this.attempt.onOutput = undefined
    onOutput()
  }

  get hasClient(): boolean {
    return this.clientLeftAt === undefined
  }

  onCommitted(body: ReplyStream): void {
    const headers = { ...this.#headers, 'content-type': this.observer.contentType }
    this.resolve({ status: 200, headers, body })
  }

  /** Settles the attempt, then sends the terminal frame. */
  #conclude(bytes: Buffer | undefined, outcome: Outcome): void {
    const settled = this.hasTerminal ? undefined : this.settle(outcome)
    this.hasTerminal = true
    const passLast = () => {
      this.#client.pass(bytes)
      this.exchange.progress.concluded = this.hasClient
    }
    if (settled) this.waitFor(settled, passLast)
    else passLast()
  }

  protected override finish(): void {
    this.stop()
    this.#client.finish()
  }

  protected override onBroken(error: GatewayError): void {
    if (this.hasTerminal) this.finish()
    else this.#fail(error)
  }

  protected override onRefused(refusal: ReplyCollector): void {
    const failure = refusedAttempt(refusal.answer(), this.attempt.candidate)
    if (this.isCommitted) this.#fail(failure.error, failure.outcome)
    else this.giveUp(failure)
  }

  /** Fails the attempt before commitment; afterwards ends the stream with an error in its dialect. */
  #fail(error: GatewayError, known?: Outcome): void {
    if (!this.isCommitted) return this.giveUp(brokenAttempt(error, known))
    this.stop()
    this.exchange.progress.error = error
    const tail = failureTail(this.observer, error)
    const end = () => {
      this.#client.write(tail.bytes)
      if (tail.ending === 'end') this.#client.finish()
      else this.#client.reset(error)
    }
    const settled = this.settle(brokenAttempt(error, known).outcome)
    if (settled) void settled.then(end)
    else end()
  }

  override tick(now: number): void {
    if (this.isSettling && !this.isLongWait) return
    if (this.hasEndedSilently(now)) return this.guard(() => this.onComplete())
    super.tick(now)
    if (this.isOver || !this.hasClient) return
    const { lastWriteAt, isWaiting } = this.#client
    if (!this.hasTerminal) this.#client.tick(now, this.timeouts, () => this.observer.keepAlive())
    else if (now - lastWriteAt > afterTerminalMs && !isWaiting) this.finish()
  }

  override onClientGone(): void {
    if (this.hasTerminal) return this.finish()
    super.onClientGone()
    this.onReady()
  }

  protected override stop(): void {
    if (!this.attempt.outcome) {
      this.attempt.usage = this.observer.usage
      this.attempt.discloses = this.observer.discloses
    }
    super.stop()
  }

  override serves(body: Reply['body'] | undefined): boolean {
    return this.#client.serves(body)
  }

  /** Cancels if a plugin dropped the stream. The client's departure is up to `onClientGone`. */
  onAbandoned(): void {
    if (!this.isOver && !this.exchange.client.gone) this.cancel()
  }

  protected override cancel(): void {
    if (!this.isCommitted) return this.abandon()
    this.stop()
    void this.settle({ status: 'cancelled', fault: 'client' })
    this.#client.destroy()
  }
}
