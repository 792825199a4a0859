import { toolIdOf } from '../../../../src/generate/tool-ids.ts'
import { text } from '../../../../src/usage.ts'

/** The ids of one reply's calls. Some upstreams leave them out, or give one to several calls. */
export class CallIds {
  readonly #taken = new Set<string>()
  #count = 0

  /** How many calls there have been. */
  get count(): number {
    return this.#count
  }

  next(block: unknown, messageId: string | undefined): string {
    const ordinal = this.#count++
    const given = text(block, 'id')
    const id = given && !this.#taken.has(given) ? given : toolIdOf(messageId ?? '', ordinal)
    this.#taken.add(id)
    return id
  }
}
