import type { AttemptPlan } from '../contract/attempt.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Framing } from '../contract/framing.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { Reply } from '../contract/outcome.ts'
import { passedHeaders } from '../exchange/headers.ts'
import { accountFraming, formOf, sse } from '../kit/framing/sse.ts'
import { essenceOf } from '../lib/media-type.ts'
import { isLongTurn, lateTurn, nextTurn, runInTurns } from '../lib/turns.ts'
import { ClientStream } from './client-stream.ts'
import { type AttemptEnvironment, afterTerminalMs } from './environment.ts'
import { type AttemptFailure, isWhole, leavesOpen, notAnAnswer, streamBroken } from './failure.ts'
import { freeBytes } from '../contract/memory.ts'
import { FrameReader } from './frame-reader.ts'
import type { ReplyHeaders, ReplyReader } from './reply-reader.ts'
import { RunningAttempt } from './running-attempt.ts'
import type { AttemptContext } from './settle.ts'
import { WholeReply, textTypeOf, withoutBom } from './reply-collector.ts'

const nothing: Buffer = Buffer.alloc(0)
const firstOfMark = 0xef

/**
 * What becomes of the next bytes of the account:
 *
 *     passing <---> settling    an id of the reply, or its outcome, is recorded
 *        ^--------> waiting     for a plugin, or for later turns of the event loop; the client gets keep-alives
 *
 * In `settling` and `waiting` the account is paused, so that frames keep their order.
 */
type Flow = 'passing' | 'settling' | 'waiting'

/** What ends the account's reply behind the frames that wait. */
type ReplyEnd = 'complete' | { readonly error: unknown }

/** What waits for a client that can take no more, in bytes: 64 KiB, and what one read of a connection adds. */
const unsentBytes = 128 * 1024

/** Frames from this size on, in bytes, are read in a turn of the event loop of their own. */
const largeFrames = 1024 * 1024

/** Creates a streamed attempt. On a native account the observer of the plan reads frames that pass unchanged. */
export function streamAttempt(
  context: AttemptContext,
  plan: Pick<AttemptPlan, 'observer' | 'otherForm'>,
  environment: AttemptEnvironment,
): RunningAttempt {
  return new RunningAttempt(context, environment, (attempt) => new AccountStream(attempt, plan))
}

/**
 * The account's side of a stream: joins bytes to frames, has the observer read them, and hands what it makes of them
 * to the client's side, in their order.
 */
class AccountStream implements ReplyReader {
  /** A native stream is not held, and the observer counts a translated one, so that its whole size does not matter. */
  readonly decodingLimits = { bytes: Infinity, expansionRatio: Infinity }
  readonly #attempt: RunningAttempt
  #observer: Observer
  readonly #otherForm: AttemptPlan['otherForm']
  readonly #client: ClientStream
  #reader: FrameReader | undefined
  /** Whether the content type of the reply says that it is a stream. */
  #isDeclared = false
  /** Whether the reply may be a text in place of a stream. */
  #mayBeText = false
  /** The first bytes, until they show the form of the reply. */
  #first: Buffer | undefined
  /** A JSON document in place of a stream. */
  #document: WholeReply | undefined
  #flow: Flow = 'passing'
  #end: ReplyEnd | undefined
  #isFull = false
  /** Called when the client can take more. */
  #onReady: (() => void) | undefined
  /** The bytes of a translated stream for which there is memory. */
  #granted = freeBytes

  constructor(attempt: RunningAttempt, plan: Pick<AttemptPlan, 'observer' | 'otherForm'>) {
    this.#attempt = attempt
    this.#observer = plan.observer()
    this.#otherForm = plan.otherForm
    this.#client = new ClientStream(attempt, this)
  }

  get observer(): Observer {
    return this.#observer
  }

  get outputTokens(): number | undefined {
    return this.#observer.outputTokens
  }

  onAccepted(status: number, headers: ReplyHeaders): void {
    if (!isWhole(status)) throw notAnAnswer(status)
    const { candidate } = this.#attempt.attempt
    const framing = accountFraming(candidate.dialect)
    const type = headers['content-type']
    const essence = typeof type === 'string' ? essenceOf(type) : ''
    const { streams } = candidate.account.adaptations?.[candidate.dialect.id] ?? {}
    this.#isDeclared = framing.mediaTypes.includes(essence)
    this.#mayBeText = this.#otherForm?.observeText !== undefined && textTypeOf(type) !== undefined
    if (streams?.mediaType === essence) this.#open(streams)
    else if (framing === sse) this.#first = nothing
    else if (this.#isDeclared) this.#open(framing)
    else throw noStream()
    this.#client.headers = passedHeaders(headers, candidate.account)
  }

  #open(framing: Pick<Framing, 'join'>): void {
    const { environment, upstream } = this.#attempt
    const { frameBytes } = environment.limits
    this.#reader = new FrameReader(framing, frameBytes, (bytes) => upstream.hold(bytes))
    this.#noteStream()
  }

  #noteStream(): void {
    const { attempt } = this.#attempt
    attempt.isStream = true
    attempt.onStream?.()
  }

  /**
   * The bytes of events, once the first ones show that the reply has events. Servers send no type, another one, or a
   * document. Throws `GatewayError` for other bytes.
   */
  #begun(received: Buffer): Buffer | undefined {
    const first = this.#first
    if (!first) return received
    const bytes = first.length > 0 ? Buffer.concat([first, received]) : received
    const form = formOf(bytes, this.#isDeclared)
    this.#first = form ? undefined : bytes
    if (form === 'events') return this.#begin(bytes)
    if (form === 'other' && !this.#mayBeText) throw noStream()
    if (form) this.#beginDocument(bytes)
    return undefined
  }

  /** Begins a stream. A byte order mark is no part of its first frame, and reaches a client where it is its first. */
  #begin(bytes: Buffer): Buffer {
    this.#open(sse)
    if (bytes[0] !== firstOfMark) return bytes
    const events = withoutBom(bytes)
    const mark = bytes.subarray(0, bytes.length - events.length)
    if (!this.#client.isCommitted) this.#client.apply(mark, this.#observer.observe(mark))
    return events
  }

  #beginDocument(bytes: Buffer): void {
    if (!this.#otherForm) throw noStream()
    this.#document = new WholeReply(this.#attempt)
    this.#document.collect(bytes)
  }

  onBytes(received: Buffer): void {
    if (this.#document) return this.#document.collect(received)
    const chunk = this.#begun(received)
    const reader = this.#reader
    if (!reader || !chunk) return
    if (this.#flow !== 'passing') {
      // undici delivers no bytes of a paused connection, also of one that ends. What follows the terminal frame does
      // not matter; any other bytes that came now would be out of order.
      if (this.#client.hasTerminal) return
      throw streamBroken('while it was paused')
    }
    const frames = reader.feed(chunk)
    if (frames && frames.length >= largeFrames)
      this.#inOwnTurns(frames, (prepared) => this.#read(reader, prepared))
    else if (frames && isLongTurn())
      this.#wait('waiting', lateTurn(this.#keyId), () => this.#read(reader, frames))
    else this.#read(reader, frames)
  }

  #read(reader: FrameReader, frames: Buffer | undefined): void {
    const read = frames && this.#observer.observe(frames)
    if (frames) reader.release()
    const { size = 0 } = this.#observer
    if (size > this.#granted) this.#holdStream(size)
    if (reader.broken && !this.#client.isCommitted && leavesOpen(read)) throw reader.broken
    if (read) this.#observe(frames, read)
    if (!reader.broken || this.#client.hasTerminal || this.#attempt.isOver) return
    if (this.#flow !== 'waiting') throw reader.broken
    this.#end = { error: reader.broken }
  }

  onComplete(): void {
    if (this.#first) this.#beginAtEnd(this.#first)
    this.#end ??= 'complete'
    if (this.#flow !== 'passing') return
    if (this.#document) return this.#readDocument(this.#document)
    this.#behindTerminal(() => this.#readLast())
    if (this.#isHeld) return
    if (!this.#client.hasTerminal) this.#observe(undefined, this.#observer.end())
    if (this.#client.hasTerminal && !this.#isHeld) this.#client.finish()
  }

  /** A stream may end before its first bytes show its form. */
  #beginAtEnd(first: Buffer): void {
    if (!this.#isDeclared) throw noStream()
    this.#first = undefined
    this.#open(sse)
    if (first.length > 0) this.onBytes(first)
  }

  /** Has another observer give the client the events of a document. */
  #readDocument(document: WholeReply): void {
    this.#document = undefined
    this.#wait('waiting', this.#observerOf(document), (events) => {
      this.#noteStream()
      const observation = events.end()
      // Without any event for the client, the error is written as in a stream of the account.
      if (observation.phase !== 'failed') this.#observer = events
      this.#observe(undefined, observation)
    })
  }

  async #observerOf(document: WholeReply): Promise<Observer> {
    const otherForm = this.#otherForm
    if (!otherForm) throw noStream()
    if (otherForm.observeText && formOf(document.bytes) === 'other')
      return otherForm.observeText(document.text())
    const { json, received } = await document.read()
    return otherForm.observe(json, received)
  }

  /** Whether nothing more may be read now. */
  get #isHeld(): boolean {
    return this.#flow !== 'passing' || this.#attempt.isOver
  }

  #readLast(): void {
    const frames = this.#reader?.end()
    if (!frames) return
    const observe = (last: Buffer) => this.#observe(last, this.#observer.observe(last))
    if (frames.length < largeFrames) observe(frames)
    else this.#inOwnTurns(frames, (last) => this.#behindTerminal(() => observe(last)))
  }

  /** What follows the terminal frame does not matter. */
  #behindTerminal(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!this.#client.hasTerminal) throw error
    }
  }

  /** Takes memory for a translated stream: each text may be in a decoder and in an encoder. */
  #holdStream(size: number): void {
    this.#granted = 2 * size
    this.#attempt.upstream.hold(this.#granted, 'stream')
  }

  /** Passes an observation on, once clients can ask for what it announces. `frames` are those that it is about. */
  #observe(frames: Buffer | undefined, observation: Observation): void {
    const { announced: produced } = observation
    const { exchange, environment, attempt } = this.#attempt
    const { candidate } = attempt
    if (produced) attempt.announced = produced
    const known = produced && environment.hooks.produced?.({ exchange, candidate, produced })
    const apply = () => this.#client.apply(frames, observation)
    if (known) return this.settle(known, apply)
    apply()
    if (this.#observer.isWaiting) this.#waitForMore()
  }

  /** Waits until the observer lets more events pass, and the client can take them. */
  #waitForMore(): void {
    const later = this.#isHeld ? undefined : this.#observer.later?.()
    if (!later) return
    const taken = this.#isFull ? later.then((passed) => this.#whenReady(passed)) : later
    this.#wait('waiting', taken, (passed) => this.#observe(undefined, passed))
  }

  /** Large frames of many streams would otherwise make one long turn of the event loop together. */
  #inOwnTurns(frames: Buffer, work: (prepared: Buffer) => void): void {
    this.#wait('waiting', this.#prepare(frames), (prepared) =>
      this.#behindTerminal(() => work(prepared)),
    )
  }

  async #prepare(frames: Buffer): Promise<Buffer> {
    await nextTurn(this.#keyId)
    const preparing = this.#attempt.isOver ? undefined : this.#observer.prepare?.(frames)
    return preparing ? runInTurns(preparing, { owner: this.#keyId }) : frames
  }

  get #keyId(): string {
    return this.#attempt.exchange.caller.keyId
  }

  /** Pauses both sides until something is recorded, then runs `next`. */
  settle(recording: Promise<void>, next: () => void): void {
    this.#wait('settling', recording, next)
  }

  #wait<T>(flow: Flow, work: Promise<T>, next: (result: T) => void): void {
    // A plugin may wait for a settlement in between: keep-alives are due all the same.
    if (this.#flow !== 'waiting') this.#flow = flow
    this.#attempt.upstream.pause('settling')
    const goOn = (step: () => void) => {
      this.#flow = 'passing'
      if (this.#attempt.isOver) return
      this.#attempt.guard(step)
      this.#goOn()
    }
    void work.then(
      (result) => goOn(() => next(result)),
      (error: unknown) =>
        goOn(() => {
          if (!this.#client.hasTerminal) throw error
        }),
    )
  }

  /** Ends or resumes the upstream. */
  #goOn(): void {
    if (this.#isHeld) return
    if (this.#end === 'complete') this.#attempt.guard(() => this.onComplete())
    else if (this.#end) this.#attempt.onDefect(this.#end.error)
    else this.#attempt.upstream.resume('settling')
  }

  /** The client can take no more until `onReady`. */
  onFull(): void {
    this.#isFull = true
    this.#attempt.upstream.pause('client')
    this.#attempt.upstream.hold(unsentBytes, 'unsent')
  }

  /** The client can take more. */
  onReady(): void {
    if (this.#isFull) this.#attempt.upstream.hold(0, 'unsent')
    this.#isFull = false
    this.#attempt.upstream.resume('client')
    this.#onReady?.()
  }

  #whenReady<T>(result: T): T | Promise<T> {
    if (!this.#isFull) return result
    return new Promise((resolve) => (this.#onReady = () => resolve(result)))
  }

  tick(now: number): void {
    if (this.#flow === 'settling') return
    if (this.#hasEndedSilently(now)) return this.#attempt.guard(() => this.onComplete())
    this.#attempt.checkDeadlines(now)
    if (!this.#attempt.isOver) this.#client.tick(now)
  }

  /** Whether a complete stream stays open: some upstreams do not close it, some send no end event. */
  #hasEndedSilently(now: number): boolean {
    const { completeness } = this.#observer
    if (!completeness || this.#client.hasTerminal || this.#flow !== 'passing') return false
    const { upstream, lastByteAt, timeouts } = this.#attempt
    if (!this.#reader || upstream.isPaused || this.#reader.isInFrame) return false
    return now - lastByteAt > (completeness === 'certain' ? afterTerminalMs : timeouts.idleMs)
  }

  onInterrupted(error: GatewayError): void {
    if (this.#flow === 'passing') this.onBroken(error)
    else this.#end = { error }
  }

  onBroken(error: GatewayError): void {
    this.#client.onBroken(error)
  }

  onRefused(failure: AttemptFailure): void {
    this.#client.fail(failure)
  }

  onClientGone(): void {
    if (this.#client.hasTerminal) return this.#client.finish()
    this.#attempt.leaveClient()
    this.onReady()
  }

  cancel(): void {
    this.#client.cancel()
  }

  serves(body: Reply['body'] | undefined): boolean {
    return this.#client.serves(body)
  }

  onStop(): void {
    const { attempt } = this.#attempt
    if (!attempt.outcome) {
      attempt.usage = this.#observer.usage
      attempt.discloses = this.#observer.discloses
    }
    if (this.#granted > freeBytes) this.#attempt.upstream.hold(0, 'stream')
    this.#reader?.cancel()
    this.#observer.cancel?.()
  }
}

function noStream(): GatewayError {
  return new GatewayError('upstream_invalid_reply', 'The upstream did not reply with a stream.')
}
