import type { JsonObject } from '../lib/json/object.ts'
import type { FileField, FileFields } from '../contract/files.ts'

/** A tree of the paths from a value to the uploads that it names. */
export interface ReferencePath {
  /** The upload that the value itself names. */
  readonly field: FileField | undefined
  /** The nested values with uploads, by member or by index. */
  readonly branches: ReadonlyMap<string | number, ReferencePath>
}

/**
 * The depth of the deepest content: a tool result of Messages is nine levels below the body, as in
 * `messages[0].content[0].content[0].source.content[0]`.
 */
const maxDepth = 9

/**
 * Finds the paths to all uploads that a parsed body names; `undefined` if it names none. `owns`
 * recognises the paths of uploads. It visits each value once and allocates only along paths that
 * lead to an upload.
 */
export function findReferencePaths(
  json: unknown,
  { contentMembers, dictionaries, idLists, find }: FileFields,
  owns: (name: string) => boolean,
): ReferencePath | undefined {
  function pathFrom(value: unknown, key: string, depth: number): ReferencePath | undefined {
    if (depth > maxDepth || typeof value !== 'object' || value === null) return undefined
    return Array.isArray(value)
      ? pathsThrough(value, key, depth)
      : pathsInto(value as JsonObject, key, depth)
  }

  function pathsThrough(
    list: readonly unknown[],
    key: string,
    depth: number,
  ): ReferencePath | undefined {
    let branches: Map<number, ReferencePath> | undefined
    for (let index = 0; index < list.length; index++) {
      const path = pathFrom(list[index], key, depth + 1)
      if (path) (branches ??= new Map()).set(index, path)
    }
    return branches && { field: undefined, branches }
  }

  function pathsInto(node: JsonObject, key: string, depth: number): ReferencePath | undefined {
    const found = find(node, key)
    const field = found && owns(found.name) ? found : undefined
    let branches: Map<string, ReferencePath> | undefined
    const isDictionary = dictionaries?.has(key)
    for (const member in node) {
      const isList = idLists?.has(member)
      const isContent = isList || isDictionary || contentMembers.has(member)
      if (!isContent || member === field?.member) continue
      const path = isList ? pathToIds(node[member]) : pathFrom(node[member], member, depth + 1)
      if (path) (branches ??= new Map()).set(member, path)
    }
    return field || branches ? { field, branches: branches ?? noBranches } : undefined
  }

  function pathToIds(list: unknown): ReferencePath | undefined {
    if (!Array.isArray(list)) return undefined
    const ids = list.flatMap((name: unknown, index) =>
      typeof name === 'string' && owns(name)
        ? [[index, { field: { member: '', name }, branches: noBranches }] as const]
        : [],
    )
    return ids.length > 0 ? { field: undefined, branches: new Map(ids) } : undefined
  }

  return pathFrom(json, '', 0)
}

const noBranches: ReadonlyMap<string, ReferencePath> = new Map()
