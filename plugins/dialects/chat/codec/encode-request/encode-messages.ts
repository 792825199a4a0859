import { type IdentifiedCall, identifyCalls } from '../../../../../src/generate/call-ids.ts'
import type { AssistantPart, ReasoningPart, UserPart } from '../../../../../src/generate/content.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { noteMissingResults } from '../../../../../src/kit/codec/missing-results.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { chatId, detailsOf, extraContent, fieldOf, hasDetails } from '../signatures.ts'
import { encodeUserContent, joinTexts } from './encode-parts.ts'
import { MatchedResults, type TextTurn, encodeToolResult, noResult, textTurns } from './turns.ts'

/** Encodes an earlier answer of the model; returns `undefined` if no message can carry any of it. */
function encodeAnswer(
  content: readonly AssistantPart[],
  calls: readonly IdentifiedCall[],
): JsonObject | undefined {
  const text = joined(content, 'text')
  const refusal = joined(content, 'refusal')
  if (text === undefined && refusal === undefined && calls.length === 0) return undefined
  return {
    role: 'assistant',
    content: text ?? null,
    ...(refusal !== undefined && { refusal }),
    ...encodeReasoning(content),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
  }
}

function joined(content: readonly AssistantPart[], type: 'text' | 'refusal'): string | undefined {
  const texts = content.flatMap((part) => (part.type === type ? [part.text] : []))
  return texts.join('') || undefined
}

/**
 * Encodes plain reasoning, and its details in their order. It returns only to accounts of this dialect, in
 * the fields it came from.
 */
function encodeReasoning(content: readonly AssistantPart[]): JsonObject {
  const own = content.filter(
    (part): part is ReasoningPart =>
      part.type === 'reasoning' && part.signature?.dialect === chatId && part.text !== '',
  )
  const field = fieldOf(own[0]?.signature)
  const details = detailsOf(content)
  return {
    ...(field && { [field]: own.map(({ text }) => text).join('\n\n') }),
    ...(details.length > 0 && { reasoning_details: details }),
  }
}

function encodeCall({ id, call }: IdentifiedCall): JsonObject {
  const name = safeToolName(call.name)
  const { signature } = call
  const isOwn = signature?.dialect === chatId && !hasDetails(signature)
  const signed = isOwn && { extra_content: extraContent(signature) }
  if (call.kind === 'custom') {
    return { id, type: 'custom', custom: { name, input: call.arguments }, ...signed }
  }
  const text = call.arguments.trim() === '' ? '{}' : call.arguments
  return { id, type: 'function', function: { name, arguments: text }, ...signed }
}

/** Returns the images and audio of an answer, which assistant messages of this dialect cannot carry. */
function mediaOf(content: readonly AssistantPart[]): UserPart[] {
  return content.filter((part) => part.type === 'image' || part.type === 'audio')
}

/**
 * Encodes the conversation as messages. Each tool message directly follows the message with its call,
 * wherever the result is in the conversation. Media of results follow in a user message. System texts
 * get `systemRole`.
 */
export function encodeMessages(
  request: GenerateRequest,
  systemRole: 'developer' | 'system',
  drop: RecordLoss,
): JsonObject[] {
  const { turns } = request
  const results = new MatchedResults(turns)
  const invented = { api: 'Chat Completions API', output: noResult }
  noteMissingResults(request, results.byCall, invented, drop)
  const messages = textTurns(turns, results).flatMap((turn) =>
    turn.role === 'system'
      ? [{ role: systemRole, content: joinTexts(turn.content, '\n\n') }]
      : messagesOf(turn, results),
  )
  return messages.length > 0 ? messages : [{ role: 'user', content: '' }]
}

function messagesOf(
  turn: Exclude<TextTurn, { role: 'system' }>,
  results: MatchedResults,
): JsonObject[] {
  return turn.role === 'user' ? userMessage(turn.content) : answerMessages(turn.content, results)
}

function userMessage(content: readonly UserPart[]): JsonObject[] {
  return content.length === 0 ? [] : [{ role: 'user', content: encodeUserContent(content) }]
}

function answerMessages(content: readonly AssistantPart[], results: MatchedResults): JsonObject[] {
  const calls = identifyCalls(content)
  const answer = encodeAnswer(content, calls)
  const encoded = calls.map(({ id, call }) => encodeToolResult(id, results.of(call)))
  const media = [...mediaOf(content), ...encoded.flatMap(({ media }) => media)]
  const toolMessages = encoded.map(({ message }) => message)
  return [...(answer ? [answer] : []), ...toolMessages, ...userMessage(media)]
}
