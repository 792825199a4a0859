import type { Observation } from '../../../src/contract/observer.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { endedEarly } from '../../../src/kit/broken-stream.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

/** The events of a stream of audio, or of its text. */
interface AudioEvents {
  /** The type of the event that completes the stream. */
  readonly done: string
  /** The usage that an event reports; `undefined`: of a stream without such an event. */
  usageOf(json: unknown): Usage | undefined
}

/**
 * Observes a stream of speech or of a transcription. Its last event completes it; servers besides OpenAI have `[DONE]`
 * in its place.
 */
export class AudioObserver extends NativeObserver {
  readonly #events: AudioEvents
  #reported: unknown

  constructor(exchange: Routed, events: AudioEvents) {
    super(exchange)
    this.#events = events
  }

  get usage(): Usage | undefined {
    return this.hasOutput ? this.#events.usageOf(this.#reported) : undefined
  }

  protected override classify(event: ObservedEvent): Observation {
    const error = this.errorOf(event)
    if (error) return this.observedError(error)
    const { name, data, json } = event
    if (data === '[DONE]') return this.hasOutput ? this.#complete() : endedEarly()
    if (json?.['usage']) this.#reported = json
    if ((stringAt(json, 'type') ?? name) === this.#events.done) return this.#complete()
    return { phase: json ? 'output' : 'start' }
  }

  #complete(): Observation {
    const usage = this.#events.usageOf(this.#reported)
    return { phase: 'terminal', outcome: { status: 'completed', fault: 'none', usage } }
  }
}
