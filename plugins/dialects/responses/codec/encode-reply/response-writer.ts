import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ErrorEvent, GenerateEvent, PartEvent } from '../../../../../src/generate/events.ts'
import type { GenerateUsage, Stop } from '../../../../../src/generate/result.ts'
import { CallItem } from './call-item.ts'
import type { Frames } from './frames.ts'
import { ImageItem } from './image-item.ts'
import { ItemList } from './item-list.ts'
import { type ToolName, namespacesOf } from '../namespaces.ts'
import { type PartWriter, noParent } from './output-item.ts'
import { OutputPositions } from './output-positions.ts'
import { ReasoningItem } from './reasoning-item.ts'
import { RefusalWriter } from './refusal-writer.ts'
import { Snapshots } from './snapshot.ts'
import { endingOf } from '../stop.ts'
import { TextWriter } from './text-writer.ts'

/** Writes a reply as a response, event by event, whether or not a client sees the events. */
export class ResponseWriter {
  readonly id: string
  readonly #context: ReplyContext
  readonly #frames: Frames
  readonly #items: ItemList
  readonly #places: OutputPositions
  readonly #snapshots: Snapshots
  readonly #namespaces: ReadonlyMap<string, ToolName>
  readonly #parts: PartWriter[] = []
  #hasBegun = false
  #hasRefusal = false
  #stop: Stop = { reason: 'stop' }
  #response: JsonObject | undefined

  constructor(context: ReplyContext, frames: Frames) {
    this.#context = context
    this.#frames = frames
    this.id = context.newId('resp_')
    this.#items = new ItemList(frames, context.newId)
    this.#places = new OutputPositions(frames, this.#items)
    this.#snapshots = new Snapshots(this.id, context)
    this.#namespaces = namespacesOf(context.rawRequest.body)
  }

  get itemIds(): string[] {
    return this.#items.ids
  }

  /** The whole response, once the reply has finished. */
  get response(): JsonObject | undefined {
    return this.#response
  }

  /** Announces the response, once. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const response = this.#snapshots.begun()
    this.#frames.send('response.created', { response })
    this.#frames.send('response.in_progress', { response })
  }

  push(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'delta':
        return this.#parts[event.index]?.delta(event.text, event.logprobs)
      case 'start':
        this.#snapshots.servedIn(event.serviceTier)
        return this.begin()
      case 'part':
        this.#parts[event.index] = this.#writerOf(event)
        return
      case 'signature':
        return this.#parts[event.index]?.sign(event.signature)
      case 'citation':
        return this.#parts[event.index]?.cite(event.citation)
      case 'end':
        return this.#parts[event.index]?.end()
      case 'stop':
        if (event.choice === 0) this.#stop = event.stop
        return
      case 'finish':
        return this.#finish(event.usage)
    }
  }

  /** The response fails, with what it has said so far. */
  fail(error: JsonObject): void {
    const output = this.#items.json()
    const response = this.#snapshots.failed(error, output, this.#said())
    this.#frames.send('response.failed', { response })
  }

  #writerOf({ choice, part }: PartEvent): PartWriter {
    this.begin()
    if (choice !== 0) return this.#dropped('choices', 'a response has one answer')
    switch (part.type) {
      case 'text':
        return new TextWriter(this.#frames, this.#places)
      case 'refusal':
        this.#hasRefusal = true
        return new RefusalWriter(this.#frames, this.#places)
      case 'reasoning':
        return new ReasoningItem(part.form, this.#frames, this.#places)
      case 'tool_call': {
        const name = this.#namespaces.get(part.name) ?? { name: part.name }
        return new CallItem(part, name, this.#frames, this.#places)
      }
      case 'image':
        return this.#picture(part)
      case 'audio':
        return this.#dropped('audio', 'a response has no form for sound')
    }
  }

  #picture({ mediaType, base64 }: { mediaType: string; base64: string }): PartWriter {
    if (base64 === '') return this.#dropped('image', 'a response shows no picture by its address')
    const item = new ImageItem(this.#items.newId('ig_'), mediaType, base64)
    item.begin(this.#frames, this.#places)
    return noParent
  }

  #dropped(field: string, reason: string): PartWriter {
    this.#context.drop(field, reason)
    return noParent
  }

  #finish(usage: GenerateUsage): void {
    this.begin()
    const ending = endingOf(this.#stop, this.#hasRefusal)
    this.#items.finish(ending.status)
    const response = this.#snapshots.ended(ending, this.#items.json(), this.#said(), usage)
    this.#response = response
    this.#frames.send(`response.${ending.status}`, { response })
    this.#frames.done()
  }

  #said(): string {
    return this.#places.messages.map(({ text }) => text).join('')
  }
}
