import type { JsonObject } from '../../../../src/codec.ts'

/** Whether a schema refers to itself, as that of a tree does. Accounts cannot enforce such a one. */
export function isRecursive(schema: JsonObject): boolean {
  return new ReferenceWalk(schema).comesBack('#')
}

class ReferenceWalk {
  readonly #root: JsonObject
  readonly #entered = new Set<string>()
  readonly #left = new Set<string>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  comesBack(pointer: string): boolean {
    if (this.#entered.has(pointer)) return true
    if (this.#left.has(pointer)) return false
    this.#entered.add(pointer)
    const found = referencesIn(this.#resolve(pointer)).some((next) => this.comesBack(next))
    this.#entered.delete(pointer)
    this.#left.add(pointer)
    return found
  }

  #resolve(pointer: string): unknown {
    let node: unknown = this.#root
    for (const step of pointer.split('/').slice(1)) {
      const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
      node = (node as JsonObject | null | undefined)?.[name]
    }
    return node
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
