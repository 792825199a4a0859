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
import { type PartReader, Parts } from './parts-out.ts'
import { ReplyNames } from './reply-names.ts'
import { readStop } from '../stop.ts'
import { readUsage } from '../usage.ts'

/** Puts together what the events of a streamed response say. */
export class ResponseReader {
  readonly #emit: (event: GenerateEvent) => void
  readonly #parts: Parts
  readonly #names: ReplyNames
  readonly #items: ItemTable
  /** What the last delta was more of. */
  #latest: PartReader | undefined
  #latestPiece = 0
  #hasStarted = false
  #hasFinished = false

  constructor(request: GenerateRequest, emit: (event: GenerateEvent) => void) {
    this.#emit = emit
    this.#parts = new Parts(emit)
    this.#names = new ReplyNames(request)
    this.#items = new ItemTable(this.#parts, this.#names)
  }

  /** Whether nothing may follow. */
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

  more(event: JsonObject, channel: Channel, pieceField: string): void {
    const { delta, logprobs } = event
    if (typeof delta !== 'string' || delta === '') return
    this.start()
    const piece = numberAt(event, pieceField) ?? 0
    const reader = this.#items.partOf(event, channel, piece)
    this.#latest = reader
    this.#latestPiece = channel === 'summary' || channel === 'raw' ? piece : 0
    const hasLogprobs = Array.isArray(logprobs) && logprobs.length > 0
    if (hasLogprobs) reader?.append(delta, 0, readLogprobs(logprobs))
    else this.again(delta)
  }

  /** The last delta again, which had this text. */
  again(delta: string): void {
    this.#latest?.append(delta, this.#latestPiece)
  }

  /** A part as a whole, in case that not all of it came in pieces. */
  whole(event: JsonObject, channel: Channel, field: string): void {
    this.start()
    const reader = this.#items.partOf(event, channel, numberAt(event, 'content_index') ?? 0)
    reader?.fill(stringAt(event, field) ?? '')
  }

  partDone(event: JsonObject): void {
    const type = objectAt(event, 'part')?.type
    if (type !== 'output_text' && type !== 'refusal') return
    this.start()
    const field = type === 'refusal' ? 'refusal' : 'text'
    const reader = this.#items.partOf(event, field, numberAt(event, 'content_index') ?? 0)
    reader?.fill(stringAt(event.part, field) ?? '')
    reader?.end()
  }

  cited(event: JsonObject): void {
    const citation = readCitation(objectAt(event, 'annotation') ?? {})
    const reader = this.#items.partOf(event, 'text', numberAt(event, 'content_index') ?? 0)
    if (citation && reader?.hasBegun) reader.cite(citation)
  }

  /** The event's name counts where the response in it does not say how it ended. */
  finish(event: JsonObject, named: string): void {
    const told = objectAt(event, 'response')
    const status = endings.has(told?.status) && named !== 'failed' ? told?.status : named
    const response: JsonObject = { ...told, status }
    const failed = failureIn(response)
    if (failed) return this.#end(failed)
    this.start(response)
    this.#items.finish(response)
    this.#emit({ type: 'stop', choice: 0, stop: readStop(response, this.#parts) })
    this.#end({ type: 'finish', usage: readUsage(response) })
  }

  /** An error event is flat in some servers and nested in others. */
  fail(event: JsonObject): void {
    const told = event.error
    this.#end(
      failure(typeof told === 'string' ? { message: told } : (objectAt(event, 'error') ?? event)),
    )
  }

  #end(event: GenerateEvent): void {
    this.#hasFinished = true
    this.#emit(event)
  }
}

const endings = new Set<unknown>(['completed', 'incomplete', 'failed', 'cancelled'])
