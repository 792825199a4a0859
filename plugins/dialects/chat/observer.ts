import type { Observation } from '../../../src/contract/observer.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import type { StoredData } from '../../../src/contract/stored-data.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { endedEarly } from '../../../src/kit/broken-stream.ts'
import { DisclosedData, StreamedChoices, UnaskedUsage } from '../../../src/kit/observer-state.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { tierWordAt } from '../../../src/kit/usage.ts'
import { objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { isEmpty } from '../../../src/kit/upstream-error.ts'
import { chatErrorIn, isChatBody, statusOfChoice } from './codec/decode-reply/failure.ts'
import { audioIn, explainsEnd, hasAnswer, outcomeOf, usageOf, withoutAnswer } from './outcome.ts'
import { startsWith } from '../../../src/lib/sse.ts'

/** Reasons why choices ended that are noted. */
const mostReasons = 128

const nothing: Buffer = Buffer.alloc(0)
/**
 * Observes a native stream of chunks. The stream is complete with `[DONE]`, or at its end where the
 * upstream omits `[DONE]`, if every choice has a `finish_reason`. `[DONE]` completes an answer without any reason too.
 */
export class ChatObserver extends NativeObserver {
  #id: string | undefined
  #model: string | undefined
  readonly #finishReasons: string[] = []
  #usage: Usage | undefined
  /** Not every chunk has it. */
  #tier: string | undefined
  /** The HTTP status with which the first choice failed that did. */
  #failedStatus: number | undefined
  readonly #streamed = new StreamedChoices()
  readonly #choices: number
  readonly #ordinary = new OrdinaryChunks()
  readonly #mayHaveAudio: boolean
  #hasAnswer = false
  readonly #unasked: UnaskedUsage
  readonly #disclosed = new DisclosedData()

  constructor(exchange: Routed) {
    super(exchange)
    const { json, members } = exchange.body
    this.#choices = typeof json.n === 'number' ? json.n : 1
    this.#unasked = new UnaskedUsage(exchange)
    this.#mayHaveAudio = members.has('audio') || members.has('modalities')
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  get discloses(): readonly StoredData[] | undefined {
    return this.#disclosed.all
  }

  protected override isPlainDelta(frames: Buffer, start: number, end: number): boolean {
    return this.#choices === 1 && !this.#mayHaveAudio && this.#ordinary.includes(frames, start, end)
  }

  protected override classify({ data, json }: ObservedEvent, frame: Buffer): Observation {
    if (data === '[DONE]') return this.#mayEnd ? this.#complete() : endedEarly()
    this.#id ??= stringAt(json, 'id')
    this.#model ??= stringAt(json, 'model')
    this.#tier = tierWordAt(json, 'service_tier') ?? this.#tier
    this.#usage = usageOf(json, this.#tier) ?? this.#usage
    const choices = objectsIn(json?.choices)
    if (this.#unasked.hides(json, choices))
      return { phase: this.hasOutput ? 'output' : 'start', bytes: nothing }
    for (const choice of choices) {
      this.#noteFinish(choice)
      this.#hasAnswer ||= hasAnswer(choice.delta)
      if (this.#mayHaveAudio) this.#noteAudio(choice.delta)
    }
    if (choices.length === 1) this.#ordinary.learn(frame)
    return choices.some(hasOutput) ? { phase: 'output' } : { phase: 'start' }
  }

  protected override errorOf({ name, json, isError }: ObservedEvent): JsonObject | undefined {
    return chatErrorIn(json, isError ? 'error' : name)
  }

  protected override isKnown({ json }: ObservedEvent): boolean {
    return !json || isChatBody(json)
  }

  /** Some providers explain a `finish_reason` such as `content_filter` beside it. */
  protected override reportsFailure({ json }: ObservedEvent): boolean {
    return explainsEnd(json)
  }

  override end(): Observation {
    return this.#streamed.areFinished(this.#choices) ? this.#complete() : endedEarly()
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    return this.failWith([{ data: errorEnvelope(error, this.exchange).body }])
  }

  /** Whether `[DONE]` completes the stream: some servers never send reasons. */
  get #mayEnd(): boolean {
    const streamed = this.#streamed
    return streamed.areFinished(1) || (this.hasOutput && !streamed.hasFinished)
  }

  #complete(): Observation {
    const reasons = this.#finishReasons
    const ended = outcomeOf(this.#id, this.#model, reasons, this.#usage, this.#failedStatus)
    const outcome = this.#hasAnswer || this.hasPlainDelta ? ended : withoutAnswer(ended)
    const { discloses } = this
    return {
      phase: 'terminal',
      outcome: discloses ? { ...outcome, discloses } : outcome,
    }
  }

  #noteAudio(delta: unknown): void {
    this.#disclosed.add(...audioIn(delta))
  }

  #noteFinish(choice: Record<string, unknown>): void {
    this.#streamed.start(choice.index)
    if (!isReason(choice.finish_reason)) return
    this.#streamed.finish(choice.index)
    this.#failedStatus ??= statusOfChoice(choice)
    if (this.#finishReasons.length < mostReasons) this.#finishReasons.push(choice.finish_reason)
  }
}

/** Whether a choice carries output. The first chunk of many upstreams carries only the role. */
function hasOutput({ delta, finish_reason: finishReason }: Record<string, unknown>): boolean {
  if (isReason(finishReason)) return true
  return Object.entries((delta as Record<string, unknown> | null) ?? {}).some(
    ([name, value]) => name !== 'role' && !isEmpty(value),
  )
}

/** Some servers write an empty reason into each chunk. */
function isReason(reason: unknown): reason is string {
  return typeof reason === 'string' && reason !== ''
}

/** The marks of an unfinished choice; some upstreams write a blank. */
const unfinished = ['"finish_reason":null', '"finish_reason": null']
/** Members with which OpenAI and Mistral pad their chunks, so that the size does not reveal the text. */
const paddings = ['obfuscation', 'p']
const paddingStart = new RegExp(`,\\s?"(?:${paddings.join('|')})":\\s?"`)
const quote = 0x22

/** Longer ends are not compared. In bytes, without the padding. */
const maxLength = 256

/**
 * Recognises ordinary chunks, which carry only text, by their last bytes. With one choice, a chunk that
 * ends like another unfinished chunk is unfinished too. The bytes before the choice need no comparison:
 * upstreams that send usage there in every chunk send it in the last chunk too, and a stream without
 * its last chunk is never a success.
 */
class OrdinaryChunks {
  #beforePadding = nothing
  /** Empty if chunks have no padding. */
  #afterPadding = nothing

  /** Learns the end of ordinary chunks from a parsed chunk. */
  learn(frame: Buffer): void {
    const from = Math.max(...unfinished.map((text) => frame.lastIndexOf(text)))
    if (from < 0) return
    const padding = paddingStart.exec(frame.toString('latin1', from))
    const opened = padding ? from + padding.index + padding[0].length : frame.length
    const before = frame.subarray(from, opened)
    const after = padding ? frame.subarray(frame.indexOf(quote, opened)) : nothing
    if (before.length + after.length > maxLength) return
    this.#beforePadding = before
    this.#afterPadding = after
  }

  /** Whether the frame from `start` to `end` is an ordinary chunk, by its last bytes. */
  includes(frames: Buffer, start: number, end: number): boolean {
    const before = this.#beforePadding
    const at = this.#paddingStart(frames, start, end) - before.length
    return before.length > 0 && at >= start && startsWith(frames, at, before)
  }

  /** Returns the offset of the padding, or the frame's end without padding, or -1 if the end differs. */
  #paddingStart(frames: Buffer, start: number, end: number): number {
    const after = this.#afterPadding
    if (after.length === 0) return end
    let at = end - after.length
    if (at < start || !startsWith(frames, at, after)) return -1
    while (at > start && frames[at - 1] !== quote) at--
    return at
  }
}
