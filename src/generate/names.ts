import { hash } from 'node:crypto'

import type { Tool } from './tools.ts'

/** Names of tools as most providers take them. */
const fits = /^[a-zA-Z0-9_-]{1,64}$/

/** A tool's name as it is where it fits, otherwise one that is made of it, always the same. */
export function safeToolName(name: string): string {
  if (fits.test(name)) return name
  const digest = hash('sha256', name, 'hex').slice(0, 8)
  return `${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${digest}`
}

/** Gives names that an account uses back as the client knows them. */
export class ToolNames {
  readonly #originals = new Map<string, string>()

  constructor(tools: readonly Tool[]) {
    for (const { name } of tools) {
      if (!fits.test(name)) this.#originals.set(safeToolName(name), name)
    }
  }

  original(name: string): string {
    return this.#originals.get(name) ?? name
  }
}

/** The name of a user or a cache, which has 64 characters at most and only needs to stay the same. */
export function shortToolName(name: string): string {
  return name.length <= 64 ? name : hash('sha256', name, 'hex')
}

/** The name of a schema, in the letters that providers take. */
export function schemaName(name = ''): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
}
