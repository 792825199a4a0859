import type { Account } from '../../accounts.ts'
import { newId } from '../../ids.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '../../json.ts'
import type { TextResult, ToolCall } from '../../text/result.ts'

/** The parts of a reasoning item that a reply contains. */
type ReasoningStyle = { summary: boolean; encrypted: boolean }

/** The style that a request demands in `reasoning` and `include`. */
export function reasoningStyleOf(body: JsonObject, summaryByDirective: boolean): ReasoningStyle {
  const { summary, generate_summary } = objectOf(body['reasoning'])
  const include = Array.isArray(body['include']) ? body['include'] : []
  return {
    summary: summaryByDirective || textOf(summary ?? generate_summary) !== '',
    encrypted: include.includes('reasoning.encrypted_content'),
  }
}

/** Renders a result as output items, each finished and with its id. */
export function renderItems(
  answer: TextResult,
  style: ReasoningStyle,
  account: Account,
): JsonObject[] {
  const items: JsonObject[] = []
  if (answer.reasoning !== undefined) items.push(renderReasoning(answer.reasoning, style, account))
  const parts = partsOf(answer)
  const status = answer.ending.reason === 'length' ? 'incomplete' : 'completed'
  if (parts.length > 0)
    items.push({ id: newId('msg_'), type: 'message', status, role: 'assistant', content: parts })
  return [...items, ...answer.calls.map(renderCall)]
}

function renderReasoning(text: string, style: ReasoningStyle, account: Account): JsonObject {
  return {
    id: newId('rs_'),
    type: 'reasoning',
    summary: style.summary ? [{ type: 'summary_text', text }] : [],
    ...(style.encrypted ? { encrypted_content: account.sign('reasoning') } : {}),
  }
}

function partsOf({ text, refusal }: TextResult): JsonObject[] {
  if (refusal !== undefined) return [{ type: 'refusal', refusal }]
  return text === undefined ? [] : [{ type: 'output_text', text, annotations: [], logprobs: [] }]
}

function renderCall({ name, input, freeform }: ToolCall): JsonObject {
  const call = { status: 'completed', call_id: newId('call_'), name }
  return freeform
    ? { id: newId('ctc_'), type: 'custom_tool_call', ...call, input }
    : { id: newId('fc_'), type: 'function_call', ...call, arguments: JSON.stringify(input) }
}

/** An item as a stream adds it: without its content. */
export function emptyItem(item: JsonObject): JsonObject {
  switch (item['type']) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...item, summary: [] }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' }
    default:
      return { ...item, status: 'in_progress', input: '' }
  }
}

/** The parts of a message item. */
export function partsOfItem(item: JsonObject): JsonObject[] {
  return objectsOf(item['content'])
}
