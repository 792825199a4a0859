import type { EventDecoder } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { objectAt } from '../../../../../src/lib/json/read.ts'
import { deltas } from './deltas.ts'
import type { Channel } from './item-readers.ts'
import { ResponseReader } from './response-reader.ts'

/** Reads the events of a streamed response of an account. */
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
    const type = typeof event.type === 'string' ? event.type : name
    const handle = handlers.get(type)
    if (handle) handle(this.#reader, event)
    else if (event.error) this.#reader.fail(event)
  }

  repeat(delta: string): void {
    if (!this.#reader.hasFinished) this.#reader.again(delta)
  }

  /** Nothing is known from it: a response ends with an event of its own. */
  done(): void {}

  /** A stream that ends without such an event is broken. */
  end(): void {}
}

type Handler = (reader: ResponseReader, event: JsonObject) => void

const whole =
  (channel: Channel, field: string): Handler =>
  (reader, event) =>
    reader.whole(event, channel, field)

const announce: Handler = (reader, event) => reader.start(objectAt(event, 'response'))

const handlers = new Map<string, Handler>([
  ...Array.from(deltas, ([type, { channel, place }]): [string, Handler] => [
    type,
    (reader, event) => reader.more(event, channel, place),
  ]),
  ['response.created', announce],
  ['response.queued', announce],
  ['response.in_progress', announce],
  ['response.output_item.added', (reader, event) => reader.itemAdded(event)],
  ['response.output_item.done', (reader, event) => reader.itemDone(event)],
  ['response.output_text.annotation.added', (reader, event) => reader.cited(event)],
  ['response.output_text.done', whole('text', 'text')],
  ['response.refusal.done', whole('refusal', 'refusal')],
  ['response.function_call_arguments.done', whole('input', 'arguments')],
  ['response.custom_tool_call_input.done', whole('input', 'input')],
  ['response.content_part.done', (reader, event) => reader.partDone(event)],
  ['response.completed', (reader, event) => reader.finish(event, 'completed')],
  ['response.incomplete', (reader, event) => reader.finish(event, 'incomplete')],
  ['response.failed', (reader, event) => reader.finish(event, 'failed')],
  ['response.cancelled', (reader, event) => reader.finish(event, 'cancelled')],
  ['error', (reader, event) => reader.fail(event)],
])
