import type { AnySchema } from 'ajv'

import { objectSchema } from '../replies.ts'

/** Resources, Image edit result, as JSON Schemas. */

const oneOf = (...words: string[]) => ({ type: 'string', enum: words })
const time = { type: 'integer', minimum: 1, maximum: 253_402_300_799 }
const count = { type: 'integer', minimum: 0 }
const string = { type: 'string' }

const words = {
  'background?': oneOf('transparent', 'opaque'),
  'output_format?': oneOf('png', 'webp', 'jpeg'),
  'quality?': oneOf('low', 'medium', 'high'),
  'size?': oneOf('1024x1024', '1024x1536', '1536x1024'),
}

const usage = objectSchema({
  'input_tokens?': count,
  'input_tokens_details?': objectSchema({ 'image_tokens?': count, 'text_tokens?': count }),
  'output_tokens?': count,
  'total_tokens?': count,
})

const image: AnySchema = {
  ...(objectSchema({ 'url?': string, 'b64_json?': string }) as object),
  anyOf: [{ required: ['url'] }, { required: ['b64_json'] }],
}

/** The result of a request for two images; `usage` is of the newer model only. */
export const imageResult = (model: 'newer' | 'legacy'): AnySchema =>
  objectSchema({
    created: time,
    data: { type: 'array', minItems: 1, maxItems: 2, items: image },
    ...words,
    'usage?': model === 'newer' ? usage : false,
  })

/** An event with an image. The contract leaves its names open; the SDKs read these. */
export const imageEvent = objectSchema({
  type: string,
  b64_json: string,
  'partial_image_index?': count,
  'created_at?': time,
  ...words,
  'usage?': usage,
})
