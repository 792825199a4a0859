import { dataOfFrames } from './plain-frames.ts'

/** One JSON array that grows: how a stream is framed for clients that did not ask for events. */
export class ArrayFraming {
  #begun = false

  /** The same JSON texts, as elements. */
  elements(frames: Buffer): Buffer {
    return Buffer.from(
      dataOfFrames(frames)
        .map((text) => this.#separator() + text)
        .join(''),
    )
  }

  close(): Buffer {
    return Buffer.from(this.#begun ? ']' : '[]')
  }

  /** An error as the last element of an array that stays open: no parser takes it for complete. */
  broken(error: unknown): Buffer {
    return Buffer.from(this.#separator() + JSON.stringify(error))
  }

  #separator(): string {
    const separator = this.#begun ? ',\n' : '['
    this.#begun = true
    return separator
  }
}
