import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { isImageName } from './form-images.ts'
import { imageFields } from './json-images.ts'
import type { ChosenModel } from './models.ts'
import { type Values, modelAt } from './values.ts'

/** The field of a reply in which a client awaits its images. */
export type ImageField = 'url' | 'b64_json'

/**
 * What an edit is answered with: what the client asked for, else a URL from the legacy model; newer
 * ones give base64 alone (docs/wire/contract.md 6).
 */
export function editReplyField(values: Values, { kind }: ChosenModel): ImageField {
  return askedField(values) ?? (kind === 'legacy' ? 'url' : 'b64_json')
}

/**
 * The same of a generation. What other models give there by themselves is not the same for all
 * (docs/wire/openai.md 3.3), so `undefined` leaves it to the account.
 */
export function generationReplyField(
  values: Values,
  { kind }: ChosenModel,
): ImageField | undefined {
  return askedField(values) ?? (kind === 'legacy' ? 'url' : undefined)
}

function askedField(values: Values): ImageField | undefined {
  return stringAt(values, 'response_format') as ImageField | undefined
}

/** What routing has to know of a call for images. */
export function imageCall(body: RequestBody, values: Values, { name }: ChosenModel): Call {
  return {
    model: name,
    stream: values['stream'] === true,
    refersTo: [],
    edits: [],
    losses: [],
    modelAt: modelAt(body),
  }
}

/** How many images are asked for. */
export function imagesIn(values: Values): number {
  return typeof values['n'] === 'number' ? values['n'] : 1
}

const formats: readonly string[] = ['response_format']

/**
 * Fields that an account is not told. Newer models refuse to be told how images are awaited, so one
 * that stands for a legacy model is not: the gateway gives each image in the field that is due.
 */
export function omittedFields({ kind }: ChosenModel, isLegacyThere: boolean): readonly string[] {
  return kind === 'legacy' && !isLegacyThere ? formats : []
}

/** How many images a call brings along, before anybody has looked at them. */
export function countOfImages({ form, json }: RequestBody): number {
  if (form) return form.parts.filter(({ name }) => isImageName(name)).length
  return imageFields.flatMap((name) => json[name] ?? []).length
}
