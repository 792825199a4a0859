import { digestOf } from '../lib/text-digest.ts'
import type { Tool } from './tools.ts'
import { TextMap } from '../lib/text-map.ts'

/** Names of tools that most providers accept. */
const fits = /^[a-zA-Z0-9_-]{1,64}$/

/** Returns a tool's name if providers accept it, otherwise a name derived from it, always the same. */
export function safeToolName(name: string): string {
  if (fits.test(name)) return name
  const digest = digestOf(name).slice(0, 8)
  return `${name.slice(0, 55).replaceAll(/[^a-zA-Z0-9_-]/g, '_')}_${digest}`
}

/** Maps the tool names of an account's reply back to the client's names. */
export class ToolNames {
  readonly #originals = new TextMap<string>()

  constructor(tools: readonly Tool[]) {
    for (const { name } of tools) {
      if (!fits.test(name)) this.#originals.set(safeToolName(name), name)
    }
  }

  original(name: string): string {
    return this.#originals.get(name) ?? name
  }
}

/** Shortens the id of a user or a cache to at most 64 characters, always to the same id. */
export function shortenId(name: string): string {
  return name.length <= 64 ? name : digestOf(name)
}

/** Replaces characters that providers do not accept in the name of a schema. */
export function schemaName(name = ''): string {
  return name.slice(0, 64).replaceAll(/[^a-zA-Z0-9_-]/g, '_') || 'response'
}
