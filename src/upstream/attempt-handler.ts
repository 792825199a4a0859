import type { Dispatcher } from 'undici'

import { GatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import type { ClientWatcher } from '../contract/request.ts'
import type { Outbound } from '../contract/attempt.ts'
import { finishWork } from '../exchange/record.ts'
import type { Watched } from '../lib/ticker.ts'
import { ReplyCollector } from './reply-collector.ts'
import type { Connection, UpstreamHandler } from './counting-client.ts'
import type { AttemptEnvironment } from './environment.ts'
import { type AttemptContext, settle } from './settle.ts'
import {
  type AttemptFailure,
  abandonedAttempt,
  brokenAttempt,
  networkError,
  refusedAttempt,
} from './failure.ts'

/** An error's body is read this far. */
const errorBodyBytes = 1024 * 1024
/** And so long, in milliseconds: its status says enough to go on. */
const errorBodyMs = 5_000

/**
 * What every attempt does, streamed or not: keeps its deadlines, collects an upstream's error, stops
 * when the client has left. undici calls the `onRequest...` and `onResponse...` methods.
 */
export abstract class AttemptHandler implements UpstreamHandler, Watched, ClientWatcher {
  /** Resolves at commitment; rejects with an `AttemptFailure`. */
  readonly reply: Promise<Reply>
  protected resolve!: (reply: Reply) => void
  protected reject!: (failure: AttemptFailure) => void
  protected readonly exchange: Routed
  protected readonly attempt: Attempt
  protected readonly environment: AttemptEnvironment
  readonly #context: AttemptContext
  protected controller: Dispatcher.DispatchController | undefined
  protected refusal: ReplyCollector | undefined
  protected readonly startedAt = performance.now()
  protected lastByteAt: number | undefined
  /** Nothing more is to come of this attempt. */
  protected isOver = false
  /** The upstream's connection has nothing more to give. */
  #ended = false
  #refusedAt = 0
  connection: Connection | undefined
  /** Set while the upstream is read on for a client that has left. */
  protected leftAt: number | undefined
  #watching = false

  constructor(context: AttemptContext, environment: AttemptEnvironment) {
    this.#context = context
    this.exchange = context.exchange
    this.attempt = context.attempt
    this.environment = environment
    this.reply = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // A hook may stop waiting for it; that is no failure of the process.
    void this.reply.catch(() => {})
    context.attempt.startedAt = this.startedAt
  }

  /** Sends the request, unless the client has left already. */
  begin(outbound: Outbound): void {
    this.exchange.progress.pending++
    this.environment.ticker.add(this)
    this.#watching = true
    // Calls back at once where the client has left by now.
    this.exchange.client.watch(this)
    if (this.isOver) return
    this.environment.client.send(outbound, this)
  }

  /** The upstream answered 2xx. May throw a `GatewayError` to refuse the answer. */
  protected abstract onAccepted(
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void
  protected abstract onBytes(chunk: Buffer): void
  protected abstract onComplete(): void
  /** The attempt broke: the connection, a deadline, or its bytes. */
  protected abstract onBroken(error: GatewayError): void
  /** Nobody waits for the rest. */
  protected abstract leave(): void

  /** The upstream is read on where the configuration or the call wants it, and for so long. */
  onClientGone(): void {
    const { call } = this.exchange
    if (call.finishWithoutClient || this.environment.clientGone === 'drain') {
      this.leftAt = performance.now()
    } else this.leave()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.isOver) controller.abort(new Error('The attempt is over.'))
    else this.#noteAsked()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.attempt.isReused = false
      return
    }
    this.lastByteAt = performance.now()
    this.attempt.firstByteAt = this.lastByteAt
    if (status < 300) return this.guard(() => this.onAccepted(status, headers))
    this.refusal = new ReplyCollector(status, headers, errorBodyBytes)
    this.#refusedAt = this.lastByteAt
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return
    this.lastByteAt = performance.now()
    if (!this.refusal) return this.guard(() => this.onBytes(chunk))
    this.refusal.collect(chunk)
    if (this.refusal.overflown) this.onRefused(this.refusal)
  }

  onResponseEnd(): void {
    this.#noteEnd()
    if (this.isOver) return
    if (this.refusal) this.onRefused(this.refusal)
    else this.guard(() => this.onComplete())
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#noteEnd()
    if (!this.isOver) this.guard(() => this.onBroken(networkError(error)))
  }

  tick(now: number): void {
    if (this.isOver) return
    const { firstByteMs, totalMs, drainMs } = this.environment.timeouts
    const isDraining = this.leftAt !== undefined && !this.exchange.call.finishWithoutClient
    if (isDraining && now - (this.leftAt ?? now) > drainMs) this.leave()
    // What came is whole. Whoever reads it has deadlines of their own.
    else if (this.#ended) return
    else if (now - this.startedAt > totalMs) this.guard(() => this.onBroken(timeout('finish')))
    else if (this.lastByteAt === undefined) {
      if (now - this.startedAt > firstByteMs) this.guard(() => this.onBroken(timeout('answer')))
    } else if (this.refusal && now - this.#refusedAt > errorBodyMs) this.onRefused(this.refusal)
    else if (this.isIdle(now)) this.guard(() => this.onBroken(timeout('continue')))
  }

  interrupt(): void {
    const error = new GatewayError('draining', 'The gateway is shutting down.')
    if (!this.isOver) this.guard(() => this.onBroken(error))
  }

  /** A hook has another reply, or none: this attempt ends, unless its stream is what was taken. */
  abandonUnless(body: Reply['body'] | undefined): void {
    if (!this.isOver && !this.ownsBody(body)) this.leave()
  }

  /** Whether somebody has this attempt's stream. */
  protected ownsBody(_body: Reply['body'] | undefined): boolean {
    return false
  }

  #noteAsked(): void {
    const { attempt, connection } = this
    attempt.isSent = true
    attempt.isReused = connection?.isUsed === true
    if (connection) connection.isUsed = true
  }

  #noteEnd(): void {
    this.#ended = true
    this.attempt.endedAt = performance.now()
  }

  protected isIdle(now: number): boolean {
    return now - (this.lastByteAt ?? now) > this.environment.timeouts.idleMs
  }

  /** The upstream answered with an error. Once headers have gone to the client, streams override. */
  protected onRefused(refusal: ReplyCollector): void {
    this.giveUp(refusedAttempt(refusal.answer(), this.attempt.candidate.account))
  }

  /** Settles the attempt. Resolves when the reply's last bytes may leave. */
  protected settle(outcome: Outcome): Promise<void> | undefined {
    return settle(this.#context, outcome)
  }

  protected giveUp(failure: AttemptFailure): void {
    this.stop()
    this.reject(failure)
  }

  protected giveUpBroken(error: GatewayError): void {
    this.giveUp(brokenAttempt(error))
  }

  protected abandon(): void {
    this.giveUp(abandonedAttempt())
  }

  /** Ends the watch, and the upstream's connection where it is still at work. */
  protected stop(): void {
    this.isOver = true
    if (!this.#ended) this.controller?.abort(new Error('The attempt is over.'))
    this.forget()
  }

  /** Once. */
  protected forget(): void {
    if (!this.#watching) return
    this.#watching = false
    this.environment.ticker.delete(this)
    this.exchange.client.unwatch(this)
    // The attempt may be looked at for a while yet; its connection must not be held by that.
    this.controller = undefined
    finishWork(this.exchange.progress)
  }

  /** A defect in a dialect ends this attempt, not the process. */
  protected guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.onDefect(error)
    }
  }

  protected onDefect(error: unknown): void {
    const known = GatewayError.isInstance(error)
    this.onBroken(
      known
        ? error
        : new GatewayError('internal_error', 'The gateway failed to read the upstream.', {
            cause: error,
          }),
    )
  }
}

function timeout(what: 'answer' | 'continue' | 'finish'): GatewayError {
  return new GatewayError('upstream_timeout', `The upstream did not ${what} in time.`)
}
