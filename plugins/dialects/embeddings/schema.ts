import { either, integer, list, number, object, text } from '../shared/json-schema.ts'

const tokens = list(integer)

/** Schemas of `POST /v1/embeddings`. */
export const embeddingsSchema = {
  request: {
    type: 'object',
    required: ['model', 'input'],
    additionalProperties: true,
    properties: {
      model: text,
      input: either(text, { ...list(either(text, tokens)), minItems: 1, maxItems: 2_048 }, tokens),
      dimensions: { ...integer, minimum: 1 },
      encoding_format: { ...text, enum: ['float', 'base64'] },
      user: text,
    },
  },
  reply: object({
    object: text,
    data: list(object({ object: text, index: integer, embedding: either(list(number), text) })),
    model: text,
    usage: object({ prompt_tokens: integer, total_tokens: integer }),
  }),
}
