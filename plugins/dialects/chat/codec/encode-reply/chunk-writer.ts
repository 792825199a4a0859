import type { FrameSink, ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt } from '../../../../../src/lib/json/read.ts'
import { tierOf } from '../usage.ts'

/** The JSON before and after the text within a delta. */
export interface TextSlot {
  readonly before: string
  readonly after: string
}

/** Writes the chunks of one stream. It serialises the members that all chunks share only once. */
export class ChunkWriter {
  readonly id: string
  readonly #context: ReplyContext
  readonly #sink: FrameSink
  readonly #includesUsage: boolean
  /** The start of every chunk, and the end of a chunk that carries a choice. */
  #head = ''
  readonly #tail: string
  /** Chunks with finish reasons. Clients then take the stream for complete, so the end writes them. */
  #finishes = ''

  constructor(context: ReplyContext, sink: FrameSink) {
    const { rawRequest, newId } = context
    this.id = newId('chatcmpl-')
    this.#context = context
    this.#sink = sink
    this.#includesUsage = objectAt(rawRequest.body, 'stream_options')?.include_usage === true
    this.#tail = `}]${this.#includesUsage ? ',"usage":null' : ''}}\n\n`
  }

  /** Starts the stream, now that the context names the model. */
  start(serviceTier: string | undefined): void {
    const { model, now } = this.#context
    const created = Math.floor(now / 1000)
    const common = { id: this.id, object: 'chat.completion.chunk', created, model }
    const tier = serviceTier && tierOf(serviceTier)
    const shared = JSON.stringify(tier ? { ...common, service_tier: tier } : common)
    this.#head = `data: ${shared.slice(0, -1)},"choices":[`
  }

  /** Returns a writer of text deltas of a choice. `slot` is the JSON around the text in the delta. */
  textWriter(choice: number, slot: TextSlot): (text: string) => void {
    const before = this.#before(choice, slot.before)
    const after = `${slot.after},"logprobs":null,"finish_reason":null${this.#tail}`
    return (text) => this.#sink.write(before + JSON.stringify(text) + after)
  }

  #before(choice: number, delta: string): string {
    return `${this.#head}{"index":${choice},"delta":${delta}`
  }

  /** Writes a chunk with one delta. */
  delta(choice: number, delta: JsonObject, logprobs: JsonObject | null = null): void {
    const text = JSON.stringify(delta)
    this.#sink.write(
      `${this.#before(choice, text)},"logprobs":${JSON.stringify(logprobs)},"finish_reason":null${this.#tail}`,
    )
  }

  /** Stores a choice's finish reason for the end of the stream. */
  finish(choice: number, reason: string): void {
    this.#finishes += `${this.#before(choice, '{}')},"logprobs":null,"finish_reason":"${reason}"${this.#tail}`
  }

  /** Writes the last chunks: finish reasons, and the usage if it is known and the client requested it. */
  end(usage: JsonObject | undefined): void {
    const hasUsage = this.#includesUsage && usage
    const usageFrame = hasUsage ? `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n` : ''
    this.#sink.write(`${this.#finishes}${usageFrame}data: [DONE]\n\n`)
  }
}
