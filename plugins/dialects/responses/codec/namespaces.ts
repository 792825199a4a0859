import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

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

/** A tool as its client calls it. */
export interface ToolName {
  readonly name: string
  readonly namespace?: string
}

/** Other dialects have no namespaces: the name of one becomes a part of its tools' names. */
export function flatName(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}

/** Which flat names are tools in namespaces, by what the client said of its tools. */
export function namespacesOf(body: JsonObject): ReadonlyMap<string, ToolName> {
  const names = new Map<string, ToolName>()
  for (const tool of toolListsOf(body).flatMap(({ tools }) => objectsIn(tools))) {
    const namespace = tool.type === 'namespace' ? stringAt(tool, 'name') : undefined
    if (namespace === undefined) continue
    for (const inner of objectsIn(tool.tools)) {
      const name = stringAt(inner, 'name')
      if (name !== undefined) names.set(flatName(name, namespace), { name, namespace })
    }
  }
  return names
}
