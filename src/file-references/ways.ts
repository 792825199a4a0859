import type { JsonObject } from '../lib/json/object.ts'
import type { FileField, FileFields } from '../contract/files.ts'

/** What leads from a value to files: a file of its own, or what lies in it and leads to some. */
export interface Way {
  /** What the value itself names. */
  readonly field: FileField | undefined
  /** By member, or by place in a list. */
  readonly ways: ReadonlyMap<string | number, Way>
}

/**
 * Content nests no deeper: what a tool of Messages gave back is the ninth level, from the body on,
 * in `messages[0].content[0].content[0].source.content[0]`.
 */
const deepest = 9

/**
 * The ways to all files of a parsed body, of those that `owns` knows; `undefined` where there is
 * none. Each value is looked at once, and nothing is made on ways that lead nowhere.
 */
export function findWays(
  json: unknown,
  { leads, find }: FileFields,
  owns: (name: string) => boolean,
): Way | undefined {
  function wayFrom(value: unknown, key: string, depth: number): Way | undefined {
    if (depth > deepest || typeof value !== 'object' || value === null) return undefined
    return Array.isArray(value)
      ? wayThrough(value, key, depth)
      : wayInto(value as JsonObject, key, depth)
  }

  function wayThrough(list: readonly unknown[], key: string, depth: number): Way | undefined {
    let ways: Map<number, Way> | undefined
    for (let index = 0; index < list.length; index++) {
      const way = wayFrom(list[index], key, depth + 1)
      if (way) (ways ??= new Map()).set(index, way)
    }
    return ways && { field: undefined, ways }
  }

  function wayInto(node: JsonObject, key: string, depth: number): Way | undefined {
    const named = find(node, key)
    const field = named && owns(named.name) ? named : undefined
    let ways: Map<string, Way> | undefined
    for (const member in node) {
      if (!leads.has(member) || member === field?.member) continue
      const way = wayFrom(node[member], member, depth + 1)
      if (way) (ways ??= new Map()).set(member, way)
    }
    return field || ways ? { field, ways: ways ?? none } : undefined
  }

  return wayFrom(json, '', 0)
}

const none: ReadonlyMap<string, Way> = new Map()
