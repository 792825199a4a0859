import type { Dispatcher } from 'undici'

import type { GatewayError } from '../contract/errors.ts'
import type { Outbound } from '../contract/attempt.ts'
import { leaseOf } from '../exchange/record.ts'
import { type DecodingLimits, readCodings } from '../lib/content-decoder.ts'
import { networkError, refusedAttempt, timeout } from './failure.ts'
import { ReplyCollector, errorBodyBytes } from './reply-collector.ts'
import { ReplyDecoder, undecodable } from './reply-decoder.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { Connection, UpstreamHandler } from './tracked-client.ts'

/** The longest time to read an error body, in milliseconds. After it the status alone counts. */
const errorBodyMs = 5_000

/** Why an upstream is paused: until there is memory, what it sent is settled, or the client can take more. */
const pauses = { memory: 1, settling: 2, client: 4 } as const

/**
 * The base of every attempt, streamed or not: reads the upstream's reply, enforces deadlines and collects
 * error replies. undici calls the `onRequest...` and `onResponse...` methods.
 */
export abstract class AttemptHandler extends RunningAttempt implements UpstreamHandler {
  #decoder: ReplyDecoder | undefined
  /** Whether the body of an error reply has an unknown encoding, so that only its status counts. */
  #isUnreadable = false
  protected refusal: ReplyCollector | undefined
  protected lastByteAt: number | undefined
  /** Set once the upstream's reply has ended or failed. */
  #isConnectionDone = false
  #refusedAt = 0
  connection: Connection | undefined
  /** The causes for which the upstream is paused, as bits. */
  #pauses = 0
  /** Requests for memory that wait. */
  #memoryWaits = 0

  /** Sends the request, unless the client has left already. */
  begin(outbound: Outbound): void {
    this.attach()
    if (this.isOver) return
    this.environment.client.send(outbound, this, this.attempt.candidate.account.connection)
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
    this.exchange.progress.trace?.answered(this.attempt, status, headers)
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
    else this.guard(() => this.onInterrupted(error))
  }

  /** Handles the break of a reply behind the bytes so far. */
  protected onInterrupted(error: GatewayError): void {
    this.onBroken(error)
  }

  /**
   * Takes memory for bytes of the reply; pauses the upstream while there is none. Without memory in
   * time the attempt fails, and no other account is asked.
   */
  protected holdReply(bytes: number, use: 'reply' | 'stream' = 'reply'): void {
    const waiting = leaseOf(this.exchange).hold(use, bytes)
    if (!waiting) return
    this.#memoryWaits++
    this.pause('memory')
    waiting.then(
      () => {
        if (--this.#memoryWaits === 0) this.resume('memory')
      },
      (error: unknown) => {
        if (!this.isOver) this.guard(() => this.onDefect(error))
      },
    )
  }

  /** Pauses the upstream for a cause. */
  protected pause(cause: keyof typeof pauses): void {
    this.#pauses |= pauses[cause]
    this.controller?.pause()
  }

  /** Resumes the upstream unless another cause remains. */
  protected resume(cause: keyof typeof pauses): void {
    this.#pauses &= ~pauses[cause]
    if (this.#pauses === 0) this.controller?.resume()
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#markEnded()
    if (!this.isOver) this.guard(() => this.onInterrupted(networkError(error)))
  }

  override tick(now: number): void {
    if (this.isOver) return
    const { firstByteMs, totalMs, drainMs } = this.timeouts
    const isDraining = this.clientLeftAt !== undefined && !this.exchange.call.finishWithoutClient
    if (isDraining && now - (this.clientLeftAt ?? now) > drainMs) this.cancel()
    // The reply is complete, so no upstream deadline applies; its reader has its own.
    else if (this.#isConnectionDone) return
    else if (now - this.startedAt - this.ownMs(now) > totalMs)
      this.guard(() => this.onBroken(timeout('finish')))
    else if (this.lastByteAt === undefined) {
      if (now - this.startedAt > firstByteMs) this.guard(() => this.onBroken(timeout('reply')))
    } else if (this.refusal && now - this.#refusedAt > errorBodyMs) this.#refuse(this.refusal)
    else if (this.isIdle(now)) this.guard(() => this.onBroken(timeout('continue')))
  }

  /** A dialect interprets the refusal, and may throw. */
  #refuse(refusal: ReplyCollector): void {
    this.guard(() => this.onRefused(refusal))
  }

  #markSent(): void {
    const { attempt, connection } = this
    attempt.isSent = true
    attempt.isReused = connection?.isUsed === true
    attempt.peer = connection?.peer
    if (connection) connection.isUsed = true
  }

  /** The part of the time until `now` that the gateway takes for itself: the account is not late by it. */
  protected ownMs(_now: number): number {
    return 0
  }

  #markEnded(): void {
    this.#isConnectionDone = true
    this.attempt.endedAt = performance.now()
  }

  protected isIdle(now: number): boolean {
    return now - (this.lastByteAt ?? now) > this.timeouts.idleMs
  }

  /** Handles an error reply. Streams override it, since headers may already be sent. */
  protected onRefused(refusal: ReplyCollector): void {
    this.giveUp(refusedAttempt(refusal.answer(), this.attempt.candidate))
  }

  /** Ends the attempt, and aborts the upstream request unless its reply has ended. */
  protected override stop(): void {
    this.isOver = true
    if (!this.#isConnectionDone) this.controller?.abort(new Error('The attempt is over.'))
    this.#decoder?.destroy()
    super.stop()
  }
}
