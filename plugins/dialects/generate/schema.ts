/** The schemas of the operations in `openapi.json`: the fields that docs/wire/contract.md names. */
export const generateSchemas = {
  request: {
    type: 'object',
    required: ['contents'],
    additionalProperties: true,
    properties: {
      contents: { type: 'array', minItems: 1, items: { type: 'object' } },
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
      candidates: { type: 'array', items: { type: 'object' } },
      promptFeedback: { type: 'object' },
      usageMetadata: { type: 'object' },
      modelVersion: { type: 'string' },
    },
  },
}
