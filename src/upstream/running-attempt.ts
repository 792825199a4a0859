import { GatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Timeouts } from '../contract/limits.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import type { ClientWatcher } from '../contract/request.ts'
import { finishWork } from '../exchange/record.ts'
import { tooMuchReply } from '../kit/too-deep.ts'
import type { Watched } from '../lib/ticker.ts'
import type { AttemptEnvironment } from './environment.ts'
import { type AttemptFailure, abandonedAttempt, brokenAttempt, defect } from './failure.ts'
import type { ReplyController } from './reply-decoder.ts'
import { type AttemptContext, settle } from './settle.ts'
import { timeoutsOf } from './timeouts.ts'

/**
 * An attempt from its begin to its end: it has one reply or one failure, settles its outcome, and ends
 * when the client leaves or the process is about to.
 */
export abstract class RunningAttempt implements Watched, ClientWatcher {
  /** Resolves at commitment; rejects with an `AttemptFailure`. */
  readonly reply: Promise<Reply>
  protected resolve!: (reply: Reply) => void
  protected reject!: (failure: AttemptFailure) => void
  protected readonly exchange: Routed
  protected readonly attempt: Attempt
  protected readonly environment: AttemptEnvironment
  protected readonly timeouts: Timeouts
  readonly #context: AttemptContext
  protected controller: ReplyController | undefined
  protected readonly startedAt = performance.now()
  /** Set once the attempt has ended. Later events of the connection are ignored. */
  protected isOver = false
  /** Set once the attempt has failed without a reply. */
  failure: AttemptFailure | undefined
  /** Another request of the same attempt has the reply. */
  #isReplaced = false
  /** When the client left, while the upstream is still read to its end. */
  protected clientLeftAt: number | undefined
  #isWatching = false

  constructor(context: AttemptContext, environment: AttemptEnvironment) {
    this.#context = context
    this.exchange = context.exchange
    this.attempt = context.attempt
    this.environment = environment
    this.timeouts = timeoutsOf(environment, context.attempt.candidate.account)
    this.reply = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // A hook may stop waiting for it; an unhandled rejection would end the process.
    void this.reply.catch(() => {})
    context.attempt.startedAt = this.startedAt
  }

  /** Handles a failure of the connection, a deadline, or the reply's bytes. */
  protected abstract onBroken(error: GatewayError): void
  /** Ends the attempt because its reply is no longer needed. */
  protected abstract cancel(): void
  abstract tick(now: number): void

  /** Reads the upstream to its end if the configuration or the call requires it; cancels otherwise. */
  onClientGone(): void {
    const { call } = this.exchange
    if (call.finishWithoutClient || this.environment.clientGone === 'drain') {
      this.clientLeftAt = performance.now()
    } else this.cancel()
  }

  get owner(): object {
    return this.exchange
  }

  interrupt(reason?: Error): void {
    const error = GatewayError.isInstance(reason)
      ? reason
      : new GatewayError('draining', 'The gateway is shutting down.')
    if (!this.isOver) this.guard(() => this.onBroken(error))
  }

  /**
   * Cancels the attempt, because the hooks dropped its reply. If they keep that of another one, `kept`,
   * its outcome is the attempt's.
   */
  abandonFor(kept: RunningAttempt | undefined): void {
    if (this.isOver) return
    this.#isReplaced = kept !== undefined
    this.cancel()
  }

  /** Whether `body` is this attempt's stream, or another reader consumes that stream. */
  serves(_body: Reply['body'] | undefined): boolean {
    return false
  }

  /** Settles the attempt. Resolves when the reply's last bytes may be sent; see `settle`. */
  protected settle(outcome: Outcome): Promise<void> | undefined {
    return this.#isReplaced ? undefined : settle(this.#context, outcome)
  }

  /** Stops the attempt and rejects its reply. */
  protected giveUp(failure: AttemptFailure): void {
    this.stop()
    this.failure = failure
    this.reject(failure)
  }

  protected giveUpBroken(error: GatewayError): void {
    this.giveUp(brokenAttempt(error))
  }

  protected abandon(): void {
    this.giveUp(abandonedAttempt())
  }

  /** Ends the attempt. */
  protected stop(): void {
    this.isOver = true
    this.detach()
  }

  /** Registers with the ticker and the client. Calls `onClientGone` at once if the client has left. */
  protected attach(): void {
    this.exchange.progress.pending++
    this.#context.slot?.hold()
    this.environment.ticker.add(this)
    this.#isWatching = true
    this.exchange.client.watch(this)
  }

  /** Unregisters from the ticker and the client. Later calls have no effect. */
  protected detach(): void {
    if (!this.#isWatching) return
    this.#isWatching = false
    this.environment.ticker.delete(this)
    this.exchange.client.unwatch(this)
    // The attempt stays reachable for a while; it must not keep its connection alive.
    this.controller = undefined
    this.#context.slot?.release()
    finishWork(this.exchange.progress)
  }

  /** Runs `work`; an error that it throws ends this attempt, not the process. */
  protected guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.onDefect(error)
    }
  }

  protected onDefect(error: unknown): void {
    this.onBroken(GatewayError.isInstance(error) ? error : (tooMuchReply(error) ?? defect(error)))
  }
}
