import { flag, integer, list, number, object, text } from '../shared/json-schema.ts'

const settings = {
  taskType: text,
  title: text,
  outputDimensionality: { ...integer, minimum: 1 },
}

const request = object({
  model: text,
  content: object({ role: text, parts: list(object({ text })) }),
  ...settings,
  embedContentConfig: object({ ...settings, autoTruncate: flag }),
})

const embedding = object({ values: list(number) })

const usageMetadata = object({ promptTokenCount: integer, totalTokenCount: integer })

/** Schemas of `:embedContent`. */
export const contentSchema = {
  request: { ...request, required: ['content'], additionalProperties: true },
  reply: object({ embedding, usageMetadata }),
}

/** Schemas of `:batchEmbedContents`. */
export const batchSchema = {
  request: {
    ...object({ requests: { ...list(request), minItems: 1, maxItems: 100 } }),
    required: ['requests'],
    additionalProperties: true,
  },
  reply: object({ embeddings: list(embedding), usageMetadata }),
}
