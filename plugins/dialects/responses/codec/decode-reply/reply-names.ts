import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { originOf, toolIdOf } from '../../../../../src/generate/call-ids.ts'
import { stringAt } from '../../../../../src/lib/json/read.ts'
import { ToolNames } from '../../../../../src/generate/names.ts'
import { TextSet } from '../../../../../src/lib/text-map.ts'

/** Maps tool names and call ids of one account reply to those that the client sees. */
export class ReplyNames {
  readonly #request: GenerateRequest
  readonly #tools: ToolNames
  readonly #usedIds = new TextSet()
  /** The response's id, from which the ids of calls without an id are derived. */
  responseId = ''

  constructor(request: GenerateRequest) {
    this.#request = request
    this.#tools = new ToolNames(request.tools)
  }

  /** Returns the client's name of a tool. */
  clientNameOf(name: string): string {
    return this.#tools.original(name)
  }

  /**
   * Returns a unique id for the call at output index `index`. Some servers send only the item's id,
   * or the same id for several calls.
   */
  callIdOf(item: JsonObject, index: number): string {
    const original = stringAt(item, 'call_id') || stringAt(item, 'id') || this.#derivedId(index)
    const id = this.#usedIds.has(original) ? this.#uniqueId(index) : original
    this.#usedIds.add(id)
    return id
  }

  /** Several items may have the same output index, too. */
  #uniqueId(index: number): string {
    const id = this.#derivedId(index)
    return this.#usedIds.has(id) ? this.#derivedId(index, this.#usedIds.size) : id
  }

  #derivedId(...numbers: readonly number[]): string {
    return toolIdOf(originOf(this.#request, this.responseId), ...numbers)
  }
}
