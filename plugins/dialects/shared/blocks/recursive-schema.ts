import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { stepsOf } from './modern-schema.ts'

/** Whether a schema refers to itself. Accounts cannot enforce recursive schemas. */
export function isRecursive(schema: JsonObject): boolean {
  return new ReferenceWalk(schema).hasCycle()
}

/** A node whose members and targets the walk has not entered yet. */
interface Step {
  readonly node: object
  readonly next: object[]
}

/**
 * Follows members and references without recursion: a chain of references may be deeper than the stack.
 * It enters each node once, however many references lead to it or to a node around it.
 */
class ReferenceWalk {
  readonly #root: JsonObject
  readonly #path: Step[] = []
  readonly #active = new Set<object>()
  readonly #done = new Set<object>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  hasCycle(): boolean {
    this.#enter(this.#root)
    for (let step = this.#path.at(-1); step; step = this.#path.at(-1)) {
      const node = step.next.pop()
      if (node === undefined) this.#leave(step)
      else if (this.#active.has(node)) return true
      else if (!this.#done.has(node)) this.#enter(node)
    }
    return false
  }

  #enter(node: object): void {
    const next = this.#nextOf(node)
    if (next.length === 0) return void this.#done.add(node)
    this.#active.add(node)
    this.#path.push({ node, next })
  }

  #leave({ node }: Step): void {
    this.#path.pop()
    this.#active.delete(node)
    this.#done.add(node)
  }

  /** The nodes in a node, and those that it refers to. Definitions count only where a reference names them. */
  #nextOf(node: object): object[] {
    const next: object[] = []
    for (const key in node) {
      if (key === '$defs' || key === 'definitions') continue
      const value = (node as JsonObject)[key]
      const found = key === '$ref' && typeof value === 'string' ? this.#resolve(value) : value
      if (typeof found === 'object' && found !== null) next.push(found)
    }
    return next
  }

  #resolve(reference: string): unknown {
    const steps = stepsOf(reference)
    let node: unknown = steps && this.#root
    for (const step of steps?.slice(1) ?? []) {
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
