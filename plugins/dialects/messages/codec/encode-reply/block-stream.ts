import type { FrameSink, TextFrame } from '../../../../../src/contract/codec.ts'
import type { Signature } from '../../../../../src/generate/content.ts'
import { textFrame } from '../../../../../src/kit/codec/text-frame.ts'

const thinkingBlock = /^{"type":"(?:redacted_)?thinking"/

/** Writes the blocks of a streamed message one after the other: blocks never interleave. */
export class BlockStream {
  readonly #sink: FrameSink
  #index = -1
  /** The frame for deltas of the open block, and the kind of these deltas. */
  #frame: TextFrame | undefined
  #kind = ''
  /** Whether a block of thinking has been written. */
  hasThinking = false

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  /** Opens a block. `block` is its JSON text. */
  open(block: string): void {
    this.#index++
    this.#frame = undefined
    this.hasThinking ||= thinkingBlock.test(block)
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

/** The JSON text of a thinking block that opens. */
export const emptyThinking = '{"type":"thinking","thinking":"","signature":""}'

/** Writes one part of a reply. It buffers text until the parts before it have ended. */
export abstract class PartWriter {
  protected readonly blocks: BlockStream
  protected signature: Signature | undefined
  /** Whether the part has ended. */
  hasEnded = false
  #isLive = false
  #buffered = ''

  constructor(blocks: BlockStream) {
    this.blocks = blocks
  }

  add(text: string): void {
    if (this.#isLive) this.write(text)
    else this.#buffered += text
  }

  sign(signature: Signature): void {
    this.signature = signature
  }

  /** Writes the buffered text. Later text is written at once. */
  begin(): void {
    this.#isLive = true
    if (this.#buffered !== '') this.write(this.#buffered)
  }

  protected abstract write(text: string): void

  abstract finish(): void

  /** Writes a thinking block that carries a signature of another dialect. The client sends it back. */
  protected writeCarrier(token: string | undefined): void {
    if (token === undefined) return
    this.blocks.open(emptyThinking)
    this.blocks.addSignature(token)
    this.blocks.close()
  }
}
