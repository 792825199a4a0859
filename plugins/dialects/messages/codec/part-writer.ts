import type { Signature } from '../../../../src/generate/content.ts'
import type { BlockStream } from './block-stream.ts'

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
