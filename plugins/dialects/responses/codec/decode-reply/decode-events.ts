import type { EventDecoder } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { objectAt } from '../../../../../src/lib/json/read.ts'
import { eventErrorIn } from './failure.ts'
import type { Channel } from './item-readers.ts'
import { ResponseReader } from './response-reader.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

const deltaOf = (channel: Channel, indexField: Delta['indexField'] = 'content_index'): Delta => ({
  channel,
  indexField,
})

/** The delta events, by their type. */
const deltas: ReadonlyMap<string, Delta> = new TextMap([
  ['response.output_text.delta', deltaOf('text')],
  ['response.function_call_arguments.delta', deltaOf('input')],
  ['response.custom_tool_call_input.delta', deltaOf('input')],
  ['response.reasoning_summary_text.delta', deltaOf('summary', 'summary_index')],
  ['response.reasoning_text.delta', deltaOf('raw')],
  // The name of `response.reasoning_text.delta` in Open Responses.
  ['response.reasoning.delta', deltaOf('raw')],
  ['response.refusal.delta', deltaOf('refusal')],
])

/** Returns a decoder for the events of an account's streamed response. */
export function decodeEvents(
  request: GenerateRequest,
  emit: (event: GenerateEvent) => void,
): EventDecoder {
  return new ResponseEvents(new ResponseReader(request, emit))
}

class ResponseEvents implements EventDecoder {
  readonly #reader: ResponseReader

  constructor(reader: ResponseReader) {
    this.#reader = reader
  }

  decode(event: JsonObject, name: string): void {
    if (this.#reader.hasFinished) return
    const error = eventErrorIn(event, name)
    if (error) return this.#reader.fail(error)
    const type = typeof event.type === 'string' ? event.type : name
    handlers.get(type)?.(this.#reader, event)
  }

  /** `[DONE]` carries no information: a terminal event ends the response. */
  done(): void {}

  /** A stream that ends without a terminal event is incomplete. */
  end(): void {}
}

type Handler = (reader: ResponseReader, event: JsonObject) => void

const complete =
  (channel: Channel, field: string): Handler =>
  (reader, event) =>
    reader.complete(event, channel, field)

const completePiece =
  (channel: Channel, indexField: string): Handler =>
  (reader, event) =>
    reader.completePiece(event, channel, indexField)

const announce: Handler = (reader, event) => reader.start(objectAt(event, 'response'))

const handlers = new TextMap<Handler>([
  ...Array.from(deltas, ([type, { channel, indexField }]): [string, Handler] => [
    type,
    (reader, event) => reader.appendDelta(event, channel, indexField),
  ]),
  ['response.created', announce],
  ['response.queued', announce],
  ['response.in_progress', announce],
  ['response.output_item.added', (reader, event) => reader.itemAdded(event)],
  ['response.output_item.done', (reader, event) => reader.itemDone(event)],
  ['response.output_text.annotation.added', (reader, event) => reader.addCitation(event)],
  ['response.output_text.done', complete('text', 'text')],
  ['response.reasoning_summary_text.done', completePiece('summary', 'summary_index')],
  ['response.reasoning_summary_part.done', completePiece('summary', 'summary_index')],
  ['response.reasoning_text.done', completePiece('raw', 'content_index')],
  ['response.reasoning.done', completePiece('raw', 'content_index')],
  ['response.refusal.done', complete('refusal', 'refusal')],
  ['response.function_call_arguments.done', complete('input', 'arguments')],
  ['response.custom_tool_call_input.done', complete('input', 'input')],
  ['response.content_part.done', (reader, event) => reader.partDone(event)],
  ['response.completed', (reader, event) => reader.finish(event, 'completed')],
  ['response.incomplete', (reader, event) => reader.finish(event, 'incomplete')],
  ['response.failed', (reader, event) => reader.finish(event, 'failed')],
  ['response.cancelled', (reader, event) => reader.finish(event, 'cancelled')],
])

interface Delta {
  /** The channel that the event extends. */
  readonly channel: Channel
  /** The member of the event with the index of the content or summary part. */
  readonly indexField: 'content_index' | 'summary_index'
}
