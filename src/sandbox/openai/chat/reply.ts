import { newId, nowInSeconds } from '../../ids.ts'
import type { JsonObject } from '../../json.ts'
import type { TextResult, TokenUsage, ToolCall } from '../../text/result.ts'

/** The members that all chunks of a completion share. */
export type CompletionHeading = {
  id: string
  created: number
  model: string
  system_fingerprint: string
}

/** The heading of a new completion. Its fingerprint contains the account. */
export function newCompletionHeading(model: string, accountId: string): CompletionHeading {
  return {
    id: newId('chatcmpl-'),
    created: nowInSeconds(),
    model,
    system_fingerprint: `fp_sandbox_${accountId}`,
  }
}

/** A tool call with its id, which is the same in the JSON and in the stream. */
export type ChatCall = { id: string; type: string; [kind: string]: unknown }

/** Renders a tool call with a new id. */
export function renderChatCall({ name, input, freeform }: ToolCall): ChatCall {
  const id = newId('call_')
  return freeform
    ? { id, type: 'custom', custom: { name, input } }
    : { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

/** Renders the whole completion as JSON, with one choice for each list of calls. */
export function renderCompletion(
  heading: CompletionHeading,
  answer: TextResult,
  callsByChoice: ChatCall[][],
): JsonObject {
  const { id, ...rest } = heading
  return {
    id,
    object: 'chat.completion',
    ...rest,
    service_tier: 'default',
    choices: callsByChoice.map((calls, index) => ({
      index,
      message: renderMessage(answer, calls),
      logprobs: null,
      finish_reason: chatFinishReason(answer),
    })),
    ...(answer.usage ? { usage: renderCompletionUsage(answer.usage, callsByChoice.length) } : {}),
  }
}

function renderMessage(answer: TextResult, calls: ChatCall[]): JsonObject {
  return {
    role: 'assistant',
    content: answer.text ?? null,
    ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
    refusal: answer.refusal ?? null,
    annotations: [],
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

/** The `finish_reason` of a result. */
export function chatFinishReason({ finish, ending }: TextResult): string {
  if (finish !== undefined) return finish
  if (ending.reason === 'length') return 'length'
  return ending.reason === 'calls' ? 'tool_calls' : 'stop'
}

/** Renders the usage, whose output counts once for each choice. */
export function renderCompletionUsage(usage: TokenUsage, choices: number): JsonObject {
  const output = usage.output * choices
  return {
    prompt_tokens: usage.input,
    completion_tokens: output,
    total_tokens: usage.input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning * choices,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
