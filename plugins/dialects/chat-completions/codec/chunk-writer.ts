import type { JsonObject, ReplyContext } from '../../../../src/codec.ts'
import { part } from '../../../../src/usage.ts'
import { tierOf } from './service-tier.ts'

/** Writes the frames of one stream. What all have in common is put into text once. */
export class ChunkWriter {
  readonly id: string
  readonly #common: string
  readonly #write: (frames: string) => void
  readonly #tellsUsage: boolean
  /** How every chunk begins, and how one ends that carries a piece of a choice. */
  #head: string
  readonly #tail: string
  /** Why choices finished. Clients take a stream for complete once they know, so the end tells it. */
  #finishes = ''

  constructor({ asked, model, now, newId }: ReplyContext, write: (frames: string) => void) {
    this.id = newId('chatcmpl-')
    this.#write = write
    this.#tellsUsage = part(asked.body, 'stream_options')?.include_usage === true
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

  /** What stands before a piece of text, with the start of the delta in which it stands. */
  before(choice: number, delta: string): string {
    return `${this.#head}{"index":${choice},"delta":${delta}`
  }

  /** What stands after it, with the end of the delta. */
  after(delta: string): string {
    return `${delta},"logprobs":null,"finish_reason":null${this.#tail}`
  }

  delta(choice: number, delta: JsonObject, logprobs: JsonObject | null = null): void {
    const text = JSON.stringify(delta)
    this.#write(
      `${this.before(choice, text)},"logprobs":${JSON.stringify(logprobs)},"finish_reason":null${this.#tail}`,
    )
  }

  finish(choice: number, reason: string): void {
    this.#finishes += `${this.before(choice, '{}')},"logprobs":null,"finish_reason":"${reason}"${this.#tail}`
  }

  /** The last frames: why choices finished, and the usage where the client asked for it and it is known. */
  end(usage: JsonObject | undefined): void {
    const isTold = this.#tellsUsage && usage
    const told = isTold ? `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n` : ''
    this.#write(`${this.#finishes}${told}data: [DONE]\n\n`)
  }
}
