import type { FrameSink } from '../../../../../src/contract/codec.ts'
import type { Signature } from '../../../../../src/generate/content.ts'

const thinkingBlock = /^{"type":"(?:redacted_)?thinking"/

/** Writes the blocks of a streamed message one after the other: blocks never interleave. */
export class BlockStream {
  readonly #sink: FrameSink
  #index = -1
  /** The frame of deltas of the open block up to their text, and the kind of these deltas. */
  #beforeText = ''
  #kind = ''
  /** Whether a block of thinking has been written. */
  hasThinking = false

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  /** Opens a block. `block` is its JSON text. */
  open(block: string): void {
    this.#index++
    this.#kind = ''
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
    if (kind !== this.#kind) {
      this.#kind = kind
      this.#beforeText = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":{"type":${kind}:`
    }
    this.#sink.write(`${this.#beforeText}${JSON.stringify(text)}}}\n\n`)
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
