/** Schemas of `POST /v1/responses` in `openapi.json`: the fields of docs/wire/contract.md. */
export const responsesSchemas = {
  request: {
    type: 'object',
    required: ['model', 'input'],
    additionalProperties: true,
    properties: {
      model: { type: 'string' },
      input: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] },
      instructions: { type: ['string', 'null'] },
      previous_response_id: { type: ['string', 'null'], minLength: 1 },
      conversation: { type: ['string', 'object', 'null'] },
      stream: { type: 'boolean', default: false },
      store: { type: 'boolean', default: true },
      max_output_tokens: { type: 'integer' },
      max_tool_calls: { type: 'integer' },
      temperature: { type: 'number', minimum: 0, maximum: 2 },
      top_p: { type: 'number', minimum: 0, maximum: 1 },
      top_logprobs: { type: 'integer', minimum: 0, maximum: 20 },
      tools: { type: 'array', items: { type: 'object' } },
      tool_choice: {},
      text: { type: 'object' },
      reasoning: { type: 'object' },
      include: { type: 'array', items: { type: 'string' } },
      truncation: { enum: ['auto', 'disabled'], default: 'disabled' },
      metadata: { type: 'object' },
    },
  },
  reply: {
    type: 'object',
    required: ['id', 'object', 'created_at', 'model', 'output'],
    properties: {
      id: { type: 'string' },
      object: { const: 'response' },
      created_at: { type: 'number' },
      status: {
        enum: ['completed', 'failed', 'in_progress', 'cancelled', 'queued', 'incomplete'],
      },
      model: { type: 'string' },
      output: { type: 'array', items: { type: 'object' } },
      usage: { type: 'object' },
      previous_response_id: { type: ['string', 'null'] },
    },
  },
}

const { model, input, previous_response_id, conversation } = responsesSchemas.request.properties

const inputOnly = {
  type: 'object',
  required: ['model'],
  additionalProperties: true,
  properties: { model, input, previous_response_id, conversation },
}

/** Schemas of `POST /v1/responses/input_tokens`. */
export const inputTokensSchemas = {
  request: inputOnly,
  reply: {
    type: 'object',
    properties: {
      object: { const: 'response.input_tokens' },
      input_tokens: { type: 'integer' },
    },
  },
}

/** Schemas of `POST /v1/responses/compact`. */
export const compactSchemas = {
  request: inputOnly,
  reply: {
    type: 'object',
    required: ['id', 'output'],
    properties: {
      id: { type: 'string' },
      object: { const: 'response.compaction' },
      created_at: { type: 'number' },
      output: { type: 'array', items: { type: 'object' } },
      usage: { type: 'object' },
    },
  },
}

/** Schemas of `POST /v1/conversations`. */
export const conversationSchemas = {
  request: {
    type: 'object',
    additionalProperties: true,
    properties: {
      items: { type: 'array', items: { type: 'object' } },
      metadata: { type: 'object' },
    },
  },
  reply: {
    type: 'object',
    required: ['id', 'object'],
    properties: {
      id: { type: 'string' },
      object: { const: 'conversation' },
      created_at: { type: 'number' },
      metadata: { type: 'object' },
    },
  },
}
