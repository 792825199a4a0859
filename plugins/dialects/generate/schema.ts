import { flag, integer, list, object, text } from '../shared/json-schema.ts'

const content = object({ parts: list(object({ text })), role: text })

const ratings = list(object({ category: text, probability: text, blocked: flag }))

const source = object({ startIndex: integer, endIndex: integer, uri: text, license: text })

const candidate = object({
  content,
  finishReason: text,
  index: integer,
  safetyRatings: ratings,
  citationMetadata: object({ citationSources: list(source) }),
  tokenCount: integer,
})

/** The schemas of the operations in `openapi.json`: the fields of docs/wire/contract-fields.md. */
export const generateSchemas = {
  request: {
    type: 'object',
    required: ['contents'],
    additionalProperties: true,
    properties: {
      contents: { ...list(content), minItems: 1 },
      tools: { type: 'array', items: { type: 'object' } },
      toolConfig: { type: 'object' },
      safetySettings: { type: 'array', items: { type: 'object' } },
      systemInstruction: { type: 'object' },
      generationConfig: { type: 'object' },
    },
  },
  reply: {
    type: 'object',
    properties: {
      candidates: list(candidate),
      promptFeedback: object({ blockReason: text, safetyRatings: ratings }),
      usageMetadata: object({
        promptTokenCount: integer,
        candidatesTokenCount: integer,
        totalTokenCount: integer,
        cachedContentTokenCount: integer,
      }),
      modelVersion: { type: 'string' },
    },
  },
}
