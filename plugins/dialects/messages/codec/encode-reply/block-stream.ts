import type { FrameSink, TextFrame } from '../../../../../src/contract/codec.ts'
import type { Signature } from '../../../../../src/generate/content.ts'
import { textFrame } from '../../../../../src/kit/codec/text-frame.ts'

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

export const emptyThinking = '{"type":"thinking","thinking":"","signature":""}'

/** Writes a part of a reply. Until it is its turn, it keeps what comes. */
export abstract class PartWriter {
  protected readonly blocks: BlockStream
  protected signature: Signature | undefined
  /** Nothing more comes. */
  hasEnded = false
  #isLive = false
  #kept = ''

  constructor(blocks: BlockStream) {
    this.blocks = blocks
  }

  add(text: string): void {
    if (this.#isLive) this.write(text)
    else this.#kept += text
  }

  sign(signature: Signature): void {
    this.signature = signature
  }

  /** From now on it writes what comes. */
  begin(): void {
    this.#isLive = true
    if (this.#kept !== '') this.write(this.#kept)
  }

  protected abstract write(text: string): void

  abstract finish(): void

  /** A signature of another dialect, which the client keeps and sends back. */
  protected carry(token: string | undefined): void {
    if (token === undefined) return
    this.blocks.open(emptyThinking)
    this.blocks.addSignature(token)
    this.blocks.close()
  }
}
