import type { Extra, Feature, Treatment } from '../../../../src/generate/losses.ts'

/** Collects, while a request is read, what it uses and what has no place in the neutral model. */
export class Findings {
  readonly fields: Partial<Record<Feature, string>> = {}
  readonly extras: Extra[] = []

  /** The first field that uses a feature stands for all of them. */
  uses(feature: Feature, field: string): void {
    this.fields[feature] ??= field
  }

  lacks(field: string, treatment: Treatment, reason: string): void {
    this.extras.push({ field, treatment, reason })
  }
}
