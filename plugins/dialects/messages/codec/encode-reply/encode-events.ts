import type { EventEncoder, FrameSink, ReplyContext } from '../../../../../src/contract/codec.ts'
import type { GatewayError } from '../../../../../src/contract/errors.ts'
import type { ErrorEvent, GenerateEvent, PartEvent } from '../../../../../src/generate/events.ts'
import type { GenerateUsage, Stop } from '../../../../../src/generate/result.ts'
import { safeToolId } from '../../../../../src/generate/call-ids.ts'
import { formatFrame } from '../../../../../src/lib/sse.ts'
import { messagesError } from '../../errors.ts'
import { BlockStream, type PartWriter } from './block-stream.ts'
import { writerOf } from './part-writers.ts'
import { dropChoices, dropCitations } from './reply-blocks.ts'
import { writeStop } from '../stop.ts'
import { writeDeltaUsage, writeUsage } from '../usage.ts'

const ping = formatFrame('ping', { type: 'ping' })

/** Encodes a streamed message. Where several parts are open at once, the later ones wait. */
export class MessageEncoder implements EventEncoder {
  readonly contentType = 'text/event-stream; charset=utf-8'
  readonly id: string
  readonly items: string[] = []
  readonly #context: ReplyContext
  readonly #sink: FrameSink
  readonly #blocks: BlockStream
  readonly #writers: PartWriter[] = []
  /** The index of the part that is written now. */
  #current = 0
  #stop: Stop = { reason: 'stop' }
  #hasCalls = false
  #hasRefusal = false
  #hasDroppedCitations = false
  #hasDroppedChoices = false

  constructor(context: ReplyContext, sink: FrameSink) {
    this.id = context.newId('msg_')
    this.#context = context
    this.#sink = sink
    this.#blocks = new BlockStream(sink)
  }

  encode(event: Exclude<GenerateEvent, ErrorEvent>): void {
    switch (event.type) {
      case 'delta':
        return this.#writers[event.index]?.add(event.text)
      case 'part':
        return this.#begin(event)
      case 'end':
        return this.#end(event.index)
      case 'signature':
        return this.#writers[event.index]?.sign(event.signature)
      case 'citation':
        if (!this.#hasDroppedCitations) dropCitations(this.#context)
        this.#hasDroppedCitations = true
        return
      case 'start':
        return this.#start(event.serviceTier)
      case 'stop':
        if (event.choice === 0) this.#stop = event.stop
        return
      case 'finish':
        this.#finish(event.usage)
    }
  }

  fail(error: GatewayError): 'end' {
    const { requestId, errors } = this.#context
    const { body } = messagesError(error, { id: requestId, ...(errors && { errors }) })
    this.#sink.write(formatFrame('error', body))
    return 'end'
  }

  keepAlive(): string {
    return ping
  }

  #start(serviceTier: string | undefined): void {
    const message = {
      id: this.id,
      type: 'message',
      role: 'assistant',
      model: this.#context.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: writeUsage({}, serviceTier),
    }
    this.#sink.write(formatFrame('message_start', { type: 'message_start', message }))
  }

  #begin({ index, choice, part }: PartEvent): void {
    if (choice > 0) this.#dropChoice()
    else if (part.type === 'tool_call') this.#noteCall(part.id)
    else if (part.type === 'refusal') this.#hasRefusal = true
    const writer = writerOf(part, choice, this.#blocks, this.#context)
    this.#writers[index] = writer
    if (index === this.#current) writer.begin()
  }

  #noteCall(id: string): void {
    this.#hasCalls = true
    this.items.push(safeToolId(id))
  }

  #dropChoice(): void {
    if (!this.#hasDroppedChoices) dropChoices(this.#context)
    this.#hasDroppedChoices = true
  }

  #end(index: number): void {
    const ended = this.#writers[index]
    if (ended) ended.hasEnded = true
    for (
      let writer = this.#writers[this.#current];
      writer?.hasEnded;
      writer = this.#writers[this.#current]
    ) {
      writer.finish()
      this.#current++
      this.#writers[this.#current]?.begin()
    }
  }

  #finish(usage: GenerateUsage): void {
    const contents = { hasCalls: this.#hasCalls, hasRefusal: this.#hasRefusal }
    const delta = writeStop(this.#stop, contents)
    const event = { type: 'message_delta', delta, usage: writeDeltaUsage(usage) }
    this.#sink.write(formatFrame('message_delta', event))
    this.#sink.write(formatFrame('message_stop', { type: 'message_stop' }))
  }
}
