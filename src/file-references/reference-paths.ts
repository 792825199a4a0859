import type { JsonObject } from '../lib/json/object.ts'
import type { FileField, FileFields } from '../contract/files.ts'

/** What leads from a value to files: a file of its own, or what lies in it and leads to some. */
export interface ReferencePath {
  /** What the value itself names. */
  readonly field: FileField | undefined
  /** By member, or by place in a list. */
  readonly branches: ReadonlyMap<string | number, ReferencePath>
}

/**
 * Content nests no deeper: what a tool of Messages gave back is the ninth level, from the body on,
 * in `messages[0].content[0].content[0].source.content[0]`.
 */
const deepest = 9

/**
 * The branches to all files of a parsed body, of those that `owns` knows; `undefined` where there is
 * none. Each value is looked at once, and nothing is made on branches that lead nowhere.
 */
export function findReferencePaths(
  json: unknown,
  { contentMembers, find }: FileFields,
  owns: (name: string) => boolean,
): ReferencePath | undefined {
  function pathFrom(value: unknown, key: string, depth: number): ReferencePath | undefined {
    if (depth > deepest || typeof value !== 'object' || value === null) return undefined
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
    const named = find(node, key)
    const field = named && owns(named.name) ? named : undefined
    let branches: Map<string, ReferencePath> | undefined
    for (const member in node) {
      if (!contentMembers.has(member) || member === field?.member) continue
      const path = pathFrom(node[member], member, depth + 1)
      if (path) (branches ??= new Map()).set(member, path)
    }
    return field || branches ? { field, branches: branches ?? none } : undefined
  }

  return pathFrom(json, '', 0)
}

const none: ReadonlyMap<string, ReferencePath> = new Map()
