/** The schemas of the operation in `openapi.json`: the fields that docs/wire/contract.md names. */
export const chatSchemas = {
  request: {
    type: 'object',
    required: ['model', 'messages'],
    additionalProperties: true,
    properties: {
      model: { type: 'string' },
      messages: { type: 'array', minItems: 1, items: { type: 'object' } },
      stream: { type: 'boolean' },
      temperature: { type: 'number', minimum: 0, maximum: 2 },
      top_p: { type: 'number', minimum: 0, maximum: 1 },
      n: { type: 'integer', minimum: 1, maximum: 128 },
      max_completion_tokens: { type: 'integer' },
      max_tokens: { type: 'integer', deprecated: true },
      stop: { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 4 }] },
      frequency_penalty: { type: 'number', minimum: -2, maximum: 2 },
      presence_penalty: { type: 'number', minimum: -2, maximum: 2 },
      logprobs: { type: 'boolean' },
      top_logprobs: { type: 'integer', minimum: 0, maximum: 20 },
      logit_bias: { type: 'object', additionalProperties: { type: 'number' } },
      tools: { type: 'array', items: { type: 'object' } },
      tool_choice: {},
      metadata: { type: 'object' },
    },
  },
  reply: {
    type: 'object',
    required: ['id', 'object', 'created', 'model', 'choices'],
    properties: {
      id: { type: 'string' },
      object: { const: 'chat.completion' },
      created: { type: 'integer' },
      model: { type: 'string' },
      choices: { type: 'array', items: { type: 'object' } },
      usage: { type: 'object' },
    },
  },
}
