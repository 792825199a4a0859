import type { Observation } from '../../../src/contract/observer.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import { NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { endedEarly } from '../../../src/kit/broken-stream.ts'
import { splitFrames, startsWith } from '../../../src/lib/sse.ts'
import { numberAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { errorUnless } from '../../../src/kit/upstream-error.ts'
import { StreamedChoices } from '../../../src/kit/observer-state.ts'
import { reportedUsage } from '../../../src/kit/usage.ts'
import { isGenerateBody } from './codec/decode-reply/read-reply.ts'
import { UsageReader } from './codec/usage.ts'
import { emptyChunk, plainFrames } from './plain-frames.ts'
import { googleErrorFormat as generateError } from '../shared/google-error.ts'
import { frameMember } from '../shared/frame-member.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { explainsEnd, hasAnswer, outcomeOf, withoutAnswer } from './outcome.ts'

/** An ordinary chunk contains this, near its beginning. */
const content = Buffer.from('"candidates"')

/** An ordinary chunk, which carries only content, contains none of these. */
const markers = ['finishReason', 'blockReason', 'webSearchQueries', '"error'].map((marker) =>
  Buffer.from(marker),
)

const eventName = Buffer.from('event:')

/** Reasons why candidates ended that are noted. */
const mostReasons = 128

const keepAlive = Buffer.from(`data: ${emptyChunk}\n\n`)

/** In bytes. A larger configuration is no longer parsed: parsing it again would stall the event loop. */
const largestConfig = 64 * 1024

/** Whether an object follows a colon, a bracket and blanks. A list without an object has no candidates. */
function opensObject(frame: Buffer, start: number): boolean {
  let at = start
  while (at < frame.length && beforeObject.has(frame[at]!)) at++
  return frame[at] === openingBrace
}

const beforeObject: ReadonlySet<number> = new Set(Buffer.from(': [\r\n\t'))
const openingBrace = 0x7b

/** Whether a request asks for several candidates, or has a configuration too large to look into. */
function mayInterleave({ json, members }: Routed['body']): boolean {
  return configs.some(([name, count]) => {
    const at = members.get(name)
    if (!at) return false
    return at.end - at.start > largestConfig || (numberAt(json[name], count) ?? 1) > 1
  })
}

const configs = [
  ['generationConfig', 'candidateCount'],
  ['generation_config', 'candidate_count'],
] as const

/**
 * Observes a native stream. No event marks its end: the stream is complete when it ends after every
 * candidate has a `finishReason`, or when the prompt is blocked.
 */
export class GenerateObserver extends NativeObserver {
  #id: string | undefined
  #model: string | undefined
  readonly #finishReasons: string[] = []
  #usage: UsageReader | undefined
  #blocked = false
  #hasAnswer = false
  #lastFrames: Buffer | undefined
  readonly #candidates = new StreamedChoices()
  /** Whether several candidates interleave, each of which has to finish. */
  readonly #isInterleaved: boolean

  constructor(exchange: Routed) {
    super(exchange)
    this.#isInterleaved = mayInterleave(exchange.body)
  }

  get usage(): Usage | undefined {
    this.#noteLastUsage()
    return reportedUsage(this.#usage?.usage)
  }

  override observe(frames: Buffer): Observation {
    this.#lastFrames = frames
    const observation = super.observe(frames)
    const passing = observation.bytes ?? (observation.phase === 'failed' ? undefined : frames)
    return passing ? { ...observation, bytes: plainFrames(passing) } : observation
  }

  protected override isPlainDelta(frames: Buffer, start: number, end: number): boolean {
    // Gemini names no events.
    if (startsWith(frames, start, eventName)) return false
    const frame = frames.subarray(start, end)
    const at = frame.indexOf(content)
    if (this.#isInterleaved || at < 0 || !opensObject(frame, at + content.length)) return false
    return !markers.some((marker) => frame.includes(marker))
  }

  protected override classify({ json }: ObservedEvent): Observation {
    this.#id ??= stringAt(json, 'responseId')
    this.#model ??= stringAt(json, 'modelVersion')
    this.#noteUsage(json)
    if (stringAt(json?.promptFeedback, 'blockReason') !== undefined) this.#blocked = true
    const candidates = objectsIn(json?.candidates)
    for (const candidate of candidates) {
      this.#noteFinish(candidate)
      this.#hasAnswer ||= hasAnswer(candidate)
    }
    return { phase: candidates.length > 0 || this.#blocked ? 'output' : 'start' }
  }

  protected override errorOf({ name, json, isError }: ObservedEvent): JsonObject | undefined {
    return errorUnless(isGenerateBody, json, isError ? 'error' : name)
  }

  protected override isKnown({ json }: ObservedEvent): boolean {
    return !json || isGenerateBody(json)
  }

  /** `blockReasonMessage` and `finishMessage` are the account's own words. */
  protected override reportsFailure({ json }: ObservedEvent): boolean {
    return explainsEnd(json)
  }

  override end(): Observation {
    if (!this.#blocked && !this.#candidates.areFinished(1)) return endedEarly()
    this.#noteLastUsage()
    const usage = reportedUsage(this.#usage?.usage)
    const outcome = outcomeOf(this.#id, this.#model, this.#finishReasons, usage)
    const isAnswered = this.#hasAnswer || this.hasPlainDelta || this.#blocked
    return { phase: 'terminal', outcome: isAnswered ? outcome : withoutAnswer(outcome) }
  }

  /** Resets the connection after the error, because the older SDK treats it as an empty chunk. */
  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    return this.failWith([{ data: generateError(error).body }], 'reset')
  }

  override keepAlive(): Buffer {
    return this.framing === sse ? keepAlive : super.keepAlive()
  }

  #noteFinish(candidate: Record<string, unknown>): void {
    this.#candidates.start(candidate.index ?? 0)
    const reason = stringAt(candidate, 'finishReason')
    if (reason === undefined) return
    this.#candidates.finish(candidate.index ?? 0)
    if (this.#finishReasons.length < mostReasons) this.#finishReasons.push(reason)
  }

  /** Reads the usage of the last chunk, which may be an ordinary one. */
  #noteLastUsage(): void {
    const last = this.#lastFrames && splitFrames(this.#lastFrames).at(-1)
    if (last) this.#noteUsage({ usageMetadata: frameMember(last, 'usageMetadata') })
  }

  /** Reads the cumulative counts of a chunk, which may lack some of them. */
  #noteUsage(json: unknown): void {
    if (!isObject(json)) return
    this.#usage ??= new UsageReader()
    this.#usage.read(json)
  }
}
