import type { JsonObject } from '../../../../src/codec.ts'

/** Writes events with their numbers. Without anything to write to, it is silent. */
export class Frames {
  readonly #write: ((frames: string) => void) | undefined
  #number = 0

  constructor(write?: (frames: string) => void) {
    this.#write = write
  }

  /** How many events there have been. */
  get count(): number {
    return this.#number
  }

  send(type: string, fields: JsonObject): void {
    if (!this.#write) return
    const data = JSON.stringify({ type, sequence_number: this.#number++, ...fields })
    this.#write(`event: ${type}\ndata: ${data}\n\n`)
  }

  /** One of many events that differ in their text alone; `head` comes from `deltaHead`. */
  delta(head: string, text: string): void {
    if (!this.#write) return
    this.#write(`${head}${JSON.stringify(text)},"sequence_number":${this.#number++}}\n\n`)
  }

  /** Open Responses demands it; nobody minds it. */
  done(): void {
    this.#write?.('data: [DONE]\n\n')
  }
}

/** What the delta events of one part have in common, up to their text. */
export function deltaHead(type: string, place: JsonObject): string {
  const fields = JSON.stringify({ type, ...place }).slice(0, -1)
  return `event: ${type}\ndata: ${fields},"delta":`
}
