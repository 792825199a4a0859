import type { JsonObject } from '../../../../src/codec.ts'
import { objectsIn, text } from '../../../../src/usage.ts'
import { toolListsOf } from './tool-lists.ts'

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
    const namespace = tool.type === 'namespace' ? text(tool, 'name') : undefined
    if (namespace === undefined) continue
    for (const inner of objectsIn(tool.tools)) {
      const name = text(inner, 'name')
      if (name !== undefined) names.set(flatName(name, namespace), { name, namespace })
    }
  }
  return names
}
