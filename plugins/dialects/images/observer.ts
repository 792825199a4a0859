import type { Observation } from '../../../src/contract/observer.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { statusOfError } from '../../../src/kit/upstream-error.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import {
  NativeObserver,
  type ObservedEvent,
  endedEarly,
  startsWith,
} from '../../../src/kit/observe.ts'
import { formatFrame } from '../../../src/lib/sse.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import { imageUsage } from './reply.ts'

const keepAlive = Buffer.from(': keep-alive\n\n')

/**
 * Observes a stream of partial images (`image_edit.partial_image`, `image_generation.partial_image`).
 * It is complete once all requested images have completed (`...completed`), or on `[DONE]` after at
 * least one.
 */
export class ImageObserver extends NativeObserver {
  readonly #completed: string
  /** First line of a partial image frame. These are large, so only the first one is parsed. */
  readonly #partialLine: Buffer
  #hasImage = false
  #remaining: number
  #usage: Usage | undefined

  constructor(exchange: Routed, prefix: string, images: number) {
    super(exchange)
    this.#completed = `${prefix}.completed`
    this.#partialLine = Buffer.from(`event: ${prefix}.partial_image\n`)
    this.#remaining = images
  }

  protected override isOrdinary(frames: Buffer, start: number): boolean {
    return startsWith(frames, start, this.#partialLine)
  }

  protected override classify({ name, data, json }: ObservedEvent): Observation {
    if (data === '[DONE]') return this.#hasImage ? this.#complete() : endedEarly()
    if (name === 'error' || json?.['type'] === 'error' || json?.['error']) return this.#error(json)
    if (json?.['type'] !== this.#completed && name !== this.#completed) {
      return { phase: typeof json?.['b64_json'] === 'string' ? 'output' : 'start' }
    }
    this.#usage = imageUsage(json) ?? this.#usage
    this.#hasImage = true
    this.#remaining--
    return this.#remaining > 0 ? { phase: 'output' } : this.#complete()
  }

  override end(): Observation {
    return this.#remaining > 0 ? endedEarly() : this.#complete()
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' } {
    const { error: envelope } = errorEnvelope(error).body as { error: object }
    const frame = formatFrame('error', { type: 'error', error: envelope })
    return { bytes: Buffer.from(frame), ending: 'end' }
  }

  override keepAlive(): Buffer {
    return keepAlive
  }

  #complete(): Observation {
    return {
      phase: 'terminal',
      outcome: { status: 'completed', fault: 'none', usage: this.#usage },
    }
  }

  #error(json: ObservedEvent['json']): Observation {
    const error = objectAt(json, 'error') ?? json ?? {}
    const status = statusOfError(error)
    return this.reportedError(status, error['message'], status < 500 ? 'caller' : 'account')
  }
}
