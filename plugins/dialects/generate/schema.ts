import { anyObject, flag, integer, list, number, object, text } from '../shared/json-schema.ts'

const content = object({ parts: list(object({ text })), role: text })

const requestContent = object({
  role: text,
  parts: list(
    object({
      text,
      thought: flag,
      thoughtSignature: text,
      inlineData: object({ mimeType: text, data: text }),
      fileData: object({ mimeType: text, fileUri: text }),
      functionCall: object({ id: text, name: text, args: anyObject }),
      functionResponse: object({ id: text, name: text, response: anyObject }),
    }),
  ),
})

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

const config = object({
  candidateCount: integer,
  frequencyPenalty: number,
  logprobs: integer,
  maxOutputTokens: integer,
  presencePenalty: number,
  responseJsonSchema: anyObject,
  responseLogprobs: flag,
  responseMimeType: text,
  responseModalities: list(text),
  responseSchema: anyObject,
  routingConfig: object({ manualMode: object({ modelName: text }) }),
  seed: integer,
  stopSequences: list(text),
  temperature: number,
  thinkingConfig: object({ includeThoughts: flag, thinkingBudget: integer, thinkingLevel: text }),
  topK: number,
  topP: number,
})

/** The schemas of the operations in `openapi.json`: the fields of docs/wire/contract-fields.md. */
export const generateSchemas = {
  request: {
    type: 'object',
    required: ['contents'],
    additionalProperties: true,
    properties: {
      contents: { ...list(requestContent), minItems: 1 },
      tools: { type: 'array', items: { type: 'object' } },
      toolConfig: { type: 'object' },
      safetySettings: { type: 'array', items: { type: 'object' } },
      systemInstruction: requestContent,
      generationConfig: config,
      cachedContent: text,
      serviceTier: text,
      store: flag,
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

const { properties } = generateSchemas.request

/** The schemas of `:countTokens`, whose contents may stand in a complete request. */
export const countSchemas = {
  request: {
    ...object({
      contents: properties.contents,
      generateContentRequest: object({ model: text, ...properties }),
    }),
    additionalProperties: true,
  },
  reply: object({ totalTokens: integer }),
}
