import { either, flag, integer, list, number, object, text } from '../shared/json-schema.ts'

const positive = { ...integer, minimum: 1 }
const document = object({ text })

/** Schemas of `POST /v1/rerank`. */
export const rerankSchema = {
  request: {
    type: 'object',
    required: ['model', 'query', 'documents'],
    additionalProperties: true,
    properties: {
      model: text,
      query: text,
      documents: { ...list(either(text, document)), minItems: 1 },
      top_n: positive,
      return_documents: flag,
      max_tokens_per_doc: positive,
    },
  },
  reply: object({
    id: text,
    model: text,
    results: list(object({ index: integer, relevance_score: number, document })),
    meta: object({ billed_units: object({ search_units: number }) }),
    usage: object({ total_tokens: integer }),
  }),
}
