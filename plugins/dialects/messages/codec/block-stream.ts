const thoughts = /^{"type":"(?:redacted_)?thinking"/

/** Writes the blocks of a streamed message, one after the other, as they never interleave. */
export class BlockStream {
  readonly #write: (frames: string) => void
  #index = -1
  /** Whether a block of thoughts was among them. */
  hasThoughts = false

  constructor(write: (frames: string) => void) {
    this.#write = write
  }

  /** `block` is JSON. */
  open(block: string): void {
    this.#index++
    this.hasThoughts ||= thoughts.test(block)
    this.#write(
      `event: content_block_start\ndata: {"type":"content_block_start","index":${this.#index},"content_block":${block}}\n\n`,
    )
  }

  addText(text: string): void {
    this.#add(`{"type":"text_delta","text":${JSON.stringify(text)}}`)
  }

  addThinking(text: string): void {
    this.#add(`{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`)
  }

  addInput(json: string): void {
    this.#add(`{"type":"input_json_delta","partial_json":${JSON.stringify(json)}}`)
  }

  addSignature(signature: string): void {
    this.#add(`{"type":"signature_delta","signature":${JSON.stringify(signature)}}`)
  }

  close(): void {
    this.#write(
      `event: content_block_stop\ndata: {"type":"content_block_stop","index":${this.#index}}\n\n`,
    )
  }

  #add(delta: string): void {
    this.#write(
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":${delta}}\n\n`,
    )
  }
}
