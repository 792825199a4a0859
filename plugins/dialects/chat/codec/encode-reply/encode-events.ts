import type { EventEncoder, FrameSink, ReplyContext } from '../../../../../src/contract/codec.ts'
import { errorEnvelope } from '../../../../../src/kit/error-envelope.ts'
import type { GatewayError } from '../../../../../src/contract/errors.ts'
import type { Signature } from '../../../../../src/generate/content.ts'
import type {
  DeltaEvent,
  ErrorEvent,
  GenerateEvent,
  PartEvent,
} from '../../../../../src/generate/events.ts'
import type { Stop } from '../../../../../src/generate/result.ts'
import { safeToolId } from '../../../../../src/generate/call-ids.ts'
import { formatFrame } from '../../../../../src/lib/sse.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { usesFunctions } from './encode-message.ts'
import { detailsIn, extraContent } from '../signatures.ts'
import { writeLogprobs } from '../logprobs.ts'
import { type OpenPart, PartOpener, WrittenChoice } from './open-part.ts'
import { finishReasonOf, defaultRefusal } from '../stop.ts'
import { writeUsage } from '../usage.ts'

/** Encodes the events of one stream as chunks for a client. */
export class ChatEventEncoder implements EventEncoder {
  readonly contentType = 'text/event-stream; charset=utf-8'
  readonly id: string
  readonly items: string[] = []
  readonly #chunks: ChunkWriter
  readonly #opener: PartOpener
  readonly #isLegacy: boolean
  readonly #sink: FrameSink
  readonly #context: ReplyContext
  readonly #parts: (OpenPart | undefined)[] = []
  readonly #choices: WrittenChoice[] = []

  constructor(context: ReplyContext, sink: FrameSink) {
    this.#chunks = new ChunkWriter(context, sink)
    this.#opener = new PartOpener(this.#chunks, context)
    this.#isLegacy = usesFunctions(context.rawRequest.body)
    this.#sink = sink
    this.#context = context
    this.id = this.#chunks.id
  }

  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'delta':
        return this.#writeDelta(event)
      case 'start':
        this.#chunks.start(event.serviceTier)
        this.#choiceOf(0)
        return
      case 'part':
        return this.#open(event)
      case 'signature':
        return this.#sign(this.#part(event.index), event.signature)
      case 'citation':
        this.#part(event.index).citations.push(event.citation)
        return
      case 'end':
        return this.#end(event.index)
      case 'stop':
        return this.#stop(event.choice, event.stop)
      case 'finish':
        return this.#chunks.end(writeUsage(event.usage))
    }
  }

  fail(error: GatewayError): 'end' {
    this.#sink.write(formatFrame(undefined, errorEnvelope(error, this.#context).body))
    return 'end'
  }

  keepAlive(): string {
    return ': keep-alive\n\n'
  }

  #writeDelta({ index, text, logprobs }: DeltaEvent): void {
    const part = this.#part(index)
    if (part.type === 'text') this.#choiceOf(part.choice).length += text.length
    if (logprobs) {
      this.#chunks.delta(part.choice, { content: text }, writeLogprobs(logprobs))
    } else part.write?.(part.isEmpty ? part.separator + text : text)
    part.isEmpty = false
  }

  #open(event: PartEvent): void {
    const written = this.#choiceOf(event.choice)
    if (event.part.type === 'tool_call') this.items.push(safeToolId(event.part.id))
    if (event.part.type !== 'text') this.#annotate(event.choice, written)
    this.#parts[event.index] = this.#opener.open(event, written)
  }

  /** Writes a signature together with an empty input, because clients with schemas require one. */
  #sign({ choice, call, isFunction }: OpenPart, signature: Signature): void {
    const details = detailsIn(signature)
    if (details.length > 0) return this.#chunks.delta(choice, { reasoning_details: details })
    if (call === undefined) return
    const emptyInput = isFunction ? { function: { arguments: '' } } : { custom: { input: '' } }
    this.#chunks.delta(choice, {
      tool_calls: [{ index: call, ...emptyInput, extra_content: extraContent(signature) }],
    })
  }

  #end(index: number): void {
    const part = this.#part(index)
    if (part.isEmpty && part.isFunction) part.write?.('{}')
    this.#choiceOf(part.choice).note(part)
    this.#parts[index] = undefined
  }

  #stop(choice: number, stop: Stop): void {
    const written = this.#choiceOf(choice)
    const { hasRefusal } = written
    const lacksText = stop.reason === 'refused' && !hasRefusal
    this.#annotate(choice, written)
    if (lacksText) this.#chunks.delta(choice, { refusal: defaultRefusal })
    const reason = finishReasonOf(stop, hasRefusal)
    const isCall = this.#isLegacy && reason === 'tool_calls'
    this.#chunks.finish(choice, isCall ? 'function_call' : reason)
  }

  #annotate(choice: number, written: WrittenChoice): void {
    const annotations = written.takeAnnotations()
    if (annotations.length > 0) this.#chunks.delta(choice, { annotations })
  }

  /** Returns the state of a choice; writes its role first, which clients require. */
  #choiceOf(choice: number): WrittenChoice {
    const existing = this.#choices[choice]
    if (existing) return existing
    const written = new WrittenChoice()
    this.#choices[choice] = written
    this.#chunks.delta(choice, { role: 'assistant', content: '' })
    return written
  }

  #part(index: number): OpenPart {
    const part = this.#parts[index]
    if (!part) throw new Error(`Part ${index} is not open.`)
    return part
  }
}
