import type { JsonObject } from '../../json.ts'

/** The families of image models, which differ in their parameters and in their replies. */
export type ImageModelKind = 'dall-e-2' | 'dall-e-3' | 'gpt-image'

/** The kind of a model. A name other than the old ones is a GPT image model. */
export function kindOf(model: string): ImageModelKind {
  const [, kind] = /(?:^|\/)(dall-e-[23])(?:\/|$)/.exec(model) ?? []
  return kind === 'dall-e-2' || kind === 'dall-e-3' ? kind : 'gpt-image'
}

/** Whether a model accepts any size within bounds. */
export function acceptsAnySize(model: string): boolean {
  return /(?:^|\/)gpt-image-(?:[2-9]|\d\d)/.test(model)
}

const onlyOfGptImage = [
  'background',
  'input_fidelity',
  'moderation',
  'output_compression',
  'output_format',
  'partial_images',
]

const qualitiesOfGptImage = ['low', 'medium', 'high', 'auto']

/** The default model of a request: an old one, unless the request has newer parameters. */
export function defaultModel(body: JsonObject): string {
  const isNewer =
    onlyOfGptImage.some((name) => body[name] !== undefined) ||
    body['stream'] === true ||
    qualitiesOfGptImage.includes(String(body['quality']))
  return isNewer ? 'gpt-image-1' : 'dall-e-2'
}
