import { toolIdOf } from '../../../../src/generate/call-ids.ts'
import type { Tool } from '../../../../src/generate/tools.ts'
import { TextMap, TextSet } from '../../../../src/lib/text-map.ts'

const validName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/

/** The longest name that `sanitize` makes, in characters. */
const longestMade = 121

/** Maps tool names to names that this dialect accepts, and back. Most names stay unchanged. */
export class DeclaredToolNames {
  readonly #toAccount = new TextMap<string>()
  readonly #fromAccount = new TextMap<string>()

  constructor(tools: readonly Tool[]) {
    // Only a short name can be the same as one that is made here.
    const used = new TextSet(tools.map(({ name }) => name.slice(0, longestMade + 1)))
    for (const { name } of tools) {
      if (validName.test(name)) continue
      const accountName = used.has(sanitize(name)) ? toolIdOf(name) : sanitize(name)
      used.add(accountName)
      this.#toAccount.set(name, accountName)
      this.#fromAccount.set(accountName, name)
    }
  }

  toAccount(name: string): string {
    if (validName.test(name)) return name
    return this.#toAccount.get(name) ?? sanitize(name)
  }

  fromAccount(name: string): string {
    return this.#fromAccount.get(name) ?? name
  }
}

function sanitize(name: string): string {
  return `_${name.slice(0, longestMade - 1).replaceAll(/[^a-zA-Z0-9_.:-]/g, '_')}`
}
