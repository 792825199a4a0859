import type { EventEncoder, FrameSink, ReplyContext } from '../../contract/codec.ts'
import type { GatewayError } from '../../contract/errors.ts'
import type { FrameEncoder } from '../../contract/framing.ts'
import { safeToolId } from '../../generate/call-ids.ts'
import type { AssistantPart } from '../../generate/content.ts'
import type { ErrorEvent, GenerateEvent, PartHead } from '../../generate/events.ts'
import type { GenerateUsage, Stop } from '../../generate/result.ts'
import type { JsonObject } from '../../lib/json/object.ts'

/** The end of a reply. */
export interface ReplyEnd {
  readonly stop: Stop
  readonly usage: GenerateUsage
}

/** How a `PieceEncoder` writes. */
export interface PieceWriter {
  /** The beginning of the reply's id. */
  readonly prefix: string
  /** The data of a frame with the next pieces of the reply; with `end`, of its last frame. */
  write(context: ReplyContext, pieces: readonly AssistantPart[], end?: ReplyEnd): JsonObject
  /** The data of the last frame of a broken stream. */
  fail(error: GatewayError): JsonObject
}

/**
 * Encodes streams of dialects whose frames are pieces of one reply without names: each text as it comes, a
 * tool call when it is whole, an image or audio as it begins.
 */
export class PieceEncoder implements EventEncoder {
  readonly id: string
  readonly items: string[] = []
  readonly #context: ReplyContext
  readonly #sink: FrameSink
  readonly #writer: PieceWriter
  readonly #frames: FrameEncoder
  /** The open parts, and the arguments of calls so far. */
  readonly #open = new Map<number, { readonly head: PartHead; text: string }>()
  #stop: Stop = { reason: 'stop' }

  constructor(context: ReplyContext, sink: FrameSink, writer: PieceWriter) {
    this.id = context.newId(writer.prefix)
    this.#context = context
    this.#sink = sink
    this.#writer = writer
    this.#frames = context.framing.encode()
  }

  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'part':
        return this.#begin(event.index, event.part)
      case 'delta':
        return this.#add(event.index, event.text)
      case 'end':
        return this.#end(event.index)
      case 'stop':
        this.#stop = event.stop
        return
      case 'finish':
        this.#frame(this.#write([], { stop: this.#stop, usage: event.usage }))
        this.#sink.write(this.#frames.end())
    }
  }

  fail(error: GatewayError): 'end' | 'reset' {
    this.#frame(this.#writer.fail(error), true)
    return this.#context.framing.hasEnd ? 'reset' : 'end'
  }

  #begin(index: number, head: PartHead): void {
    this.#open.set(index, { head, text: '' })
    if (head.type !== 'image' && head.type !== 'audio') return
    const { type, mediaType, base64 } = head
    this.#frame(this.#write([{ type, mediaType, source: { kind: 'data', base64 } }]))
  }

  #add(index: number, text: string): void {
    const part = this.#open.get(index)
    switch (part?.head.type) {
      case 'text':
      case 'refusal':
      case 'reasoning':
        return this.#frame(this.#write([{ ...part.head, text }]))
      case 'tool_call':
        part.text += text
    }
  }

  #end(index: number): void {
    const { head, text = '' } = this.#open.get(index) ?? {}
    this.#open.delete(index)
    if (head?.type !== 'tool_call') return
    this.items.push(safeToolId(head.id))
    this.#frame(this.#write([{ ...head, arguments: text }]))
  }

  #write(pieces: readonly AssistantPart[], end?: ReplyEnd): JsonObject {
    return this.#writer.write(this.#context, pieces, end)
  }

  #frame(data: JsonObject, isError = false): void {
    this.#sink.write(this.#frames.frame({ data: JSON.stringify(data), isError }))
  }
}
