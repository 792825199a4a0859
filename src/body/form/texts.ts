import { isUtf8 } from 'node:buffer'

import { GatewayError } from '../../contract/errors.ts'
import type { FormPart } from '../../contract/body.ts'
import { invalidForm } from './boundary.ts'
import { shorten } from './part-head.ts'

/** The longest text that is stored in memory, in bytes. */
const maxTextBytes = 1024 * 1024

/** The most bytes that all texts of a form may have in memory. */
const maxTotalTextBytes = 4 * 1024 * 1024

/** Collects the text parts of a form as they arrive. */
export class FormTexts {
  readonly #texts = new Map<string, string | undefined>()
  #chunks: Buffer[] = []
  #length = 0
  #total = 0

  /** Adds a piece of the current text. Its last two bytes may be the line break before a boundary. */
  add(content: Buffer): void {
    this.#length += content.length
    if (this.#length > maxTextBytes + 2) this.#chunks = []
    // Copied, so that a short text does not keep its whole chunk in memory.
    else if (content.length > 0) this.#chunks.push(Buffer.from(content))
  }

  /** Ends the current text. Throws `GatewayError` 400 or 413. */
  end(part: FormPart): void {
    const length = part.end - part.start
    const isInMemory = length <= maxTextBytes
    const bytes = isInMemory ? Buffer.concat(this.#chunks).subarray(0, length) : undefined
    this.#chunks = []
    this.#length = 0
    if (bytes && !isUtf8(bytes)) {
      throw invalidForm(`The part \`${shorten(part.name)}\` of the form is not valid UTF-8.`)
    }
    if (this.#texts.has(part.name)) return
    this.#total += isInMemory ? length : 0
    if (this.#total > maxTotalTextBytes) {
      throw new GatewayError(
        'request_too_large',
        `The texts of the form exceed ${maxTotalTextBytes} bytes.`,
      )
    }
    this.#texts.set(part.name, bytes?.toString())
  }

  /** The first text of this name. Throws `GatewayError` 413 if it is too long for memory. */
  get(name: string): string | undefined {
    const text = this.#texts.get(name)
    if (text === undefined && this.#texts.has(name)) {
      throw new GatewayError(
        'request_too_large',
        `\`${shorten(name)}\` exceeds ${maxTextBytes} bytes.`,
        { param: name },
      )
    }
    return text
  }
}
