import { newId, nowInSeconds } from '../../ids.ts'
import { type JsonObject, objectOf, objectsOf } from '../../json.ts'
import type { TextResult, TokenUsage } from '../../text/result.ts'
import { conversationIdOf } from '../conversations/conversation-id.ts'

/** Renders a finished response. Its id contains the account: `resp_<account>_…`. */
export function renderResponse(
  body: JsonObject,
  answer: TextResult,
  output: JsonObject[],
  accountId: string,
): JsonObject {
  const now = nowInSeconds()
  const outcome = outcomeOf(answer)
  return {
    id: newId(`resp_${accountId}_`),
    object: 'response',
    created_at: now,
    completed_at: outcome.status === 'completed' ? now : null,
    ...outcome,
    ...echoOf(body),
    output,
    usage: answer.usage ? renderResponseUsage(answer.usage) : null,
  }
}

/** A finished response as it was before its first output. */
export function unfinishedResponse(
  response: JsonObject,
  status: 'queued' | 'in_progress',
): JsonObject {
  return {
    ...response,
    status,
    completed_at: null,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
  }
}

type Outcome = { status: string; error: JsonObject | null; incomplete_details: JsonObject | null }

function outcomeOf({ finish, ending }: TextResult): Outcome {
  const reason = finish ?? (ending.reason === 'length' ? 'max_output_tokens' : 'completed')
  if (reason === 'completed') return { status: reason, error: null, incomplete_details: null }
  if (reason === 'cancelled') return { status: reason, error: null, incomplete_details: null }
  if (reason !== 'failed')
    return { status: 'incomplete', error: null, incomplete_details: { reason } }
  const error = { code: 'server_error', message: 'sandbox: failed, as directed' }
  return { status: 'failed', error, incomplete_details: null }
}

// The members of the request, with OpenAI's defaults for those that it lacks.
function echoOf(body: JsonObject): JsonObject {
  const conversation = conversationIdOf(body)
  const text = objectOf(body['text'])
  return {
    access_programs: body['access_programs'] ?? null,
    background: body['background'] ?? false,
    conversation: conversation === undefined ? null : { id: conversation },
    frequency_penalty: body['frequency_penalty'] ?? 0,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    metadata: body['metadata'] ?? {},
    model: body['model'] ?? 'sandbox/echo',
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    presence_penalty: body['presence_penalty'] ?? 0,
    previous_response_id: body['previous_response_id'] ?? null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: null, summary: null, ...Object(body['reasoning'] ?? {}) },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: 'default',
    store: body['store'] ?? true,
    temperature: body['temperature'] ?? 1,
    text: { format: text['format'] ?? { type: 'text' }, verbosity: text['verbosity'] ?? 'medium' },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: objectsOf(body['tools']).map(echoOfTool),
    top_logprobs: body['top_logprobs'] ?? 0,
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    user: body['user'] ?? null,
  }
}

function echoOfTool(tool: JsonObject): JsonObject {
  if (tool['type'] !== 'function') return tool
  return { description: null, parameters: null, strict: true, ...tool }
}

/** Renders the usage of a response. */
export function renderResponseUsage({ input, output, reasoning }: TokenUsage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
