import type { Observation } from '../../../src/contract/observer.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import type { StoredData } from '../../../src/contract/stored-data.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import { NativeObserver, type ObservedEvent } from '../../../src/kit/observe.ts'
import { endedEarly } from '../../../src/kit/broken-stream.ts'
import { formatFrame, startsWith } from '../../../src/lib/sse.ts'
import { DisclosedData } from '../../../src/kit/observer-state.ts'
import { sse } from '../../../src/kit/framing/sse.ts'
import { knownUsage, reportedUsage } from '../../../src/kit/usage.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { eventErrorIn, isMessagesEvent } from './codec/decode-reply/failure.ts'
import { UsageCount } from './codec/usage.ts'
import { messagesError } from './errors.ts'
import {
  containerIn,
  explainsRefusal,
  filesIn,
  isThinking,
  outcomeOf,
  withDisclosed,
  withEnd,
} from './outcome.ts'

/** The first bytes of ordinary frames, which carry only a delta. */
const ordinary = Buffer.from('event: content_block_delta\n')

/** Types of events that have output, also those that the API does not have yet. */
const outputType = /^(?:content_block|message)/

const ping = Buffer.from(formatFrame('ping', { type: 'ping' }))

/** Observes a native stream. The message is complete with `message_stop`. */
export class MessagesObserver extends NativeObserver {
  #id: string | undefined
  #model: string | undefined
  #stopReason: string | undefined
  /** Whether a block has begun that is a part of an answer. */
  #hasAnswer = false
  readonly #disclosed = new DisclosedData()
  readonly #usage = new UsageCount()

  get usage(): Usage | undefined {
    return reportedUsage(this.#usage.total)
  }

  get discloses(): readonly StoredData[] | undefined {
    return this.#disclosed.all
  }

  protected override isPlainDelta(frames: Buffer, start: number): boolean {
    return startsWith(frames, start, ordinary)
  }

  protected override classify({ name, json }: ObservedEvent): Observation {
    const type = stringAt(json, 'type') ?? name
    switch (type) {
      case 'message_start':
        this.#noteStart(objectAt(json, 'message'))
        return { phase: 'start' }
      case 'content_block_start':
        this.#disclosed.add(...filesIn([json?.content_block]))
        this.#hasAnswer ||= !isThinking(objectAt(json, 'content_block') ?? {})
        return { phase: opensEmptyBlock(json) ? 'start' : 'output' }
      case 'ping':
        return { phase: 'start' }
      case 'message_delta':
        this.#stopReason = stringAt(json?.delta, 'stop_reason') ?? this.#stopReason
        this.#usage.noteAll(objectAt(json, 'usage'))
        this.#disclosed.add(...containerIn(json?.delta))
        return { phase: 'output' }
      case 'message_stop':
        return { phase: 'terminal', outcome: withDisclosed(this.#outcome(), this.discloses) }
      default:
        return { phase: outputType.test(type) ? 'output' : 'start' }
    }
  }

  protected override errorOf({ name, json, isError }: ObservedEvent): JsonObject | undefined {
    return eventErrorIn(json, isError ? 'error' : name)
  }

  protected override isKnown({ name, json }: ObservedEvent): boolean {
    return !json || isMessagesEvent(json, name)
  }

  /** `stop_details` explains a refusal in the account's own words. */
  protected override reportsFailure({ json }: ObservedEvent): boolean {
    return explainsRefusal(json?.delta)
  }

  override end(): Observation {
    return endedEarly()
  }

  override fail(error: GatewayError): { bytes: Buffer; ending: 'end' | 'reset' } {
    return this.failWith([{ name: 'error', data: messagesError(error, this.exchange).body }])
  }

  override keepAlive(): Buffer {
    return this.framing === sse ? ping : super.keepAlive()
  }

  #outcome(): Outcome {
    const usage = knownUsage(this.#usage.total)
    const outcome = outcomeOf(this.#id, this.#model, this.#stopReason, usage)
    return withEnd(outcome, this.#stopReason, this.#hasAnswer)
  }

  #noteStart(message: Record<string, unknown> | undefined): void {
    this.#id = stringAt(message, 'id')
    this.#model = stringAt(message, 'model')
    this.#disclosed.add(...containerIn(message), ...filesIn(message?.['content']))
    this.#usage.noteInput(objectAt(message, 'usage'))
  }
}

/** Whether a block begins empty. Text, thinking and tool calls do; other blocks arrive complete. */
function opensEmptyBlock(json: ObservedEvent['json']): boolean {
  const type = stringAt(json?.content_block, 'type')
  return type === undefined || type === 'text' || type === 'thinking' || type === 'tool_use'
}
