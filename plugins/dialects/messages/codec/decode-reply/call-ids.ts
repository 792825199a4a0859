import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { originOf, toolIdOf } from '../../../../../src/generate/call-ids.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'

/** The ids of one reply's calls. Some upstreams leave them out, or give one to several calls. */
export class CallIds {
  readonly #request: GenerateRequest
  readonly #taken = new Set<string>()
  #count = 0

  constructor(request: GenerateRequest) {
    this.#request = request
  }

  /** How many calls there have been. */
  get count(): number {
    return this.#count
  }

  next(block: unknown, messageId: string | undefined): string {
    const ordinal = this.#count++
    const given = stringAt(block, 'id')
    const isFree = given && !this.#taken.has(given)
    const id = isFree ? given : toolIdOf(originOf(this.#request, messageId), ordinal)
    this.#taken.add(id)
    return id
  }
}
