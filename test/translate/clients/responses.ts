import type { JsonObject } from '../../../src/lib/json/object.ts'
import { readFrames } from './frames.ts'
import { type ClientReader, insist, isObject, listAt, objectAt, stringAt } from './reading.ts'
import type { Reading } from './reading.ts'
import { readResponse } from './response-object.ts'

/** How a client of Responses reads: as strictly as the strictest stream helper of its SDKs. */
export const responsesReader: ClientReader = {
  stream(wire) {
    const stream = new EventReader()
    for (const { name, json } of readFrames(wire)) {
      insist(json === undefined || json.type === name, `an event named ${name} is another`)
      stream.push(json)
    }
    return stream.reading
  },

  body: readResponse,
}

interface OpenItem {
  readonly item: JsonObject
  /** What the pieces of it said, by kind and number of the piece. */
  readonly said: Map<string, string>
  done: JsonObject | undefined
}

const terminals = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed'])

class EventReader {
  readonly #items: OpenItem[] = []
  #count = 0
  #id: unknown
  #error: string | undefined
  #final: JsonObject | undefined
  #isDone = false

  push(event: JsonObject | undefined): void {
    insist(!this.#isDone, 'something follows [DONE]')
    if (!event) {
      insist(this.#final !== undefined, '[DONE] comes too early')
      this.#isDone = true
      return
    }
    insist(this.#final === undefined, 'something follows the end')
    insist(event.sequence_number === this.#count++, 'sequence numbers have gaps')
    if (event.type === 'error') this.#error = stringAt(objectAt(event, 'error'), 'message')
    else if (isObject(event.response)) this.#readResponse(event.type, event.response)
    else this.#readItem(event)
  }

  get reading(): Reading {
    if (this.#final && this.#isDone) return readResponse(this.#final)
    const failed = this.#error !== undefined && { failure: this.#error }
    return { text: '', thoughts: '', calls: [], stop: '', usage: {}, ending: 'open', ...failed }
  }

  #readResponse(type: unknown, response: JsonObject): void {
    if (this.#id === undefined) insist(type === 'response.created', 'it begins with another event')
    else insist(this.#id === response.id, 'the id of the response changes')
    this.#id = stringAt(response, 'id')
    const output = listAt(response, 'output')
    if (!terminals.has(type)) return
    insist(`response.${String(response.status)}` === type, 'the status is another than the event')
    insist((type === 'response.failed') === (this.#error !== undefined), 'no error is told')
    this.#compare(output, type === 'response.failed')
    this.#final = response
  }

  /** What the last event lists is what the events before told. */
  #compare(output: readonly JsonObject[], hasFailed: boolean): void {
    insist(output.length === this.#items.length, 'the response lists other items')
    for (const [index, item] of output.entries()) {
      const { done, item: begun } = this.#items[index]!
      insist(begun.id === item.id && begun.type === item.type, 'an item has changed')
      insist(hasFailed || done !== undefined, 'an item has not ended')
      if (done) insist(JSON.stringify(done) === JSON.stringify(item), 'an item is not as told')
    }
  }

  #readItem(event: JsonObject): void {
    insist(this.#id !== undefined && this.#error === undefined, 'an item is out of place')
    const { output_index: index } = event
    insist(typeof index === 'number', 'an event has no output_index')
    if (event.type === 'response.output_item.added') {
      insist(index === this.#items.length, 'items have gaps')
      this.#items.push({ item: objectAt(event, 'item'), said: new Map(), done: undefined })
      insist(stringAt(this.#items[index]!.item, 'id') !== '', 'an item has no id')
      return
    }
    const open = this.#items[index]
    insist(open !== undefined && open.done === undefined, 'no such item is open')
    if (event.type === 'response.output_item.done') open.done = itemOf(open, event)
    else this.#readPiece(open, event)
  }

  #readPiece({ item, said }: OpenItem, event: JsonObject): void {
    insist(event.item_id === item.id, 'the id of an item changes')
    const type = stringAt(event, 'type')
    const place = JSON.stringify(event.content_index ?? event.summary_index ?? 0)
    if (type.endsWith('_part.added')) said.set(place, '')
    const before = said.get(place) ?? (/_input|_arguments/.test(type) ? '' : undefined)
    insist(before !== undefined, `${type} comes before its part`)
    if (type.endsWith('.delta')) said.set(place, before + stringAt(event, 'delta'))
    else if (type in whole) insist(event[whole[type]!] === before, `${type} is not what was told`)
    else insist(others.has(type), `an event has the type ${type}`)
  }
}

/** Events that say as a whole what deltas said before. */
const whole: Record<string, string> = {
  'response.output_text.done': 'text',
  'response.refusal.done': 'refusal',
  'response.reasoning_text.done': 'text',
  'response.reasoning_summary_text.done': 'text',
  'response.function_call_arguments.done': 'arguments',
  'response.custom_tool_call_input.done': 'input',
}

const others = new Set([
  'response.content_part.added',
  'response.content_part.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.output_text.annotation.added',
])

function itemOf({ item }: OpenItem, event: JsonObject): JsonObject {
  const done = objectAt(event, 'item')
  insist(done.id === item.id && done.type === item.type, 'an item ends as another')
  return done
}
