import { hash } from 'node:crypto'

import type { Tool } from '../../../../src/generate/tools.ts'

const fits = /^[a-zA-Z0-9_-]{1,64}$/

/** Tools' names as this dialect's accounts take them, and back. */
export class ToolNames {
  readonly #original = new Map<string, string>()

  constructor(tools: readonly Tool[]) {
    for (const { name } of tools) {
      if (!fits.test(name)) this.#original.set(safeToolName(name), name)
    }
  }

  /** A name in a reply, as the client calls the tool. */
  original(name: string): string {
    return this.#original.get(name) ?? name
  }
}

/** A name that fits; for one that does not, what of it fits, and a hash that keeps it apart. */
export function safeToolName(name: string): string {
  if (fits.test(name)) return name
  const readable = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)
  return `${readable}_${hash('sha256', name).slice(0, 8)}`
}
