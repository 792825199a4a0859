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

const penalty = { type: 'number', minimum: -2, maximum: 2 }
const tokens = { type: ['integer', 'null'] }

const alternative = { token: text, logprob: number, bytes: either(list(integer), { type: 'null' }) }
const logprobs = list(object({ ...alternative, top_logprobs: list(object(alternative)) }))

const called = object({ name: text, arguments: text })

const citation = object({ start_index: integer, end_index: integer, url: text, title: text })

const message = object({
  role: { const: 'assistant' },
  content: textOrNull,
  refusal: textOrNull,
  tool_calls: list(object({ id: text, type: text, function: called })),
  function_call: called,
  annotations: list(object({ type: text, url_citation: citation })),
  audio: object({ id: text, expires_at: integer, data: text, transcript: text }),
})

const choice = object({
  finish_reason: text,
  index: integer,
  message,
  logprobs: objectOrNull({ content: logprobs, refusal: logprobs }),
})

const usage = object({
  completion_tokens: integer,
  prompt_tokens: integer,
  total_tokens: integer,
  completion_tokens_details: object({
    accepted_prediction_tokens: integer,
    audio_tokens: integer,
    reasoning_tokens: integer,
    rejected_prediction_tokens: integer,
  }),
  prompt_tokens_details: object({ audio_tokens: integer, cached_tokens: integer }),
})

const part = object({
  type: text,
  text,
  refusal: text,
  image_url: either(text, object({ url: text })),
  input_audio: object({ data: text, format: text }),
  file: object({ file_id: text, file_data: text, filename: text }),
})

const call = object({
  id: text,
  type: text,
  function: called,
  custom: object({ name: text, input: text }),
})

const requestMessage = object({
  role: text,
  content: either(textOrNull, list(part)),
  name: text,
  refusal: textOrNull,
  reasoning: textOrNull,
  reasoning_content: textOrNull,
  tool_calls: list(call),
  function_call: called,
  tool_call_id: text,
  audio: object({ id: text }),
})

/** The schemas of the operation in `openapi.json`: the fields of docs/wire/contract-fields.md. */
export const chatSchemas = {
  request: {
    type: 'object',
    required: ['model', 'messages'],
    additionalProperties: true,
    properties: {
      model: text,
      messages: { ...list(requestMessage), minItems: 1 },
      stream: flag,
      stream_options: anyObject,
      temperature: { type: 'number', minimum: 0, maximum: 2 },
      top_p: { type: 'number', minimum: 0, maximum: 1 },
      n: { type: 'integer', minimum: 1, maximum: 128 },
      seed: integer,
      max_completion_tokens: tokens,
      max_tokens: { ...tokens, deprecated: true },
      stop: either(text, { ...list(text), maxItems: 4 }),
      frequency_penalty: penalty,
      presence_penalty: penalty,
      logprobs: flag,
      top_logprobs: { type: 'integer', minimum: 0, maximum: 20 },
      logit_bias: { type: 'object', additionalProperties: number },
      response_format: object({ type: { enum: ['text', 'json_object', 'json_schema'] } }),
      verbosity: { enum: ['low', 'medium', 'high'] },
      reasoning_effort: text,
      modalities: list(text),
      audio: anyObject,
      prediction: anyObject,
      web_search_options: anyObject,
      tools: list(object(toolModelSchemas)),
      ...standInSchemas,
      tool_choice: { type: ['string', 'object'] },
      parallel_tool_calls: flag,
      function_call: { ...object({ name: text }), type: ['string', 'object'], deprecated: true },
      functions: { ...list(anyObject), minItems: 1, maxItems: 128, deprecated: true },
      service_tier: text,
      store: flag,
      metadata: anyObject,
      user: { type: 'string', deprecated: true },
      safety_identifier: text,
      prompt_cache_key: text,
    },
  },
  reply: {
    type: 'object',
    required: ['id', 'object', 'created', 'model', 'choices'],
    properties: {
      id: text,
      object: { const: 'chat.completion' },
      created: integer,
      model: text,
      choices: list(choice),
      service_tier: text,
      system_fingerprint: text,
      usage,
    },
  },
}
