import type { Observation } from '../../../src/contract/observer.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { NativeObserver, type ObservedEvent, endedEarly } from '../../../src/kit/observe.ts'
import { formatFrame, parseFrame, splitFrames } from '../../../src/lib/sse.ts'
import {
  numberAt,
  objectsIn,
  parseOrUndefined,
  objectAt,
  stringAt,
} from '../../../src/lib/json/read.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { UsageReader } from './codec/usage.ts'
import { emptyChunk, plainFrames } from './plain-frames.ts'
import { googleErrorFormat as generateError } from '../shared/google-error.ts'
import { outcomeOf } from './outcome.ts'

/** Chunks that hold none of these only carry a piece of the answer. */
const markers = ['finishReason', 'blockReason', '"error"'].map((marker) => Buffer.from(marker))

const keepAlive = Buffer.from(`data: ${emptyChunk}\n\n`)

/**
 * Chunks of generated content. Nothing marks the end of this stream, so it is complete when it ends
 * after every candidate has its `finishReason`, or the prompt was blocked.
 */
export class GenerateObserver extends NativeObserver {
  #id: string | undefined
  #model: string | undefined
  #finishReason: string | undefined
  #usage: UsageReader | undefined
  #blocked = false
  #lastFrames: Buffer | undefined
  readonly #seen = new Set<unknown>()
  readonly #finished = new Set<unknown>()
  /** Several candidates interleave, and each has to end. */
  readonly #isInterleaved: boolean

  constructor(exchange: Routed) {
    super(exchange)
    const { generationConfig, generation_config: snakeConfig } = exchange.body.json
    const candidates =
      numberAt(generationConfig, 'candidateCount') ?? numberAt(snakeConfig, 'candidate_count') ?? 1
    this.#isInterleaved = candidates > 1
  }

  override observe(frames: Buffer): Observation {
    this.#lastFrames = frames
    const observation = super.observe(frames)
    const passed = observation.phase === 'failed' ? observation.bytes : frames
    return passed ? { ...observation, bytes: this.encode(passed) } : observation
  }

  /** The frames as this client reads them. */
  protected encode(frames: Buffer): Buffer {
    return plainFrames(frames)
  }

  protected override isOrdinary(frames: Buffer, start: number, end: number): boolean {
    const frame = frames.subarray(start, end)
    return !this.#isInterleaved && !markers.some((marker) => frame.includes(marker))
  }

  protected override classify({ json }: ObservedEvent): Observation {
    const error = objectAt(json, 'error')
    if (error) return this.#told(error)
    this.#id ??= stringAt(json, 'responseId')
    this.#model ??= stringAt(json, 'modelVersion')
    this.#noteUsage(json)
    if (stringAt(json?.promptFeedback, 'blockReason') !== undefined) this.#blocked = true
    const candidates = objectsIn(json?.candidates)
    for (const candidate of candidates) this.#noteFinish(candidate)
    return { phase: candidates.length > 0 || this.#blocked ? 'output' : 'start' }
  }

  override end(): Observation {
    const isFinished = this.#finished.size > 0 && this.#finished.size >= this.#seen.size
    if (!this.#blocked && !isFinished) return endedEarly()
    this.#noteLastUsage()
    const usage = this.#usage && knownUsage(this.#usage.usage)
    return {
      phase: 'terminal',
      outcome: outcomeOf(this.#id, this.#model, this.#finishReason, usage),
    }
  }

  /** The older SDK takes an error for an empty chunk, so the connection is reset after it. */
  override fail(error: GatewayError): { bytes: Buffer; ending: 'reset' } {
    return {
      bytes: Buffer.from(formatFrame(undefined, generateError(error).body)),
      ending: 'reset',
    }
  }

  override keepAlive(): Buffer {
    return keepAlive
  }

  #noteFinish(candidate: Record<string, unknown>): void {
    this.#seen.add(candidate.index ?? 0)
    const reason = stringAt(candidate, 'finishReason')
    if (reason === undefined) return
    this.#finished.add(candidate.index ?? 0)
    this.#finishReason ??= reason
  }

  /** The last chunk may hold nothing else. */
  #noteLastUsage(): void {
    const last = this.#lastFrames && splitFrames(this.#lastFrames).at(-1)
    if (last) this.#noteUsage(parseOrUndefined(parseFrame(last).data ?? ''))
  }

  /** Each chunk tells of all so far, but not each tells everything. */
  #noteUsage(json: unknown): void {
    const told = objectAt(json, 'usageMetadata')
    if (!told) return
    this.#usage ??= new UsageReader()
    this.#usage.push(told)
  }

  #told(error: Record<string, unknown>): Observation {
    const status = numberAt(error, 'code') ?? 500
    const caller = status === 400 || status === 404
    return this.reportedError(status, stringAt(error, 'message'), caller ? 'caller' : 'account')
  }
}
