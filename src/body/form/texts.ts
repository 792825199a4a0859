import { isUtf8 } from 'node:buffer'

import { GatewayError } from '../../contract/errors.ts'
import type { FormPart } from '../../contract/body.ts'
import { invalidForm } from './boundary.ts'
import { shown } from './part-head.ts'

/** A text longer than this is in the spool alone. */
export const longestText = 1024 * 1024

/** All texts of a form that are kept. */
const longestTexts = 4 * 1024 * 1024

/** The texts of a form, as they arrive. */
export class FormTexts {
  readonly #texts = new Map<string, string | undefined>()
  #chunks: Buffer[] = []
  #length = 0
  #total = 0

  /** More of the present text, of which the last two bytes may yet turn out not to be part of it. */
  add(content: Buffer): void {
    this.#length += content.length
    if (this.#length > longestText + 2) this.#chunks = []
    // Copied, so that a short text does not keep the whole chunk.
    else if (content.length > 0) this.#chunks.push(Buffer.from(content))
  }

  end(part: FormPart): void {
    const length = part.end - part.start
    const isKept = length <= longestText
    const bytes = isKept ? Buffer.concat(this.#chunks).subarray(0, length) : undefined
    this.#chunks = []
    this.#length = 0
    if (bytes && !isUtf8(bytes)) {
      throw invalidForm(`The part \`${shown(part.name)}\` of the form is not valid UTF-8.`)
    }
    if (this.#texts.has(part.name)) return
    this.#total += isKept ? length : 0
    if (this.#total > longestTexts) {
      throw new GatewayError(
        'request_too_large',
        `The texts of the form exceed ${longestTexts} bytes.`,
      )
    }
    this.#texts.set(part.name, bytes?.toString())
  }

  /** Throws `GatewayError` 413 for a text that was too long to be kept. */
  get(name: string): string | undefined {
    const text = this.#texts.get(name)
    if (text === undefined && this.#texts.has(name)) {
      throw new GatewayError(
        'request_too_large',
        `\`${shown(name)}\` exceeds ${longestText} bytes.`,
        { param: name },
      )
    }
    return text
  }
}
