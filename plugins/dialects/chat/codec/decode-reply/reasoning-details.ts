import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectsIn } from '../../../../../src/lib/json/read.ts'

/** The texts of details, which a stream sends in fragments. */
const texts: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
])

/**
 * OpenRouter's `reasoning_details` of a reply, in their order. Successive fragments of one text are one detail;
 * all else stays as the account sends it (openrouter.ai/docs/guides/best-practices/reasoning-tokens).
 */
export class ReasoningDetails {
  #details: JsonObject[] = []
  /** The fragments of the last detail's text. */
  #fragments: string[] = []

  /** Adds the details of a whole message, or the fragments of a chunk. */
  add(list: unknown, areWhole: boolean): void {
    for (const detail of objectsIn(list)) {
      const last = this.#details.at(-1)
      const name = texts.get(detail.type)
      const continues = last?.type === detail.type && last?.index === detail.index
      if (!areWhole && name !== undefined && continues && typeof detail.index === 'number') {
        const text = detail[name]
        if (typeof text === 'string') this.#fragments.push(text)
        this.#details[this.#details.length - 1] = { ...last, ...withoutNulls(detail, name) }
      } else {
        this.#endText()
        this.#details.push(detail)
        const text = name === undefined ? undefined : detail[name]
        this.#fragments = typeof text === 'string' ? [text] : []
      }
    }
  }

  /** Returns the details so far. Later details begin an empty list. */
  take(): readonly JsonObject[] {
    this.#endText()
    const details = this.#details
    this.#details = []
    return details
  }

  #endText(): void {
    const last = this.#details.at(-1)
    const name = texts.get(last?.type)
    if (last && name !== undefined && this.#fragments.length > 1) {
      this.#details[this.#details.length - 1] = { ...last, [name]: this.#fragments.join('') }
    }
    this.#fragments = []
  }
}

/** The members of a fragment that add to its detail, such as a signature at the end. */
function withoutNulls(fragment: JsonObject, text: string): JsonObject {
  const members = Object.entries(fragment)
  return Object.fromEntries(members.filter(([name, value]) => value !== null && name !== text))
}
