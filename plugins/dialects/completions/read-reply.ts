import type { EventDecoder } from '../../../src/contract/codec.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { Collector } from '../../../src/generate/collect.ts'
import type { ErrorEvent, GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateResult, GenerateUsage, Stop } from '../../../src/generate/result.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { failureOf } from '../../../src/kit/codec/failure.ts'
import { ReplyEvents } from '../../../src/kit/codec/reply-events.ts'
import {
  errorUnless,
  failedOutcome,
  hasAnyWithoutError,
  isEmpty,
  isFilledList,
  statusOfError,
} from '../../../src/kit/upstream-error.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { defined, type JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, objectsIn, stringAt, tokensAt } from '../../../src/lib/json/read.ts'

/** Whether a body is a completion or a chunk of one. Some chunks have usage beside an empty list. */
export function isCompletion(body: JsonObject): boolean {
  const { choices, usage } = body
  if (isFilledList(choices) || (Array.isArray(choices) && !isEmpty(usage))) return true
  return hasAnyWithoutError(body, ['choices'])
}

/** The error object of a reply, or of a chunk called `name`. */
export function completionErrorIn(body: unknown, name = ''): JsonObject | undefined {
  return errorUnless(isCompletion, body, name)
}

/** What an account reports of the tokens of a reply; `undefined`: nothing. */
export function usageOf(reply: unknown): Usage | undefined {
  const usage = objectAt(reply, 'usage')
  if (!usage) return undefined
  return knownUsage({
    inputTokens: tokensAt(usage, 'prompt_tokens'),
    outputTokens: tokensAt(usage, 'completion_tokens'),
    cachedTokens: tokensAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens'),
  })
}

/** Whether a choice ends for a reason that leaves its text incomplete. */
function isCut(reason: string): boolean {
  return reason === 'length' || reason === 'content_filter'
}

/** The outcome of a reply that ends for these reasons. */
export function outcomeOf(
  reply: JsonObject,
  reasons: readonly string[],
  usage: Usage | undefined,
): Outcome {
  const id = stringAt(reply, 'id')
  return {
    status: reasons[0] !== undefined && isCut(reasons[0]) ? 'incomplete' : 'completed',
    fault: 'none',
    produced:
      id === undefined ? undefined : { kind: 'completion', id, model: stringAt(reply, 'model') },
    usage,
    finishReasons: reasons,
  }
}

/** The outcome of a complete reply. */
export function completionOutcome(json: unknown): Outcome {
  const error = completionErrorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  const reply = json as JsonObject
  const reasons = objectsIn(reply.choices).flatMap((one) => stringAt(one, 'finish_reason') ?? [])
  return outcomeOf(reply, reasons, usageOf(reply))
}

function stopOf(raw: string): Stop {
  if (raw === 'length') return { reason: raw, raw }
  return { reason: raw === 'content_filter' ? 'filtered' : 'stop', raw }
}

/** Reads the first choice of a stream, or of a complete reply as one chunk. */
class CompletionDecoder implements EventDecoder {
  readonly #events: ReplyEvents
  #stop: Stop | undefined
  #usage: GenerateUsage | undefined

  constructor(emit: (event: GenerateEvent) => void) {
    this.#events = new ReplyEvents(emit)
  }

  get usage(): GenerateUsage | undefined {
    return this.#usage
  }

  decode(data: JsonObject, name: string): void {
    const error = completionErrorIn(data, name)
    if (error) return this.#events.fail(failureOf(error, statusOfError(error)))
    this.#events.start(defined({ id: stringAt(data, 'id'), model: stringAt(data, 'model') }))
    this.#usage = usageOf(data) ?? this.#usage
    const choice = objectsIn(data.choices).find(({ index = 0 }) => index === 0)
    this.#events.text('text', stringAt(choice, 'text'))
    const reason = stringAt(choice, 'finish_reason')
    if (reason) this.#stop = stopOf(reason)
  }

  done(): void {
    this.#events.finish(this.#stop ?? { reason: 'stop' }, this.#usage ?? {})
  }

  end(): void {
    if (this.#stop) this.done()
  }
}

/** Reads a stream. */
export function decodeEvents(emit: (event: GenerateEvent) => void): EventDecoder {
  return new CompletionDecoder(emit)
}

/** Reads a complete reply. */
export function decodeResult(reply: JsonObject): GenerateResult | ErrorEvent {
  const collector = new Collector()
  const failures: ErrorEvent[] = []
  const decoder = new CompletionDecoder((event) => {
    if (event.type === 'error') failures.push(event)
    else collector.collect(event)
  })
  decoder.decode(reply, '')
  decoder.done()
  const result = failures[0] ?? collector.result
  if (result) return result
  throw new GatewayError('upstream_invalid_reply', "The upstream's reply is not complete.")
}
