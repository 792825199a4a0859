import type { Observation } from '../../../src/contract/observer.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import type { StoredData } from '../../../src/contract/stored-data.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { endedEarly } from '../../../src/kit/broken-stream.ts'
import { DisclosedData } from '../../../src/kit/disclosed-data.ts'
import { StreamedChoices } from '../../../src/kit/streamed-choices.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { tierWordAt } from '../../../src/kit/usage.ts'
import { objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { chatErrorIn, statusOfChoice } from './codec/decode-reply/failure.ts'
import { isChatBody } from './codec/own-bodies.ts'
import { OrdinaryChunks } from './ordinary-chunks.ts'
import { asksForUsage } from './stream-usage.ts'
import { audioIn, explainsEnd, outcomeOf, usageOf } from './outcome.ts'

/** Further chunks of usage reach the client: hidden chunks put no back pressure on the account. */
const mostHidden = 16

/** Reasons why choices ended that are noted. */
const mostReasons = 128

const nothing = Buffer.alloc(0)
/**
 * Observes a native stream of chunks. The stream is complete with `[DONE]`, or at its end where the
 * upstream omits `[DONE]`, if every choice has a `finish_reason`.
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
  /** Whether the client does not get the chunk of the usage. */
  #hidesUsage: boolean
  #hidden = 0
  readonly #disclosed = new DisclosedData()

  constructor(exchange: Routed) {
    super(exchange)
    const { json, members } = exchange.body
    this.#choices = typeof json.n === 'number' ? json.n : 1
    // Large values may have been released.
    this.#hidesUsage = asksForUsage(exchange)
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
    if (data === '[DONE]') return this.#streamed.areFinished(1) ? this.#complete() : endedEarly()
    this.#id ??= stringAt(json, 'id')
    this.#model ??= stringAt(json, 'model')
    this.#tier = tierWordAt(json, 'service_tier') ?? this.#tier
    this.#usage = usageOf(json, this.#tier) ?? this.#usage
    const choices = objectsIn(json?.choices)
    if (this.#hidesUsage && choices.length === 0 && isObject(json?.usage)) return this.#hide()
    for (const choice of choices) {
      this.#noteFinish(choice)
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
    return this.failWith([{ data: errorEnvelope(error).body }])
  }

  #hide(): Observation {
    if (++this.#hidden === mostHidden) this.#hidesUsage = false
    return { phase: this.hasOutput ? 'output' : 'start', bytes: nothing }
  }

  #complete(): Observation {
    const reasons = this.#finishReasons
    const outcome = outcomeOf(this.#id, this.#model, reasons, this.#usage, this.#failedStatus)
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
    if (typeof choice.finish_reason !== 'string') return
    this.#streamed.finish(choice.index)
    this.#failedStatus ??= statusOfChoice(choice)
    if (this.#finishReasons.length < mostReasons) this.#finishReasons.push(choice.finish_reason)
  }
}

/** Whether a choice carries output. The first chunk of many upstreams carries only the role. */
function hasOutput({ delta, finish_reason: finishReason }: Record<string, unknown>): boolean {
  if (typeof finishReason === 'string') return true
  return Object.entries((delta as Record<string, unknown> | null) ?? {}).some(
    ([name, value]) => name !== 'role' && value !== null && value !== '',
  )
}
