import { Notes } from '../../../../src/generate/notes.ts'

/** Notes with what this dialect has in many places. */
export class MessageNotes extends Notes {
  readonly #hints = new Set<string>()

  /** A hint that may stand in many places is told once, where it first stands. */
  hint(path: string, key: string): void {
    if (this.#hints.has(key)) return
    this.#hints.add(key)
    this.extra(at(path, key), 'silent', 'a hint that only this API knows')
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
      else this.extra(at(path, key), 'warn', 'it has no form elsewhere')
    }
  }
}

function at(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
