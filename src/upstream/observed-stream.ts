import type { Observation, Observer } from '../contract/observer.ts'
import type { GatewayError } from '../contract/errors.ts'
import type { DecodingLimits } from '../lib/content-decoder.ts'
import { nextTurn } from '../lib/turns.ts'
import { AttemptHandler } from './attempt-handler.ts'
import type { AttemptContext } from './settle.ts'
import type { AttemptEnvironment } from './environment.ts'
import { leavesOpen, streamBroken } from './failure.ts'
import { FrameReader, freeBytes } from './frame-reader.ts'
import { replyFraming } from './reply-framing.ts'
import { afterTerminalMs } from './timeouts.ts'

/** Frames from this size on, in bytes, are read in a turn of the event loop of their own. */
const largeFrames = 1024 * 1024

/**
 * Reads the frames of a streamed reply and passes on what the observer makes of them, in their order. While
 * something has to be settled before the next frames, the upstream is paused.
 */
export abstract class ObservedStream extends AttemptHandler {
  protected readonly observer: Observer
  #reader: FrameReader | undefined
  protected hasTerminal = false
  protected isSettling = false
  /** Whether a plugin, or the work of later turns, settles what comes next: the client gets keep-alives meanwhile. */
  protected isLongWait = false
  /** The break of the reply behind what waits. */
  #interruption: { readonly error: unknown } | undefined
  #isFull = false
  /** Called when the client can take more. */
  #onReady: (() => void) | undefined
  #isComplete = false
  /** The bytes of a translated stream for which there is memory. */
  #granted = freeBytes

  constructor(context: AttemptContext, observer: Observer, environment: AttemptEnvironment) {
    super(context, environment)
    this.observer = observer
  }

  /** Whether the client has got the head of the reply, so that no other account can serve the call. */
  protected abstract readonly isCommitted: boolean
  /** Passes an observation on; `frames` are those that it is about. */
  protected abstract apply(frames: Buffer | undefined, observation: Observation): void
  /** Ends the stream behind its terminal frame. */
  protected abstract finish(): void

  protected override onAccepted(
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const framing = replyFraming(this.attempt.candidate.dialect, status, headers['content-type'])
    const { frameBytes } = this.environment.limits
    this.#reader = new FrameReader(framing, frameBytes, (bytes) => this.holdReply(bytes))
  }

  protected override onBytes(chunk: Buffer): void {
    const reader = this.#reader
    if (!reader) return
    // undici delivers nothing of a paused connection, also of one that ends. What follows the terminal frame does not
    // matter; anything else that came now would be out of order.
    if (this.isSettling && this.hasTerminal) return
    if (this.isSettling) throw streamBroken('while it was paused')
    const frames = reader.feed(chunk)
    if (frames && frames.length >= largeFrames) this.#inOwnTurn(() => this.#read(reader, frames))
    else this.#read(reader, frames)
  }

  #read(reader: FrameReader, frames: Buffer | undefined): void {
    const read = frames && this.observer.observe(frames)
    if (frames) reader.release()
    const { size = 0 } = this.observer
    if (size > this.#granted) this.#holdStream(size)
    if (reader.broken && !this.isCommitted && leavesOpen(read)) throw reader.broken
    if (read) this.#observe(frames, read)
    if (!reader.broken || this.hasTerminal || this.isOver) return
    if (!this.isLongWait) throw reader.broken
    this.#interruption = { error: reader.broken }
  }

  /** A native stream is not held, and the observer counts a translated one, so that its whole size does not matter. */
  protected override decodingLimits(): DecodingLimits {
    return { bytes: Infinity, expansionRatio: Infinity }
  }

  protected override onComplete(): void {
    this.#isComplete = true
    if (this.isSettling) return
    this.#behindTerminal(() => this.#readLast())
    if (this.isSettling || this.isOver) return
    if (!this.hasTerminal) this.#observe(undefined, this.observer.end())
    if (this.hasTerminal && !this.isSettling && !this.isOver) this.finish()
  }

  #readLast(): void {
    const frames = this.#reader?.end()
    if (!frames) return
    if (frames.length < largeFrames) this.#observeLast(frames)
    else this.#inOwnTurn(() => this.#behindTerminal(() => this.#observeLast(frames)))
  }

  #observeLast(frames: Buffer): void {
    this.#observe(frames, this.observer.observe(frames))
  }

  /** What follows the terminal frame does not matter. */
  #behindTerminal(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!this.hasTerminal) throw error
    }
  }

  /** Takes memory for a translated stream: each text may be in a decoder and in an encoder. */
  #holdStream(size: number): void {
    this.#granted = 2 * size
    this.holdReply(this.#granted, 'stream')
  }

  #observe(frames: Buffer | undefined, observation: Observation): void {
    const { announced: produced } = observation
    const { candidate } = this.attempt
    const known =
      produced &&
      this.environment.hooks.produced?.({ exchange: this.exchange, candidate, produced })
    if (known) this.waitFor(known, () => this.apply(frames, observation))
    else {
      this.apply(frames, observation)
      if (this.observer.isWaiting) this.#waitForMore()
    }
  }

  /** Waits until the observer lets more events pass, and the client can take them. */
  #waitForMore(): void {
    const later = this.isOver || this.isSettling ? undefined : this.observer.later?.()
    if (!later) return
    const taken = this.#isFull ? later.then((passed) => this.#whenReady(passed)) : later
    this.#waitLong(taken, (passed) => this.#observe(undefined, passed))
  }

  /** Large frames of many streams would otherwise make one long turn of the event loop together. */
  #inOwnTurn(work: () => void): void {
    this.#waitLong(nextTurn(this.exchange.caller.keyId), work)
  }

  #waitLong<T>(work: Promise<T>, next: (result: T) => void): void {
    this.isLongWait = true
    this.waitFor(work, next)
  }

  protected override onInterrupted(error: GatewayError): void {
    if (this.isSettling) this.#interruption = { error }
    else super.onInterrupted(error)
  }

  /** Pauses both sides until `work` resolves, then runs `next`. */
  protected waitFor<T>(work: Promise<T>, next: (result: T) => void): void {
    this.isSettling = true
    this.pause('settling')
    void work.then((result) => {
      this.isSettling = false
      this.isLongWait = false
      if (this.isOver) return
      this.guard(() => next(result))
      this.#goOn()
    })
  }

  /** Ends or resumes the upstream. */
  #goOn(): void {
    if (this.isOver || this.isSettling) return
    const interruption = this.#interruption
    if (interruption) this.onDefect(interruption.error)
    else if (this.#isComplete) this.guard(() => this.onComplete())
    else this.resume('settling')
  }

  onFull(): void {
    this.#isFull = true
    this.pause('client')
  }

  onReady(): void {
    this.#isFull = false
    this.resume('client')
    this.#onReady?.()
  }

  #whenReady<T>(result: T): T | Promise<T> {
    if (!this.#isFull) return result
    return new Promise((resolve) => (this.#onReady = () => resolve(result)))
  }

  /** Whether a complete stream stays open: some upstreams do not close it, some send no end event. */
  protected hasEndedSilently(now: number): boolean {
    const { completeness } = this.observer
    if (this.isOver || this.hasTerminal || this.isSettling) return false
    if (!completeness || this.controller?.paused || this.#reader?.isInFrame) return false
    if (this.lastByteAt === undefined) return false
    const patience = completeness === 'certain' ? afterTerminalMs : this.timeouts.idleMs
    return now - this.lastByteAt > patience
  }

  /** An upstream that is paused for a slow client does not count as idle. */
  protected override isIdle(now: number): boolean {
    if (this.controller?.paused) this.lastByteAt = now
    return !this.isSettling && super.isIdle(now)
  }

  protected override stop(): void {
    super.stop()
    if (this.#granted > freeBytes) this.holdReply(0, 'stream')
    this.#reader?.cancel()
    this.observer.cancel?.()
  }
}
