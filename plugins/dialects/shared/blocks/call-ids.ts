import type { GenerateRequest } from '../../../../src/generate/request.ts'
import { originOf, toolIdOf } from '../../../../src/generate/call-ids.ts'
import { TextSet } from '../../../../src/lib/text-map.ts'

/** Assigns ids to the calls of one reply. Some upstreams omit ids or repeat them. */
export class CallIds {
  readonly #request: GenerateRequest
  readonly #used = new TextSet()
  #count = 0

  constructor(request: GenerateRequest) {
    this.#request = request
  }

  /** The number of calls so far. */
  get count(): number {
    return this.#count
  }

  /** Returns the id of the next call: the account's own, or a derived one if that is absent or used. */
  next(upstreamId: string | undefined, messageId?: string): string {
    const ordinal = this.#count++
    const isFree = upstreamId && !this.#used.has(upstreamId)
    const id = isFree ? upstreamId : toolIdOf(originOf(this.#request, messageId), ordinal)
    this.#used.add(id)
    return id
  }
}
