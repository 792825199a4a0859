import type { EventEncoder, FrameSink, ReplyContext } from '../../../../../src/contract/codec.ts'
import type { GatewayError } from '../../../../../src/contract/errors.ts'
import type { ErrorEvent, GenerateEvent } from '../../../../../src/generate/events.ts'
import type { GenerateUsage } from '../../../../../src/generate/result.ts'
import { googleErrorFormat as generateError } from '../../../shared/google-error.ts'
import type { FrameEncoder } from '../../../../../src/contract/framing.ts'
import { sse } from '../../../../../src/kit/framing/sse.ts'
import { emptyChunk } from '../../plain-frames.ts'
import { ChoiceWriter, type ChunkSink, textSlot } from './write-choice.ts'
import { OpenPart } from './open-part.ts'
import { writeUsage } from '../usage.ts'

/**
 * Encodes a stream of chunks for a client. Each chunk has complete parts: text as it arrives, a call once
 * it is complete. The last chunk has the finish reasons, sources and usage.
 */
export class ChunkEncoder implements EventEncoder {
  readonly id: string
  readonly items: string[] = []
  readonly contentType: string
  readonly #context: ReplyContext
  readonly #frames: FrameEncoder
  readonly #sink: FrameSink
  #commonTail: string | undefined
  readonly #parts: OpenPart[] = []
  readonly #choices: ChoiceWriter[] = []

  constructor(context: ReplyContext, sink: FrameSink) {
    this.id = context.newId('')
    this.#context = context
    this.#frames = context.framing.encode()
    this.contentType = context.framing.contentType
    this.#sink = sink
  }

  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'start':
        return
      case 'part': {
        const choice = this.#choice(event.choice)
        const part = new OpenPart(event.part, choice, this.#context)
        this.#parts[event.index] = part
        if (event.part.type === 'tool_call') this.items.push(event.part.id)
        return choice.begin(part)
      }
      case 'delta':
        return this.#part(event.index).append(event.text, event.logprobs)
      case 'signature':
        return this.#part(event.index).sign(event.signature)
      case 'citation':
        return this.#part(event.index).cite(event.citation)
      case 'end':
        return this.#part(event.index).end()
      case 'stop':
        return this.#choice(event.choice).stop(event.stop)
      case 'finish':
        return this.#finish(event.usage)
    }
  }

  /** Resets the connection after the error, because the oldest SDK treats it as an empty chunk. */
  fail(error: GatewayError): 'reset' {
    this.#write(JSON.stringify(generateError(error).body))
    return 'reset'
  }

  keepAlive(): string {
    const { framing } = this.#context
    return framing === sse ? `data: ${emptyChunk}\n\n` : (framing.keepAlive ?? '')
  }

  /** The end of every chunk. */
  get #tail(): string {
    const { model } = this.#context
    return (this.#commonTail ??= `,"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(this.id)}}`)
  }

  #write(data: string): void {
    this.#sink.write(this.#frames.frame({ data }))
  }

  #part(index: number): OpenPart {
    const part = this.#parts[index]
    if (!part) throw new Error(`Part ${index} has not begun.`)
    return part
  }

  #choice(choice: number): ChoiceWriter {
    return (this.#choices[choice] ??= new ChoiceWriter(choice, this.#chunksOf(choice)))
  }

  #chunksOf(choice: number): ChunkSink {
    const sink = this.#sink
    const head = '{"candidates":['
    const tail = `]${this.#tail}`
    const write = (candidate: string) => this.#write(head + candidate + tail)
    // Elements of an array begin in two ways.
    if (this.#context.framing !== sse) return { write }
    const { before, after } = textSlot(choice)
    const start = `data: ${head}${before}`
    const end = `${after}${tail}\n\n`
    return { write, writeText: (text) => sink.write(start + JSON.stringify(text) + end) }
  }

  #finish(usage: GenerateUsage): void {
    const candidates = this.#choices.map((choice) => JSON.stringify(choice.ending)).join(',')
    const usageMetadata = writeUsage(usage)
    const metadata = usageMetadata ? `,"usageMetadata":${JSON.stringify(usageMetadata)}` : ''
    const chunk = `{"candidates":[${candidates}]${metadata}${this.#tail}`
    this.#write(chunk)
    this.#sink.write(this.#frames.end())
  }
}
