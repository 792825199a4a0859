import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { isImageName } from './form-images.ts'
import { imageFields } from './json-images.ts'
import type { ChosenModel } from './models.ts'
import { type Values, modelAt } from './values.ts'

/** The field of a reply that carries each image. */
export type ImageField = 'url' | 'b64_json'

/**
 * Returns the image field of an edit's reply: the requested one, else `url` for the legacy model and
 * `b64_json` for newer ones (docs/wire/contract.md 6).
 */
export function editReplyField(values: Values, { kind }: ChosenModel): ImageField {
  return requestedField(values) ?? (kind === 'legacy' ? 'url' : 'b64_json')
}

/**
 * Returns the image field of a generation's reply. The default of newer models differs
 * (docs/wire/openai.md 3.3), so `undefined` leaves it to the account.
 */
export function generationReplyField(
  values: Values,
  { kind }: ChosenModel,
): ImageField | undefined {
  return requestedField(values) ?? (kind === 'legacy' ? 'url' : undefined)
}

function requestedField(values: Values): ImageField | undefined {
  return stringAt(values, 'response_format') as ImageField | undefined
}

/** Returns the call of an image request. */
export function imageCall(body: RequestBody, values: Values, { name }: ChosenModel): Call {
  return {
    model: name,
    stream: values['stream'] === true,
    refersTo: [],
    edits: [],
    losses: [],
    modelAt: modelAt(body),
    ...authorOf(values),
  }
}

/** Returns the model that shall author a drawing. */
function authorOf(values: Values): Pick<Call, 'otherModels'> {
  const name = stringAt(values['svg'], 'model')
  return name === undefined ? {} : { otherModels: [{ name, field: 'svg.model' }] }
}

/** Returns the number of requested images. */
export function requestedCount(values: Values): number {
  return typeof values['n'] === 'number' ? values['n'] : 1
}

const formatFields: readonly string[] = ['response_format']

/**
 * Returns the fields left out of the account's request. Newer models refuse `response_format`, so it
 * is left out if one serves a legacy model; the gateway then converts the images.
 */
export function omittedFields({ kind }: ChosenModel, isUpstreamLegacy: boolean): readonly string[] {
  return kind === 'legacy' && !isUpstreamLegacy ? formatFields : []
}

/** Returns the number of input images, before validation. */
export function countInputImages({ form, json }: RequestBody): number {
  if (form) return form.parts.filter(({ name }) => isImageName(name)).length
  return imageFields.flatMap((name) => json[name] ?? []).length
}
