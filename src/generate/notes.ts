import type { Extra, Feature, Fields, Setting, Settings, Treatment } from './losses.ts'

/** What is noticed while a client's request is read: what it uses, and what has no place. */
export class Notes {
  readonly #fields: Partial<Record<Feature, string>> = {}
  readonly #settings: Partial<Record<Setting, string>> = {}
  readonly #extras: Extra[] = []

  get fields(): Fields {
    return this.#fields
  }

  get settings(): Settings {
    return this.#settings
  }

  get extras(): readonly Extra[] {
    return this.#extras
  }

  /** The first field that uses a feature names it. */
  uses(feature: Feature, field: string): void {
    this.#fields[feature] ??= field
  }

  sets(setting: Setting, field: string): void {
    this.#settings[setting] = field
  }

  extra(field: string, treatment: Treatment, reason: string): void {
    this.#extras.push({ field, treatment, reason })
  }

  /** Only accounts of the client's dialect can do it. */
  native(field: string, reason: string): void {
    this.extra(field, 'native', reason)
  }
}
