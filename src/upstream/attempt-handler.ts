import type { Dispatcher } from 'undici'

import { GatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { Outcome, Reply } from '../contract/outcome.ts'
import type { ClientWatcher } from '../contract/request.ts'
import type { Outbound } from '../contract/attempt.ts'
import { finishWork, leaseOf } from '../exchange/record.ts'
import { tooDeepReply } from '../kit/too-deep.ts'
import { type DecodingLimits, readCodings } from '../lib/content-decoder.ts'
import { type ReplyController, ReplyDecoder, undecodable } from './reply-decoder.ts'
import type { Watched } from '../lib/ticker.ts'
import { ReplyCollector, errorBodyBytes } from './reply-collector.ts'
import type { Connection, UpstreamHandler } from './tracked-client.ts'
import type { AttemptEnvironment } from './environment.ts'
import { type AttemptContext, settle } from './settle.ts'
import {
  type AttemptFailure,
  abandonedAttempt,
  brokenAttempt,
  networkError,
  refusedAttempt,
} from './failure.ts'

/** The longest time to read an error body, in milliseconds. After it the status alone counts. */
const errorBodyMs = 5_000

/**
 * The base of every attempt, streamed or not: enforces deadlines, collects error replies and stops
 * when the client disconnects. undici calls the `onRequest...` and `onResponse...` methods.
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
  protected controller: ReplyController | undefined
  #decoder: ReplyDecoder | undefined
  /** Whether the body of an error reply has an unknown encoding, so that only its status counts. */
  #isUnreadable = false
  protected refusal: ReplyCollector | undefined
  protected readonly startedAt = performance.now()
  protected lastByteAt: number | undefined
  /** Set once the attempt has ended. Later events of the connection are ignored. */
  protected isOver = false
  /** Set once the upstream's reply has ended or failed. */
  #isConnectionDone = false
  #refusedAt = 0
  connection: Connection | undefined
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
    this.reply = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    // A hook may stop waiting for it; an unhandled rejection would end the process.
    void this.reply.catch(() => {})
    context.attempt.startedAt = this.startedAt
  }

  /** Sends the request, unless the client has left already. */
  begin(outbound: Outbound): void {
    this.exchange.progress.pending++
    this.environment.ticker.add(this)
    this.#isWatching = true
    // Calls `onClientGone` at once if the client has already left.
    this.exchange.client.watch(this)
    if (this.isOver) return
    this.environment.client.send(outbound, this)
  }

  /** Handles the head of a 2xx reply. May throw a `GatewayError` to refuse the reply. */
  protected abstract onAccepted(
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void
  /** Handles a piece of the body of a 2xx reply. */
  protected abstract onBytes(chunk: Buffer): void
  /** Handles the end of a 2xx reply. */
  protected abstract onComplete(): void
  /** Handles a failure of the connection, a deadline, or the reply's bytes. */
  protected abstract onBroken(error: GatewayError): void
  /** Ends the attempt because its reply is no longer needed. */
  protected abstract cancel(): void

  /** Reads the upstream to its end if the configuration or the call requires it; cancels otherwise. */
  onClientGone(): void {
    const { call } = this.exchange
    if (call.finishWithoutClient || this.environment.clientGone === 'drain') {
      this.clientLeftAt = performance.now()
    } else this.cancel()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.isOver) controller.abort(new Error('The attempt is over.'))
    else this.#markSent()
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
    this.attempt.status = status
    if (status < 300) {
      this.guard(() => {
        this.#openEncoding(headers)
        this.onAccepted(status, headers)
      })
      return
    }
    this.refusal = new ReplyCollector(status, headers, errorBodyBytes)
    this.#refusedAt = this.lastByteAt
    try {
      this.#openEncoding(headers)
    } catch {
      this.#isUnreadable = true
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return
    this.lastByteAt = performance.now()
    if (this.#decoder) this.#decoder.write(chunk)
    else this.onDecodedBytes(chunk)
  }

  onResponseEnd(): void {
    this.#markEnded()
    if (this.isOver) return
    if (this.#decoder) this.#decoder.end()
    else this.onDecodedEnd()
  }

  /** Begins to decode a reply that is compressed unasked. Throws `GatewayError` if that is impossible. */
  #openEncoding({ 'content-encoding': encoding }: Record<string, string | string[] | undefined>) {
    if (encoding === undefined || !this.controller || this.passesEncoding) return
    const codings = readCodings(String(encoding))
    if ('refused' in codings) throw undecodable('has an unsupported content-encoding')
    if (codings.length === 0) return
    this.#decoder = new ReplyDecoder(codings, this.decodingLimits(), this.controller, this)
    this.controller = this.#decoder
  }

  /** Whether the client gets the body as the upstream encodes it. */
  protected get passesEncoding(): boolean {
    return false
  }

  /** The limits of a compressed reply. */
  protected decodingLimits(): DecodingLimits {
    const { replyBytes, expansionRatio } = this.environment.limits
    return { bytes: replyBytes, expansionRatio }
  }

  onDecodedBytes(chunk: Buffer): void {
    if (this.isOver) return
    if (!this.refusal) return this.guard(() => this.onBytes(chunk))
    if (!this.#isUnreadable) this.refusal.collect(chunk)
    if (this.refusal.isOverLimit) this.#refuse(this.refusal)
  }

  onDecodedEnd(): void {
    if (this.isOver) return
    if (this.refusal) this.#refuse(this.refusal)
    else this.guard(() => this.onComplete())
  }

  onUndecodable(error: GatewayError): void {
    if (this.isOver) return
    if (this.refusal) this.#refuse(this.refusal)
    else this.guard(() => this.onBroken(error))
  }

  /**
   * Takes memory for bytes of the reply; pauses the upstream while there is none. Without memory in
   * time the attempt fails, and no other account is asked.
   */
  protected holdReply(bytes: number): void {
    const waiting = leaseOf(this.exchange).hold('reply', bytes)
    if (!waiting) return
    this.controller?.pause()
    waiting.then(
      () => this.controller?.resume(),
      (error: unknown) => {
        if (!this.isOver) this.guard(() => this.onDefect(error))
      },
    )
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#markEnded()
    if (!this.isOver) this.guard(() => this.onBroken(networkError(error)))
  }

  tick(now: number): void {
    if (this.isOver) return
    const { firstByteMs, totalMs, drainMs } = this.environment.timeouts
    const isDraining = this.clientLeftAt !== undefined && !this.exchange.call.finishWithoutClient
    if (isDraining && now - (this.clientLeftAt ?? now) > drainMs) this.cancel()
    // The reply is complete, so no upstream deadline applies; its reader has its own.
    else if (this.#isConnectionDone) return
    else if (now - this.startedAt > totalMs) this.guard(() => this.onBroken(timeout('finish')))
    else if (this.lastByteAt === undefined) {
      if (now - this.startedAt > firstByteMs) this.guard(() => this.onBroken(timeout('reply')))
    } else if (this.refusal && now - this.#refusedAt > errorBodyMs) this.#refuse(this.refusal)
    else if (this.isIdle(now)) this.guard(() => this.onBroken(timeout('continue')))
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
  abandonFor(kept: AttemptHandler | undefined): void {
    if (this.isOver) return
    this.#isReplaced = kept !== undefined
    this.cancel()
  }

  /** Whether `body` is this attempt's stream, or another reader consumes that stream. */
  serves(_body: Reply['body'] | undefined): boolean {
    return false
  }

  /** A dialect interprets the refusal, and may throw. */
  #refuse(refusal: ReplyCollector): void {
    this.guard(() => this.onRefused(refusal))
  }

  #markSent(): void {
    const { attempt, connection } = this
    attempt.isSent = true
    attempt.isReused = connection?.isUsed === true
    if (connection) connection.isUsed = true
  }

  #markEnded(): void {
    this.#isConnectionDone = true
    this.attempt.endedAt = performance.now()
  }

  protected isIdle(now: number): boolean {
    return now - (this.lastByteAt ?? now) > this.environment.timeouts.idleMs
  }

  /** Handles an error reply. Streams override it, since headers may already be sent. */
  protected onRefused(refusal: ReplyCollector): void {
    this.giveUp(refusedAttempt(refusal.answer(), this.attempt.candidate))
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

  /** Ends the attempt, and aborts the upstream request unless its reply has ended. */
  protected stop(): void {
    this.isOver = true
    if (!this.#isConnectionDone) this.controller?.abort(new Error('The attempt is over.'))
    this.#decoder?.destroy()
    this.detach()
  }

  /** Unregisters from the ticker and the client. Later calls have no effect. */
  protected detach(): void {
    if (!this.#isWatching) return
    this.#isWatching = false
    this.environment.ticker.delete(this)
    this.exchange.client.unwatch(this)
    // The attempt stays reachable for a while; it must not keep its connection alive.
    this.controller = undefined
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
    this.onBroken(GatewayError.isInstance(error) ? error : (tooDeepReply(error) ?? defect(error)))
  }
}

function defect(cause: unknown): GatewayError {
  const message = "The gateway failed to process the upstream's reply."
  return new GatewayError('internal_error', message, { cause })
}

function timeout(phase: 'reply' | 'continue' | 'finish'): GatewayError {
  return new GatewayError('upstream_timeout', `The upstream did not ${phase} in time.`)
}
