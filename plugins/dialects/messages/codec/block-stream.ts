import type { FrameSink, TextFrame } from '../../../../src/codec.ts'
import { textFrame } from '../../../../src/codecs/text-frame.ts'

const thoughts = /^{"type":"(?:redacted_)?thinking"/

/** Writes the blocks of a streamed message, one after the other, as they never interleave. */
export class BlockStream {
  readonly #sink: FrameSink
  #index = -1
  /** Of the block that is open, and what kind of delta stands in it. */
  #frame: TextFrame | undefined
  #kind = ''
  /** Whether a block of thoughts was among them. */
  hasThoughts = false

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  /** `block` is JSON. */
  open(block: string): void {
    this.#index++
    this.#frame = undefined
    this.hasThoughts ||= thoughts.test(block)
    this.#sink.write(
      `event: content_block_start\ndata: {"type":"content_block_start","index":${this.#index},"content_block":${block}}\n\n`,
    )
  }

  addText(text: string): void {
    this.#add('"text_delta","text"', text)
  }

  addThinking(text: string): void {
    this.#add('"thinking_delta","thinking"', text)
  }

  addInput(json: string): void {
    this.#add('"input_json_delta","partial_json"', json)
  }

  addSignature(signature: string): void {
    this.#add('"signature_delta","signature"', signature)
  }

  close(): void {
    this.#sink.write(
      `event: content_block_stop\ndata: {"type":"content_block_stop","index":${this.#index}}\n\n`,
    )
  }

  /** `kind` is the type of the delta and the name of its text, as JSON. */
  #add(kind: string, text: string): void {
    if (!this.#frame || kind !== this.#kind) {
      this.#kind = kind
      this.#frame = textFrame(
        `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":{"type":${kind}:`,
        '}}\n\n',
      )
    }
    this.#sink.writeText(this.#frame, text)
  }
}
