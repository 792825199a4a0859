import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

/** A tool list of a request and its path in the body. */
interface ToolList {
  readonly path: string
  readonly tools: unknown
}

/** Returns the `tools` of a request, followed by the tools of its `additional_tools` items. */
export function toolListsOf({ tools, input }: JsonObject): ToolList[] {
  const added = Array.isArray(input) ? input.flatMap(additionalTools) : []
  return [{ path: 'tools', tools }, ...added]
}

function additionalTools(item: unknown, index: number): ToolList[] {
  return objectsIn([item])
    .filter(({ type }) => type === 'additional_tools')
    .map(({ tools }) => ({ path: `input[${index}].tools`, tools }))
}

/** The name of a tool in the client's request. */
export interface ToolName {
  readonly name: string
  readonly namespace?: string
}

/** Joins a namespace and a tool name, because other dialects have no namespaces. */
export function flatName(name: string, namespace: string | undefined): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}

/** Maps the flat names of the request's namespaced tools to their original names. */
export function namespacesOf(body: JsonObject): ReadonlyMap<string, ToolName> {
  const names = new TextMap<ToolName>()
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
