import {
  anyObject,
  either,
  flag,
  integer,
  list,
  number,
  object,
  objectOrNull,
  text,
  textOrNull,
} from '../shared/json-schema.ts'
import { standInSchemas, toolModelSchemas } from '../shared/other-models.ts'

const temperature = { type: 'number', minimum: 0, maximum: 2 }
const topP = { type: 'number', minimum: 0, maximum: 1 }

const part = object({
  type: text,
  text,
  refusal: text,
  image_url: either(text, object({ url: text })),
  input_audio: object({ data: text, format: text }),
  file_data: text,
  file_id: text,
})

/** Where tools run, and may have run before. */
const environment = object({ type: text, container_id: text, file_ids: list(text) })

const tool = object({
  type: text,
  name: text,
  description: text,
  parameters: anyObject,
  vector_store_ids: list(text),
  max_num_results: integer,
  container: either(text, object({ type: text, file_ids: list(text) })),
  environment,
  input_image_mask: object({ file_id: text, image_url: text }),
  ...toolModelSchemas,
})

/** Some members decide whether an item names data that its account stores. */
const inputItem = object({
  type: text,
  role: text,
  content: either(text, list(part)),
  summary: list(object({ type: text, text })),
  name: text,
  call_id: text,
  arguments: text,
  input: {},
  output: either(text, list(part)),
  id: text,
  approval_request_id: text,
  container_id: text,
  encrypted_content: text,
  environment,
  outputs: {},
  result: {},
  results: {},
  tools: list(tool),
})

const format = object({
  format: object({ type: { enum: ['text', 'json_object', 'json_schema'] } }),
  verbosity: text,
})

/** Members that a response repeats from its request. */
const repeated = {
  instructions: either(textOrNull, list(inputItem)),
  max_output_tokens: { type: ['integer', 'null'] },
  parallel_tool_calls: { type: 'boolean', default: true },
  previous_response_id: textOrNull,
  reasoning: object({ effort: textOrNull, summary: textOrNull }),
  store: { type: 'boolean', default: true },
  temperature: number,
  text: format,
  tool_choice: { type: ['string', 'object'] },
  tools: list(tool),
  top_p: number,
  truncation: { enum: ['auto', 'disabled'], default: 'disabled' },
  user: textOrNull,
  metadata: anyObject,
  conversation: objectOrNull({ id: text }),
}

const usage = {
  type: ['object', 'null'],
  properties: {
    input_tokens: integer,
    input_tokens_details: object({ cached_tokens: integer }),
    output_tokens: integer,
    output_tokens_details: object({ reasoning_tokens: integer }),
    total_tokens: integer,
  },
}

const outputItem = object({
  type: text,
  id: text,
  status: text,
  role: text,
  content: list(object({ type: text, text, annotations: list(anyObject) })),
})

/** Schemas of `POST /v1/responses` in `openapi.json`: the fields of docs/wire/contract-fields.md. */
export const responsesSchemas = {
  request: {
    type: 'object',
    required: ['model', 'input'],
    additionalProperties: true,
    properties: {
      model: text,
      input: either(text, list(inputItem)),
      instructions: textOrNull,
      previous_response_id: { type: ['string', 'null'], minLength: 1 },
      conversation: { type: ['string', 'object', 'null'], properties: { id: text } },
      stream: { type: 'boolean', default: false },
      stream_options: anyObject,
      store: { type: 'boolean', default: true },
      parallel_tool_calls: { type: 'boolean', default: true },
      max_output_tokens: integer,
      max_tool_calls: integer,
      temperature,
      top_p: topP,
      top_logprobs: { type: 'integer', minimum: 0, maximum: 20 },
      tools: list(tool),
      tool_choice: { type: ['string', 'object'] },
      text: format,
      reasoning: object({ effort: textOrNull, summary: textOrNull }),
      include: list(text),
      truncation: { enum: ['auto', 'disabled'], default: 'disabled' },
      service_tier: text,
      metadata: anyObject,
      user: { type: 'string', deprecated: true },
      safety_identifier: text,
      prompt_cache_key: text,
      prompt: { type: ['string', 'object'] },
      prompt_cache_options: object({ comparison_response_id: text }),
      ...standInSchemas,
      background: flag,
      image: anyObject,
      presence_penalty: number,
      frequency_penalty: number,
    },
  },
  reply: {
    type: 'object',
    required: ['id', 'object', 'created_at', 'model', 'output'],
    properties: {
      id: text,
      object: { const: 'response' },
      created_at: number,
      status: {
        enum: ['completed', 'failed', 'in_progress', 'cancelled', 'queued', 'incomplete'],
      },
      error: objectOrNull(),
      incomplete_details: objectOrNull({ reason: text }),
      model: text,
      output: list(outputItem),
      output_text: textOrNull,
      usage,
      service_tier: textOrNull,
      background: flag,
      ...repeated,
    },
  },
}

const inputOnly = {
  type: 'object',
  required: ['model'],
  additionalProperties: true,
  properties: responsesSchemas.request.properties,
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
      items: list(inputItem),
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
