import type { ToolResult } from '../../../../src/generate/content.ts'
import { Notes } from '../../../../src/generate/notes.ts'

/** Notes with what this dialect has in many places. */
export class MessageNotes extends Notes {
  /** What the client calls each result. */
  readonly results = new Map<ToolResult, string>()
  readonly #hints = new Set<string>()

  /** A hint that may stand in many places is told once, where it first stands. */
  hint(path: string, key: string): void {
    if (this.#hints.has(key)) return
    this.#hints.add(key)
    this.extra(at(path, key), 'silent', 'a hint that only the Messages API knows')
  }

  /** Tells hints among the members of an object, and drops the unknown ones with a warning. */
  rest(
    json: Readonly<Record<string, unknown>>,
    path: string,
    known: ReadonlySet<string>,
    hints: ReadonlySet<string>,
  ): void {
    for (const key of Object.keys(json)) {
      if (known.has(key) || (json[key] ?? undefined) === undefined) continue
      if (hints.has(key)) this.hint(path, key)
      else this.unknown(known, key, at(path, key), 'only the Messages API may know it')
    }
  }
}

function at(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
