import { text } from '../../../src/usage.ts'
import type { ChosenModel } from './models.ts'
import type { Values } from './values.ts'

/** The field of a reply in which a client awaits its images. */
export type ImageField = 'url' | 'b64_json'

/**
 * What an edit is answered with: what the client asked for, else a URL from the legacy model; newer
 * ones give base64 alone (spec, image edits).
 */
export function dueOfEdit(values: Values, { kind }: ChosenModel): ImageField {
  return askedField(values) ?? (kind === 'legacy' ? 'url' : 'b64_json')
}

/**
 * The same of a generation. What other models give there by themselves is not the same for all
 * (facts/OpenAI 3), so `undefined` leaves it to the account.
 */
export function dueOfGeneration(values: Values, { kind }: ChosenModel): ImageField | undefined {
  return askedField(values) ?? (kind === 'legacy' ? 'url' : undefined)
}

function askedField(values: Values): ImageField | undefined {
  return text(values, 'response_format') as ImageField | undefined
}
