import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ErrorEvent, GenerateEvent, PartEvent } from '../../../../../src/generate/events.ts'
import type { GenerateUsage, Stop } from '../../../../../src/generate/result.ts'
import { CallItem } from './call-item.ts'
import type { Frames } from './frames.ts'
import { ImageItem } from './image-item.ts'
import { ItemList } from './item-list.ts'
import { type ToolName, namespacesOf } from '../namespaces.ts'
import { type PartWriter, noopWriter } from './output-item.ts'
import { OutputPositions } from './output-positions.ts'
import { ReasoningItem } from './reasoning-item.ts'
import { RefusalWriter } from './refusal-writer.ts'
import { Snapshots } from './snapshot.ts'
import { endingOf } from '../stop.ts'
import { TextWriter } from './text-writer.ts'

/** Builds a response from neutral events, and writes its frames if `frames` has a sink. */
export class ResponseWriter {
  readonly id: string
  readonly #context: ReplyContext
  readonly #frames: Frames
  readonly #items: ItemList
  readonly #positions: OutputPositions
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
    this.#positions = new OutputPositions(frames, this.#items)
    this.#snapshots = new Snapshots(this.id, context)
    this.#namespaces = namespacesOf(context.rawRequest.body)
  }

  get itemIds(): string[] {
    return this.#items.ids
  }

  /** The complete response, once the reply has finished. */
  get response(): JsonObject | undefined {
    return this.#response
  }

  /** Announces the response; later calls have no effect. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const response = this.#snapshots.started()
    this.#frames.send('response.created', { response })
    this.#frames.send('response.in_progress', { response })
  }

  /** Encodes one event. */
  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'delta':
        return this.#parts[event.index]?.delta(event.text, event.logprobs)
      case 'start':
        this.#snapshots.setServiceTier(event.serviceTier)
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

  /** Ends the response as failed, with the output so far. */
  fail(error: JsonObject): void {
    const output = this.#items.json()
    const response = this.#snapshots.failed(error, output, this.#outputText())
    this.#frames.send('response.failed', { response })
  }

  #writerOf({ choice, part }: PartEvent): PartWriter {
    this.begin()
    if (choice !== 0) return this.#drop('choices', 'a response has a single choice')
    switch (part.type) {
      case 'text':
        return new TextWriter(this.#frames, this.#positions)
      case 'refusal':
        this.#hasRefusal = true
        return new RefusalWriter(this.#frames, this.#positions)
      case 'reasoning':
        return new ReasoningItem(part.form, this.#frames, this.#positions)
      case 'tool_call': {
        const name = this.#namespaces.get(part.name) ?? { name: part.name }
        return new CallItem(part, name, this.#frames, this.#positions)
      }
      case 'image':
        return this.#imageWriter(part)
      case 'audio':
        return this.#drop('audio', 'a response cannot contain audio')
    }
  }

  #imageWriter({ mediaType, base64 }: { mediaType: string; base64: string }): PartWriter {
    if (base64 === '') return this.#drop('image', 'a response cannot contain an image by URL')
    const item = new ImageItem(this.#items.newId('ig_'), mediaType, base64)
    item.begin(this.#frames, this.#positions)
    return noopWriter
  }

  #drop(field: string, reason: string): PartWriter {
    this.#context.drop(field, reason)
    return noopWriter
  }

  #finish(usage: GenerateUsage): void {
    this.begin()
    const ending = endingOf(this.#stop, this.#hasRefusal)
    this.#items.finish(ending.status)
    const response = this.#snapshots.finished(ending, this.#items.json(), this.#outputText(), usage)
    this.#response = response
    this.#frames.send(`response.${ending.status}`, { response })
    this.#frames.done()
  }

  #outputText(): string {
    return this.#positions.messages.map(({ text }) => text).join('')
  }
}
