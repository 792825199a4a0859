import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { originOf, toolIdOf } from '../../../../../src/generate/call-ids.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'

/** What tools and their calls are called in one reply of an account. */
export class ReplyNames {
  readonly #request: GenerateRequest
  readonly #tools: ToolNames
  readonly #callIds = new Set<string>()
  /** The response's own id, from which calls without an id get one. */
  responseId = ''

  constructor(request: GenerateRequest) {
    this.#request = request
    this.#tools = new ToolNames(request.tools)
  }

  /** What the client calls a tool. */
  tool(name: string): string {
    return this.#tools.original(name)
  }

  /**
   * The id of the call that is the output item at `place`, which no other call of the reply has. Some
   * servers name only the item, or give one id to several calls.
   */
  call(item: JsonObject, place: number): string {
    const given = stringAt(item, 'call_id') || stringAt(item, 'id') || this.#made(place)
    const id = this.#callIds.has(given) ? this.#otherId(place) : given
    this.#callIds.add(id)
    return id
  }

  /** Items may share their place as well. */
  #otherId(place: number): string {
    const id = this.#made(place)
    return this.#callIds.has(id) ? this.#made(place, this.#callIds.size) : id
  }

  #made(...places: readonly number[]): string {
    return toolIdOf(originOf(this.#request, this.responseId), ...places)
  }
}
