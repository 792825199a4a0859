import {
  anyObject,
  either,
  integer,
  list,
  object,
  objectOrNull,
  text,
  textOrNull,
} from '../shared/json-schema.ts'
import { standInSchemas, toolModelSchemas } from '../shared/other-models.ts'

const block = object({ type: text, text })

/** A block in a result or in the source of a document, in which blocks stand again: so many levels are checked. */
function blockOf(levels: number): ReturnType<typeof object> {
  const content = levels === 0 ? {} : { content: either(text, list(blockOf(levels - 1))) }
  return object({
    type: text,
    text,
    source: object({ type: text, data: text, url: text, file_id: text, ...content }),
    file_id: text,
    title: text,
    context: text,
    ...content,
  })
}

const tool = object(toolModelSchemas)

/** A tool that the conversation defines on its way. */
const addition = { tool: object({ definition: tool }) }

const requestBlock = object({
  ...blockOf(3).properties,
  thinking: text,
  signature: text,
  id: text,
  name: text,
  input: anyObject,
  tool_use_id: text,
  ...addition,
  tool_changes: list(object(addition)),
})

/** The schemas of the operation in `openapi.json`: the fields of docs/wire/contract-fields.md. */
export const messagesSchemas = {
  request: {
    type: 'object',
    required: ['model', 'max_tokens', 'messages'],
    additionalProperties: true,
    properties: {
      model: { type: 'string' },
      max_tokens: { type: 'integer', minimum: 0 },
      messages: {
        ...list(object({ role: text, content: either(text, list(requestBlock)) })),
        minItems: 1,
      },
      system: either(text, list(blockOf(1))),
      stream: { type: 'boolean' },
      stop_sequences: { type: 'array', maxItems: 4, items: { type: 'string' } },
      temperature: { type: 'number', minimum: 0, maximum: 1 },
      top_k: { type: 'integer', minimum: 1 },
      top_p: { type: 'number', minimum: 0, maximum: 1 },
      tools: list(tool),
      ...standInSchemas,
      tool_choice: { type: 'object' },
      metadata: { type: 'object', properties: { user_id: { type: 'string' } } },
      container: {
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { id: { type: 'string' } } },
          { type: 'null' },
        ],
      },
      billing_policy: {},
      compaction: {},
      inference_geo: { type: 'string' },
      speed: { type: 'string' },
      mcp_servers: { type: 'array', items: { type: 'object' } },
      output_config: { type: 'object' },
      output_format: { type: 'object' },
      service_tier: { type: 'string' },
      thread: objectOrNull({ type: text, previous_message_id: text }),
      diagnostics: objectOrNull({ previous_message_id: textOrNull }),
      thinking: {
        type: 'object',
        properties: { type: { type: 'string' }, budget_tokens: { type: 'integer' } },
      },
    },
  },
  reply: {
    type: 'object',
    required: ['id', 'type', 'role', 'content', 'model', 'stop_reason', 'usage'],
    properties: {
      id: { type: 'string' },
      type: { const: 'message' },
      role: { const: 'assistant' },
      content: list(block),
      model: { type: 'string' },
      stop_reason: { type: ['string', 'null'] },
      stop_sequence: { type: ['string', 'null'] },
      usage: object({ input_tokens: integer, output_tokens: integer }),
    },
  },
}

const { model, messages, system, tools, tool_choice, container, thread, diagnostics } =
  messagesSchemas.request.properties

/** The schemas of a token count. */
export const countSchemas = {
  request: {
    type: 'object',
    required: ['model', 'messages'],
    additionalProperties: true,
    properties: {
      model,
      messages,
      system,
      tools,
      tool_choice,
      container,
      thread,
      diagnostics,
      ...standInSchemas,
    },
  },
  reply: { type: 'object', properties: { input_tokens: { type: 'integer' } } },
}
