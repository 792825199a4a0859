import { toolIdOf } from '../../../../src/generate/call-ids.ts'
import type { Tool } from '../../../../src/generate/tools.ts'

const fits = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/

/** Names of tools as this dialect takes them, and back. Most stay as they are. */
export class DeclaredToolNames {
  readonly #toAccount = new Map<string, string>()
  readonly #fromAccount = new Map<string, string>()

  constructor(tools: readonly Tool[]) {
    const taken = new Set(tools.map(({ name }) => name))
    for (const { name } of tools) {
      if (fits.test(name)) continue
      const written = taken.has(readable(name)) ? toolIdOf(name) : readable(name)
      taken.add(written)
      this.#toAccount.set(name, written)
      this.#fromAccount.set(written, name)
    }
  }

  toAccount(name: string): string {
    if (fits.test(name)) return name
    return this.#toAccount.get(name) ?? readable(name)
  }

  fromAccount(name: string): string {
    return this.#fromAccount.get(name) ?? name
  }
}

function readable(name: string): string {
  return `_${name.replaceAll(/[^a-zA-Z0-9_.:-]/g, '_').slice(0, 120)}`
}
