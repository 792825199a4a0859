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

/** Writes a streamed message. Of parts that are open at once, the later ones wait. */
export class MessageEncoder implements EventEncoder {
  readonly contentType = 'text/event-stream; charset=utf-8'
  readonly id: string
  readonly items: string[] = []
  readonly #context: ReplyContext
  readonly #sink: FrameSink
  readonly #blocks: BlockStream
  readonly #writers: PartWriter[] = []
  /** The part that is being written. */
  #turn = 0
  #stop: Stop = { reason: 'stop' }
  #calls = false
  #refusal = false
  #citations = false
  #choices = false

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
        if (!this.#citations) dropCitations(this.#context)
        this.#citations = true
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
    const { body } = messagesError(error, { id: this.#context.requestId })
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
    else if (part.type === 'refusal') this.#refusal = true
    const writer = writerOf(part, choice, this.#blocks, this.#context)
    this.#writers[index] = writer
    if (index === this.#turn) writer.begin()
  }

  #noteCall(id: string): void {
    this.#calls = true
    this.items.push(safeToolId(id))
  }

  #dropChoice(): void {
    if (!this.#choices) dropChoices(this.#context)
    this.#choices = true
  }

  #end(index: number): void {
    const ended = this.#writers[index]
    if (ended) ended.hasEnded = true
    for (
      let writer = this.#writers[this.#turn];
      writer?.hasEnded;
      writer = this.#writers[this.#turn]
    ) {
      writer.finish()
      this.#turn++
      this.#writers[this.#turn]?.begin()
    }
  }

  #finish(usage: GenerateUsage): void {
    const delta = writeStop(this.#stop, { calls: this.#calls, refusal: this.#refusal })
    const told = { type: 'message_delta', delta, usage: writeDeltaUsage(usage) }
    this.#sink.write(formatFrame('message_delta', told))
    this.#sink.write(formatFrame('message_stop', { type: 'message_stop' }))
  }
}
