import type { Extra, Feature, Fields, Treatment } from '../../../../src/generate/losses.ts'

/** What a request turns out to use while it is read. */
export class Notes {
  readonly #fields: Partial<Record<Feature, string>> = {}
  readonly #extras: Extra[] = []

  get fields(): Fields {
    return this.#fields
  }

  get extras(): readonly Extra[] {
    return this.#extras
  }

  /** The first place where a feature is used names it. */
  uses(feature: Feature, field: string): void {
    this.#fields[feature] ??= field
  }

  extra(field: string, treatment: Treatment, reason: string): void {
    this.#extras.push({ field, treatment, reason })
  }

  native(field: string, reason: string): void {
    this.extra(field, 'native', reason)
  }
}
