import type { JsonObject } from '../../../../../src/lib/json/object.ts'

/** Whether a schema refers to itself. Accounts cannot enforce recursive schemas. */
export function isRecursive(schema: JsonObject): boolean {
  return new ReferenceWalk(schema).hasCycle()
}

interface Step {
  readonly pointer: string
  /** References that the walk has not followed yet. */
  readonly next: string[]
}

/** Follows references without recursion: a chain of references may be deeper than the stack. */
class ReferenceWalk {
  readonly #root: JsonObject
  readonly #path: Step[] = []
  readonly #active = new Set<string>()
  readonly #done = new Set<string>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  hasCycle(): boolean {
    this.#enter('#')
    for (let step = this.#path.at(-1); step; step = this.#path.at(-1)) {
      const pointer = step.next.pop()
      if (pointer === undefined) this.#leave(step)
      else if (this.#active.has(pointer)) return true
      else if (!this.#done.has(pointer)) this.#enter(pointer)
    }
    return false
  }

  #enter(pointer: string): void {
    this.#active.add(pointer)
    this.#path.push({ pointer, next: referencesIn(this.#resolve(pointer)) })
  }

  #leave({ pointer }: Step): void {
    this.#path.pop()
    this.#active.delete(pointer)
    this.#done.add(pointer)
  }

  #resolve(pointer: string): unknown {
    let node: unknown = this.#root
    for (const step of pointer.split('/').slice(1)) {
      const name = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
      node = (node as JsonObject | null | undefined)?.[name]
    }
    return node
  }
}

/** Decodes a step of a pointer; returns it unchanged if it is not a valid URI component. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** Returns the references in a schema. Definitions count only where a reference names them. */
function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === '$defs' || key === 'definitions') return []
    if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return [value]
    return referencesIn(value)
  })
}
