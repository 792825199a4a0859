import type { Observation } from '../../../src/contract/observer.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { endedEarly } from '../../../src/kit/broken-stream.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { StreamedChoices, UnaskedUsage } from '../../../src/kit/observer-state.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { completionErrorIn, isCompletion, outcomeOf, usageOf } from './read-reply.ts'

/** Reasons why choices ended that are noted. */
const mostReasons = 128

const nothing: Buffer = Buffer.alloc(0)

/**
 * Observes a native stream of chunks. It is complete with `[DONE]`, or at its end where the account omits that, once
 * each choice has a `finish_reason`.
 */
export class CompletionsObserver extends NativeObserver {
  readonly #streamed = new StreamedChoices()
  readonly #reasons: string[] = []
  #heading: JsonObject = {}
  #usage: Usage | undefined
  readonly #unasked: UnaskedUsage

  constructor(exchange: Routed) {
    super(exchange)
    this.#unasked = new UnaskedUsage(exchange)
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  protected override classify({ data, json }: ObservedEvent): Observation {
    if (data === '[DONE]') return this.#mayEnd ? this.#complete() : endedEarly()
    if (this.#heading.id === undefined && json) this.#heading = { id: json.id, model: json.model }
    this.#usage = usageOf(json) ?? this.#usage
    const choices = objectsIn(json?.choices)
    if (this.#unasked.hides(json, choices))
      return { phase: this.hasOutput ? 'output' : 'start', bytes: nothing }
    for (const choice of choices) this.#note(choice)
    return choices.some(hasOutput) ? { phase: 'output' } : { phase: 'start' }
  }

  protected override errorOf({ name, json, isError }: ObservedEvent): JsonObject | undefined {
    return completionErrorIn(json, isError ? 'error' : name)
  }

  protected override isKnown({ json }: ObservedEvent): boolean {
    return !json || isCompletion(json)
  }

  override end(): Observation {
    return this.#streamed.areFinished(1) ? this.#complete() : endedEarly()
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    return this.failWith([{ data: errorEnvelope(error, this.exchange).body }])
  }

  /** Some servers never send reasons. */
  get #mayEnd(): boolean {
    return this.#streamed.areFinished(1) || (this.hasOutput && !this.#streamed.hasFinished)
  }

  #note(choice: JsonObject): void {
    this.#streamed.start(choice.index)
    const reason = stringAt(choice, 'finish_reason')
    if (!reason) return
    this.#streamed.finish(choice.index)
    if (this.#reasons.length < mostReasons) this.#reasons.push(reason)
  }

  #complete(): Observation {
    return { phase: 'terminal', outcome: outcomeOf(this.#heading, this.#reasons, this.#usage) }
  }
}

function hasOutput(choice: JsonObject): boolean {
  return Boolean(stringAt(choice, 'text')) || Boolean(stringAt(choice, 'finish_reason'))
}
