import type { Observation } from '../../../src/contract/observer.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { endedEarly, failedObservation } from '../../../src/kit/broken-stream.ts'
import { formatFrame } from '../../../src/lib/sse.ts'
import { errorUnless, isErrorType, isLaterEvent } from '../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { requestedCount } from './call.ts'
import { imageUsage } from './reply.ts'
import {
  type ResultContext,
  createdAt,
  resultUsage,
  resultWord,
  wordFields,
} from './result-fields.ts'
import { tokensAt } from '../../../src/lib/json/read.ts'
import type { Values } from './values.ts'

function withoutImage(): Observation {
  const message = 'The upstream sent an event without its image.'
  return failedObservation(new GatewayError('upstream_stream_broken', message))
}

/**
 * Observes a stream of partial images (`image_edit.partial_image`, `image_generation.partial_image`).
 * It is complete once all requested images have completed (`...completed`), or on `[DONE]` after at
 * least one.
 */
export class ImageObserver extends NativeObserver {
  readonly #completed: string
  readonly #partial: string
  readonly #context: ResultContext
  #hasImage = false
  #remaining: number
  #images = 0
  #usage: Usage | undefined

  constructor(exchange: Routed, prefix: string, context: ResultContext) {
    super(exchange)
    this.#completed = `${prefix}.completed`
    this.#partial = `${prefix}.partial_image`
    this.#context = context
    this.#remaining = requestedCount(context.values)
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  protected override classify(event: ObservedEvent): Observation {
    const error = this.errorOf(event)
    if (error) return this.observedError(error)
    const observation = this.#classify(event)
    const { name, json } = event
    const corrected = json && observation.phase !== 'failed' && correctEvent(event, this.#context)
    if (!corrected) return observation
    const bytes = Buffer.from(formatFrame(name === '' ? undefined : name, corrected))
    return { ...observation, bytes }
  }

  protected override errorOf({ name, json, isError }: ObservedEvent): JsonObject | undefined {
    return errorUnless(isImageBody, json, isError ? 'error' : name)
  }

  protected override isKnown({ name, json }: ObservedEvent): boolean {
    return !json || isImageEvent(json, name)
  }

  #classify({ name, data, json }: ObservedEvent): Observation {
    const type = json && typeof json['type'] === 'string' ? json['type'] : name
    if (data === '[DONE]') return this.#hasImage ? this.#complete() : endedEarly()
    const isCompleted = type === this.#completed || name === this.#completed
    const hasImage = json !== undefined && isImage(json)
    if (!hasImage && (isCompleted || type === this.#partial)) return withoutImage()
    if (!isCompleted) return { phase: hasImage ? 'output' : 'start' }
    this.#images++
    this.#usage = { ...this.#usage, ...imageUsage(json, this.#images, this.#context) }
    this.#hasImage = true
    this.#remaining--
    return this.#remaining > 0 ? { phase: 'output' } : this.#complete()
  }

  override end(): Observation {
    return this.#remaining > 0 ? endedEarly() : this.#complete()
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    const { error: envelope } = errorEnvelope(error, this.exchange).body as { error: object }
    return this.failWith([{ name: 'error', data: { type: 'error', error: envelope } }])
  }

  #complete(): Observation {
    return {
      phase: 'terminal',
      outcome: { status: 'completed', fault: 'none', usage: this.#usage },
    }
  }
}

function isImage(json: JsonObject): boolean {
  return typeof json['b64_json'] === 'string' || typeof json['url'] === 'string'
}

/** Whether the API has an event of this form; a server may say its type in the event's name only. */
function isImageEvent(json: JsonObject, name: string): boolean {
  const type = typeof json['type'] === 'string' ? json['type'] : name
  return isImage(json) || (type.startsWith('image_') && !isErrorType(type))
}

/** The same, or of an event that the API does not have yet. */
function isImageBody(json: JsonObject, name: string): boolean {
  return isImageEvent(json, name) || isLaterEvent(json)
}

/**
 * Returns an event of a stream with the words and types of a result (docs/wire/contract.md 6);
 * `undefined` if it has them. Fields that the account left out stay absent.
 */
function correctEvent(
  { name, json = {} }: Pick<ObservedEvent, 'name' | 'json'>,
  context: ResultContext,
): Values | undefined {
  const corrected: Record<string, unknown> = {}
  const correct = (field: string, value: unknown) => {
    if (field in json && json[field] !== value) corrected[field] = value
  }
  if (typeof json['type'] !== 'string' && name !== '') corrected['type'] = name
  correct('partial_image_index', tokensAt(json, 'partial_image_index'))
  if ('created_at' in json) correct('created_at', createdAt(json['created_at'], context.now))
  for (const field of wordFields) {
    if (field in json) correct(field, resultWord(field, json[field], json, context))
  }
  correct('usage', resultUsage(json['usage'], context))
  return Object.keys(corrected).length === 0 ? undefined : { ...json, ...corrected }
}
