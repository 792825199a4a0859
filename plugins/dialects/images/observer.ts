import type { Observation } from '../../../src/contract/observer.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import {
  NativeObserver,
  type ObservedEvent,
  endedEarly,
  failedObservation,
} from '../../../src/kit/observe.ts'
import { formatFrame } from '../../../src/lib/sse.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import { requestedCount } from './call.ts'
import { correctEvent } from './correct-event.ts'
import { imageUsage } from './reply.ts'
import type { ResultContext } from './result-fields.ts'

/** A frame of the account, and the bytes that the client gets instead. */
interface Correction {
  readonly frame: Buffer
  readonly bytes: Buffer
}

/** Returns bytes in which some frames are replaced; the frames are parts of the same memory, in order. */
function withCorrections(bytes: Buffer, corrections: readonly Correction[]): Buffer {
  const pieces: Buffer[] = []
  let position = 0
  for (const { frame, bytes: corrected } of corrections) {
    const start = frame.byteOffset - bytes.byteOffset
    pieces.push(bytes.subarray(position, start), corrected)
    position = start + frame.length
  }
  return Buffer.concat([...pieces, bytes.subarray(position)])
}

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
  /** The corrected frames of the bytes that are being observed. */
  #corrections: Correction[] = []
  #hasImage = false
  #remaining: number
  #usage: Usage | undefined

  constructor(exchange: Routed, prefix: string, context: ResultContext) {
    super(exchange)
    this.#completed = `${prefix}.completed`
    this.#partial = `${prefix}.partial_image`
    this.#context = context
    this.#remaining = requestedCount(context.values)
  }

  override observe(frames: Buffer): Observation {
    this.#corrections = []
    const observation = super.observe(frames)
    if (this.#corrections.length === 0) return observation
    const { bytes = frames } = observation
    return { ...observation, bytes: withCorrections(bytes, this.#corrections) }
  }

  protected override classify(event: ObservedEvent, frame: Buffer): Observation {
    const observation = this.#classify(event)
    const { name, json } = event
    const corrected = json && observation.phase !== 'failed' && correctEvent(event, this.#context)
    if (corrected) {
      const bytes = Buffer.from(formatFrame(name === '' ? undefined : name, corrected))
      this.#corrections.push({ frame, bytes })
    }
    return observation
  }

  #classify({ name, data, json }: ObservedEvent): Observation {
    const type = json && typeof json['type'] === 'string' ? json['type'] : name
    if (data === '[DONE]') return this.#hasImage ? this.#complete() : endedEarly()
    if (name === 'error' || json?.['type'] === 'error' || json?.['error']) return this.#error(json)
    const isCompleted = type === this.#completed || name === this.#completed
    const hasImage = typeof json?.['b64_json'] === 'string' || typeof json?.['url'] === 'string'
    if (!hasImage && (isCompleted || type === this.#partial)) return withoutImage()
    if (!isCompleted) return { phase: hasImage ? 'output' : 'start' }
    this.#usage = imageUsage(json) ?? this.#usage
    this.#hasImage = true
    this.#remaining--
    return this.#remaining > 0 ? { phase: 'output' } : this.#complete()
  }

  override end(): Observation {
    return this.#remaining > 0 ? endedEarly() : this.#complete()
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    const { error: envelope } = errorEnvelope(error).body as { error: object }
    return this.failWith([{ name: 'error', data: { type: 'error', error: envelope } }])
  }

  #complete(): Observation {
    return {
      phase: 'terminal',
      outcome: { status: 'completed', fault: 'none', usage: this.#usage },
    }
  }

  #error(json: ObservedEvent['json']): Observation {
    return this.observedError(objectAt(json, 'error') ?? json)
  }
}
