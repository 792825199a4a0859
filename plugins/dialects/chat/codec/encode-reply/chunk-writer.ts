import type { FrameSink, ReplyContext, TextFrame } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { textFrame } from '../../../../../src/kit/codec/text-frame.ts'
import { objectAt } from '../../../../../src/lib/json/read.ts'
import type { Around } from './open-part.ts'
import { tierOf } from '../usage.ts'

/** Writes the frames of one stream. What all have in common is put into text once. */
export class ChunkWriter {
  readonly id: string
  readonly #common: string
  readonly #sink: FrameSink
  readonly #tellsUsage: boolean
  /** How every chunk begins, and how one ends that carries a piece of a choice. */
  #head: string
  readonly #tail: string
  /** Why choices finished. Clients take a stream for complete once they know, so the end tells it. */
  #finishes = ''

  constructor({ rawRequest: asked, model, now, newId }: ReplyContext, sink: FrameSink) {
    this.id = newId('chatcmpl-')
    this.#sink = sink
    this.#tellsUsage = objectAt(asked.body, 'stream_options')?.include_usage === true
    const created = Math.floor(now / 1000)
    const common = { id: this.id, object: 'chat.completion.chunk', created, model }
    this.#common = `data: ${JSON.stringify(common).slice(0, -1)},`
    this.#head = `${this.#common}"choices":[`
    this.#tail = `}]${this.#tellsUsage ? ',"usage":null' : ''}}\n\n`
  }

  /** The tier that serves this reply. */
  noteTier(serviceTier: string): void {
    const tier = tierOf(serviceTier)
    if (tier) this.#head = `${this.#common}"service_tier":"${tier}","choices":[`
  }

  /** What stands around the text of one delta after another: `slot` is what does so inside of it. */
  frame(choice: number, slot: Around): TextFrame {
    return textFrame(
      this.#before(choice, slot.before),
      `${slot.after},"logprobs":null,"finish_reason":null${this.#tail}`,
    )
  }

  #before(choice: number, delta: string): string {
    return `${this.#head}{"index":${choice},"delta":${delta}`
  }

  delta(choice: number, delta: JsonObject, logprobs: JsonObject | null = null): void {
    const text = JSON.stringify(delta)
    this.#sink.write(
      `${this.#before(choice, text)},"logprobs":${JSON.stringify(logprobs)},"finish_reason":null${this.#tail}`,
    )
  }

  finish(choice: number, reason: string): void {
    this.#finishes += `${this.#before(choice, '{}')},"logprobs":null,"finish_reason":"${reason}"${this.#tail}`
  }

  /** The last frames: why choices finished, and the usage where the client asked for it and it is known. */
  end(usage: JsonObject | undefined): void {
    const isTold = this.#tellsUsage && usage
    const told = isTold ? `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n` : ''
    this.#sink.write(`${this.#finishes}${told}data: [DONE]\n\n`)
  }
}
