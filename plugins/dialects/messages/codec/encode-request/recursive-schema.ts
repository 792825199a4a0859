import type { JsonObject } from '../../../../../src/lib/json/object.ts'

/** Whether a schema refers to itself, as that of a tree does. Accounts cannot enforce such a one. */
export function isRecursive(schema: JsonObject): boolean {
  return new ReferenceWalk(schema).comesBack()
}

interface Step {
  readonly pointer: string
  /** Where it refers to and the walk has not been. */
  readonly next: string[]
}

/** Follows references one by one: a chain of them may be longer than the stack. */
class ReferenceWalk {
  readonly #root: JsonObject
  readonly #path: Step[] = []
  readonly #entered = new Set<string>()
  readonly #left = new Set<string>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  comesBack(): boolean {
    this.#enter('#')
    for (let step = this.#path.at(-1); step; step = this.#path.at(-1)) {
      const pointer = step.next.pop()
      if (pointer === undefined) this.#leave(step)
      else if (this.#entered.has(pointer)) return true
      else if (!this.#left.has(pointer)) this.#enter(pointer)
    }
    return false
  }

  #enter(pointer: string): void {
    this.#entered.add(pointer)
    this.#path.push({ pointer, next: referencesIn(this.#resolve(pointer)) })
  }

  #leave({ pointer }: Step): void {
    this.#path.pop()
    this.#entered.delete(pointer)
    this.#left.add(pointer)
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

/** A step that is no URI is taken as it is. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** Those of definitions count only where they are referred to. */
function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === '$defs' || key === 'definitions') return []
    if (key === '$ref' && typeof value === 'string' && value.startsWith('#')) return [value]
    return referencesIn(value)
  })
}
