import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { numberAt, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { readCitation } from '../citations.ts'
import { headOf } from './decode-result.ts'
import { failure, failureIn } from './failure.ts'
import type { Channel } from './item-readers.ts'
import { ItemTable } from './item-table.ts'
import { readLogprobs } from '../logprobs.ts'
import { PartEmitter } from './part-reader.ts'
import { ReplyNames } from './reply-names.ts'
import { reasoningFormOf } from '../reasoning.ts'
import { readStop } from '../stop.ts'
import { readUsage } from '../usage.ts'

/** Converts the events of a streamed response to neutral events. */
export class ResponseReader {
  readonly #emit: (event: GenerateEvent) => void
  readonly #parts: PartEmitter
  readonly #names: ReplyNames
  readonly #items: ItemTable
  #hasStarted = false
  #hasFinished = false

  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void) {
    this.#emit = emit
    this.#parts = new PartEmitter(emit)
    this.#names = new ReplyNames(request)
    this.#items = new ItemTable(this.#parts, this.#names)
  }

  /** Whether a terminal event or an error has been read. */
  get hasFinished(): boolean {
    return this.#hasFinished
  }

  start(response: JsonObject = {}): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#names.responseId = stringAt(response, 'id') ?? ''
    this.#emit({ type: 'start', ...headOf(response) })
  }

  itemAdded(event: JsonObject): void {
    this.start()
    const item = objectAt(event, 'item')
    if (item) this.#items.add(item, numberAt(event, 'output_index'))
  }

  itemDone(event: JsonObject): void {
    this.start()
    const item = objectAt(event, 'item')
    if (item) this.#items.done(item, numberAt(event, 'output_index'))
  }

  appendDelta(event: JsonObject, channel: Channel, indexField: string): void {
    const { delta, logprobs } = event
    if (typeof delta !== 'string' || delta === '') return
    this.start()
    const part = numberAt(event, indexField) ?? 0
    const reader = this.#items.partOf(event, channel, part)
    const hasLogprobs = Array.isArray(logprobs) && logprobs.length > 0
    if (hasLogprobs) reader?.append(delta, 0, readLogprobs(logprobs))
    else reader?.append(delta, channel === 'summary' || channel === 'raw' ? part : 0)
  }

  /** Reads the complete text of a part and appends the rest that the deltas lacked. */
  complete(event: JsonObject, channel: Channel, field: string): void {
    this.start()
    const reader = this.#items.partOf(event, channel, numberAt(event, 'content_index') ?? 0)
    reader?.fill(stringAt(event, field) ?? '')
  }

  /** Reads the complete text of a summary or reasoning part of which no delta came. */
  completePiece(event: JsonObject, channel: Channel, indexField: string): void {
    const text = stringAt(event, 'text') ?? stringAt(event.part, 'text') ?? ''
    if (text === '') return
    this.start()
    const piece = numberAt(event, indexField) ?? 0
    this.#items.partOf(event, channel, piece)?.fillPiece(text, piece)
  }

  partDone(event: JsonObject): void {
    const part = objectAt(event, 'part') ?? {}
    const form = reasoningFormOf(part)
    if (form) return this.completePiece(event, form, 'content_index')
    const { type } = part
    if (type !== 'output_text' && type !== 'refusal') return
    this.start()
    const field = type === 'refusal' ? 'refusal' : 'text'
    const reader = this.#items.partOf(event, field, numberAt(event, 'content_index') ?? 0)
    reader?.fill(stringAt(event.part, field) ?? '')
    reader?.end()
  }

  addCitation(event: JsonObject): void {
    const citation = readCitation(objectAt(event, 'annotation') ?? {})
    const reader = this.#items.partOf(event, 'text', numberAt(event, 'content_index') ?? 0)
    if (citation && reader?.hasBegun) reader.cite(citation)
  }

  /** Ends the response. `eventStatus`, from the event's name, applies if the response has no status. */
  finish(event: JsonObject, eventStatus: string): void {
    const received = objectAt(event, 'response')
    const status =
      statuses.has(received?.status) && eventStatus !== 'failed' ? received?.status : eventStatus
    const response: JsonObject = { ...received, status }
    const failed = failureIn(response)
    if (failed) return this.#end(failed)
    this.start(response)
    this.#items.finish(response)
    this.#emit({ type: 'stop', choice: 0, stop: readStop(response, this.#parts) })
    this.#end({ type: 'finish', usage: readUsage(response) })
  }

  /** Ends the response with an error object of the account. */
  fail(error: JsonObject): void {
    this.#end(failure(error))
  }

  #end(event: GenerateEvent): void {
    this.#hasFinished = true
    this.#emit(event)
  }
}

const statuses = new Set<unknown>(['completed', 'incomplete', 'failed', 'cancelled'])
