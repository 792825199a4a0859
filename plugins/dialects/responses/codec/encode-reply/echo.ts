import { isPresent } from '../../../../../src/kit/checks.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { tierOf } from '../service-tier.ts'
import { instructionsOf } from '../decode-request/decode-request.ts'

/** Returns the members of a response that echo its request, with defaults for absent ones. */
export function echoOf(body: JsonObject): JsonObject {
  return {
    background: false,
    conversation: conversationOf(body),
    frequency_penalty: numberAt(body, 'frequency_penalty') ?? 0,
    instructions: instructionsOf(body) ?? null,
    max_output_tokens: numberAt(body, 'max_output_tokens') ?? null,
    max_tool_calls: numberAt(body, 'max_tool_calls') ?? null,
    metadata: objectAt(body, 'metadata') ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    presence_penalty: numberAt(body, 'presence_penalty') ?? 0,
    previous_response_id: stringAt(body, 'previous_response_id') ?? null,
    prompt_cache_key: stringAt(body, 'prompt_cache_key') ?? null,
    reasoning: reasoningOf(body),
    safety_identifier: stringAt(body, 'safety_identifier') ?? null,
    service_tier: tierOf(stringAt(body, 'service_tier') ?? 'auto') ?? 'auto',
    store: body.store ?? true,
    temperature: numberAt(body, 'temperature') ?? 1,
    text: textOf(body),
    tool_choice: body.tool_choice ?? 'auto',
    tools: objectsIn(body.tools).map(toolOf),
    top_logprobs: numberAt(body, 'top_logprobs') ?? 0,
    top_p: numberAt(body, 'top_p') ?? 1,
    truncation: stringAt(body, 'truncation') ?? 'disabled',
    user: stringAt(body, 'user') ?? null,
    access_programs: null,
  }
}

function conversationOf({ conversation }: JsonObject): JsonObject | null {
  const id = typeof conversation === 'string' ? conversation : stringAt(conversation, 'id')
  return id === undefined ? null : { id }
}

function reasoningOf(body: JsonObject): JsonObject {
  const reasoning = objectAt(body, 'reasoning')
  const summary = reasoning?.summary ?? reasoning?.generate_summary ?? null
  return { effort: reasoning?.effort ?? null, summary }
}

function textOf(body: JsonObject): JsonObject {
  const text = objectAt(body, 'text')
  const format = objectAt(text, 'format') ?? { type: 'text' }
  const completeFormat =
    format.type === 'json_schema' ? withNulls(format, ['description', 'strict']) : format
  return { format: completeFormat, verbosity: text?.verbosity ?? 'medium' }
}

/** Adds the optional members of a function as `null`, because clients' schemas require them. */
function toolOf(tool: JsonObject): JsonObject {
  if (tool.type !== 'function') return tool
  return withNulls(tool, ['description', 'parameters', 'strict'])
}

function withNulls(object: JsonObject, fields: readonly string[]): JsonObject {
  const missing = fields.filter((field) => !isPresent(object, field))
  return { ...object, ...Object.fromEntries(missing.map((field) => [field, null])) }
}
