import type { Extra, Feature, Fields, Treatment } from '../../../../src/generate/losses.ts'

/** What is noticed while a client's request is read: features in use, and what has no place. */
export class Notes {
  readonly #fields: Partial<Record<Feature, string>> = {}
  readonly #extras: Extra[] = []
  readonly #hints = new Set<string>()

  get fields(): Fields {
    return this.#fields
  }

  get extras(): readonly Extra[] {
    return this.#extras
  }

  /** The first field that uses a feature names it. */
  use(feature: Feature, field: string): void {
    this.#fields[feature] ??= field
  }

  extra(treatment: Treatment, field: string, reason: string): void {
    this.#extras.push({ field, treatment, reason })
  }

  /** Only accounts of this dialect can do it. */
  native(field: string, reason: string): void {
    this.extra('native', field, reason)
  }

  /** A hint that may stand in many places is told once, where it first stands. */
  hint(path: string, key: string): void {
    if (this.#hints.has(key)) return
    this.#hints.add(key)
    this.extra('silent', path === '' ? key : `${path}.${key}`, 'A hint that only this API knows.')
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
      else this.extra('warn', path === '' ? key : `${path}.${key}`, 'It has no form elsewhere.')
    }
  }
}
