import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Feature } from '../../../src/generate/unsupported.ts'

/** A client's body that uses a feature, and the same without it where that is not just a greeting. */
export interface Sample {
  readonly with: JsonObject
  readonly without?: JsonObject
}

/** `undefined`: clients of the dialect have no word for it. */
export type Samples = Readonly<Record<Feature, Sample | undefined>>

export const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
