import {
  type ErrorEvent,
  type EventEncoder,
  formatFrame,
  type FrameSink,
  type GatewayError,
  type GenerateEvent,
  type GenerateUsage,
  type PartHead,
  type ReplyContext,
  safeToolId,
  type Stop,
  textFrame,
} from '../../../../../src/dialect-kit/index.ts'
import { coughFrame, keepAliveFrame } from '../../frames.ts'
import { encodeCall } from '../calls.ts'
import { encodeEnd } from '../ending.ts'
import { encodeTally } from '../tally.ts'
import { dropCitations, dropPart } from './drop.ts'

/** The bytes around the text of a `word` frame: with them the gateway may copy texts from frame to frame. */
const wordFrame = textFrame('event: word\ndata: {"word":', '}\n\n')

interface OpenPart {
  readonly head: PartHead
  /** The arguments of a call so far: a call is written whole. */
  text: string
}

/** Writes the frames of a stream for a client. */
export class ShoutEncoder implements EventEncoder {
  readonly contentType = 'text/event-stream'
  readonly id: string
  readonly items: string[] = []
  readonly #context: ReplyContext
  readonly #sink: FrameSink
  readonly #parts = new Map<number, OpenPart>()
  #stop: Stop = { reason: 'stop' }

  constructor(context: ReplyContext, sink: FrameSink) {
    this.id = context.newId('shout_')
    this.#context = context
    this.#sink = sink
  }

  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'start':
        return this.#write('breath', { id: this.id, voice: this.#context.model })
      case 'part':
        dropPart(event.part.type, this.#context)
        this.#parts.set(event.index, { head: event.part, text: '' })
        return
      case 'delta':
        return this.#add(event.index, event.text)
      case 'citation':
        return dropCitations(this.#context)
      case 'end':
        return this.#end(event.index)
      case 'stop':
        this.#stop = event.stop
        return
      case 'finish':
        return this.#finish(event.usage)
    }
  }

  fail(error: GatewayError): 'end' {
    this.#sink.write(coughFrame(error, this.#context.requestId))
    return 'end'
  }

  keepAlive(): string {
    return keepAliveFrame
  }

  #add(index: number, text: string): void {
    const part = this.#parts.get(index)
    if (part?.head.type === 'tool_call') part.text += text
    else if (part?.head.type === 'text' || part?.head.type === 'refusal') {
      this.#sink.writeText(wordFrame, text)
    }
  }

  #end(index: number): void {
    const { head, text } = this.#parts.get(index) ?? {}
    this.#parts.delete(index)
    if (head?.type !== 'tool_call' || text === undefined) return
    this.items.push(safeToolId(head.id))
    this.#write('call', encodeCall({ ...head, arguments: text }))
  }

  #finish(usage: GenerateUsage): void {
    const end = encodeEnd(this.#stop)
    const { model: voice } = this.#context
    this.#write('hush', { id: this.id, voice, end, ...encodeTally(usage) })
  }

  #write(name: string, data: object): void {
    this.#sink.write(formatFrame(name, data))
  }
}
