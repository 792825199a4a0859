import type { GatewayError } from '../contract/errors.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import { freeBytes } from '../contract/memory.ts'
import { leaseOf } from '../exchange/record.ts'
import { readCodings } from '../lib/content-decoder.ts'
import type { AttemptEnvironment } from './environment.ts'
import { type AttemptFailure, refusedAttempt } from './failure.ts'
import { ReplyCollector, errorBodyBytes } from './reply-collector.ts'
import {
  type DecodedReply,
  type ReplyController,
  ReplyDecoder,
  undecodable,
} from './reply-decoder.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'

/** The longest time to read an error body, in milliseconds. After it the status alone counts. */
const errorBodyMs = 5_000

/** Why an upstream is paused: until there is memory, what it sent is settled, or the client can take more. */
const pauses = { memory: 1, settling: 2, client: 4 } as const

/** The attempt whose reply it is, see `RunningAttempt`. */
interface ReplyOwner {
  readonly exchange: Routed
  readonly attempt: Attempt
  readonly environment: AttemptEnvironment
  readonly isOver: boolean
  guard(work: () => void): void
  onDefect(error: unknown): void
  giveUp(failure: AttemptFailure): void
}

/** The bytes of an account's reply on their way to its reader: decodes them, pauses them, and collects an error. */
export class UpstreamReply implements DecodedReply {
  readonly #attempt: ReplyOwner
  readonly #reader: ReplyReader
  #controller: ReplyController | undefined
  #decoder: ReplyDecoder | undefined
  /** An error reply, and when it began. */
  #refusal: ReplyCollector | undefined
  #refusedAt = 0
  /** The bytes of an error reply for which there is memory. */
  #granted = freeBytes
  /** The causes for which the upstream is paused, as bits. */
  #pauses = 0
  /** Requests for memory that wait. */
  #memoryWaits = 0

  constructor(attempt: ReplyOwner, reader: ReplyReader) {
    this.#attempt = attempt
    this.#reader = reader
  }

  /** The request is about to be sent. */
  begin(controller: ReplyController): void {
    this.#controller = controller
  }

  /** Reads the head of the reply. */
  open(status: number, headers: ReplyHeaders): void {
    if (status < 300) {
      this.#attempt.guard(() => {
        this.#openEncoding(headers)
        this.#reader.onAccepted(status, headers)
      })
      return
    }
    let limit = errorBodyBytes
    try {
      this.#openEncoding(headers)
    } catch {
      // The body has an unknown encoding, so that only the status counts.
      limit = 0
    }
    this.#refusal = new ReplyCollector(status, headers, limit)
    this.#refusedAt = performance.now()
  }

  write(chunk: Buffer): void {
    if (this.#decoder) this.#decoder.write(chunk)
    else this.onDecodedBytes(chunk)
  }

  end(): void {
    if (this.#decoder) this.#decoder.end()
    else this.onDecodedEnd()
  }

  onDecodedBytes(chunk: Buffer): void {
    if (this.#attempt.isOver) return
    const refusal = this.#refusal
    if (!refusal) return this.#attempt.guard(() => this.#reader.onBytes(chunk))
    refusal.collect(chunk)
    if (refusal.isOverLimit) return this.#refuse(refusal)
    if (refusal.size > this.#granted) this.hold((this.#granted = 2 * refusal.size))
  }

  onDecodedEnd(): void {
    if (this.#refusal) this.#refuse(this.#refusal)
    else this.#attempt.guard(() => this.#reader.onComplete())
  }

  onUndecodable(error: GatewayError): void {
    if (this.#refusal) this.#refuse(this.#refusal)
    else this.interrupt(error)
  }

  /** The reply breaks behind the bytes so far. */
  interrupt(error: GatewayError): void {
    const reader = this.#reader
    this.#attempt.guard(() => {
      if (reader.onInterrupted) reader.onInterrupted(error)
      else reader.onBroken(error)
    })
  }

  /** Ends an error reply that takes too long. Returns whether it has. */
  refuseLate(now: number): boolean {
    if (!this.#refusal || now - this.#refusedAt <= errorBodyMs) return false
    this.#refuse(this.#refusal)
    return true
  }

  /**
   * Takes memory for bytes of the reply; pauses the upstream while there is none. Without memory in
   * time the attempt fails, and no other account is asked.
   */
  hold(bytes: number, use: 'reply' | 'stream' | 'unsent' = 'reply'): void {
    const waiting = leaseOf(this.#attempt.exchange).hold(use, bytes)
    if (!waiting) return
    this.#memoryWaits++
    this.pause('memory')
    waiting.then(
      () => {
        if (--this.#memoryWaits === 0) this.resume('memory')
      },
      (error: unknown) => this.#attempt.guard(() => this.#attempt.onDefect(error)),
    )
  }

  /** Whether the account has to wait: for memory, for a plugin or for the client. */
  get isPaused(): boolean {
    return this.#controller?.paused === true
  }

  /** Pauses the upstream for a cause. */
  pause(cause: keyof typeof pauses): void {
    this.#pauses |= pauses[cause]
    this.#controller?.pause()
  }

  /** Resumes the upstream unless another cause remains. */
  resume(cause: keyof typeof pauses): void {
    this.#pauses &= ~pauses[cause]
    if (this.#pauses === 0) this.#controller?.resume()
  }

  /** Reads no more. Aborts the request unless its reply has ended. */
  stop(isEnded: boolean): void {
    if (!isEnded) this.#controller?.abort(new Error('The attempt is over.'))
    this.#decoder?.destroy()
    // The attempt stays reachable for a while; it must not keep its connection alive.
    this.#controller = undefined
  }

  /** Begins to decode a reply that is compressed unasked. Throws `GatewayError` if that is impossible. */
  #openEncoding({ 'content-encoding': encoding }: ReplyHeaders): void {
    if (encoding === undefined || !this.#controller || this.#reader.passesEncoding) return
    const codings = readCodings(String(encoding))
    if ('refused' in codings) throw undecodable('has an unsupported content-encoding')
    if (codings.length === 0) return
    const { replyBytes, expansionRatio } = this.#attempt.environment.limits
    const limits = this.#reader.decodingLimits ?? { bytes: replyBytes, expansionRatio }
    this.#decoder = new ReplyDecoder(codings, limits, this.#controller, this)
    this.#controller = this.#decoder
  }

  /** A dialect interprets the refusal, and may throw. */
  #refuse(refusal: ReplyCollector): void {
    const attempt = this.#attempt
    attempt.guard(() => {
      const { operation } = attempt.exchange
      const failure = refusedAttempt(refusal.answer(), attempt.attempt.candidate, operation)
      if (this.#reader.onRefused) this.#reader.onRefused(failure)
      else attempt.giveUp(failure)
    })
  }
}
