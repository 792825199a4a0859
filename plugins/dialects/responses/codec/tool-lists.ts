import type { JsonObject } from '../../../../src/codec.ts'
import { objectsIn } from '../../../../src/usage.ts'

/** One of the places where a request says which tools there are. */
export interface ToolList {
  readonly path: string
  readonly tools: unknown
}

/** The tools of a request, and after them those that items of its input bring along. */
export function toolListsOf({ tools, input }: JsonObject): ToolList[] {
  const added = Array.isArray(input) ? input.flatMap(listOf) : []
  return [{ path: 'tools', tools }, ...added]
}

function listOf(item: unknown, index: number): ToolList[] {
  return objectsIn([item])
    .filter(({ type }) => type === 'additional_tools')
    .map(({ tools }) => ({ path: `input[${index}].tools`, tools }))
}
