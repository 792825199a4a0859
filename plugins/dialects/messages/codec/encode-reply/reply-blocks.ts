import type { ReplyContext } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { AssistantPart, ReasoningPart, TextPart } from '../../../../../src/generate/content.ts'
import { safeToolId } from '../../../../../src/generate/call-ids.ts'
import { unownedSignature, writeSignature } from '../../../../../src/generate/signatures.ts'
import { messagesId, requiresThinking, wrapForCall, wrapForText } from '../signatures.ts'
import { isThinking } from '../encode-answer.ts'
import { inputOf } from '../../../shared/blocks/tool-input.ts'

/** Encodes the content of an answer as blocks for a client. */
export function answerBlocks(
  content: readonly AssistantPart[],
  context: ReplyContext,
): JsonObject[] {
  const blocks = content.flatMap((part) => replyBlocks(part, context))
  const first = blocks.findIndex(({ type }) => type === 'tool_use')
  const isMarked = first < 0 || blocks.slice(0, first).some(isThinking)
  if (isMarked || !requiresThinking(context)) return blocks
  return blocks.toSpliced(first, 0, ...carrier(unownedSignature))
}

/** Encodes one part of a reply as blocks for a client. */
function replyBlocks(part: AssistantPart, context: ReplyContext): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part, context)
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, citations: null }]
    case 'reasoning':
      return thinkingBlocks(part)
    case 'tool_call': {
      const { input, isInvalid } = inputOf(part.arguments)
      if (isInvalid) dropArguments(context)
      const call = { type: 'tool_use', id: safeToolId(part.id), name: part.name, input }
      return [...carrier(part.signature && wrapForCall(part.signature, call.id)), call]
    }
    case 'image':
    case 'audio':
      dropMedium(part.type, context)
      return []
  }
}

function textBlocks({ text, citations, signature }: TextPart, context: ReplyContext): JsonObject[] {
  if (citations) dropCitations(context)
  return [
    ...(text === '' ? [] : [{ type: 'text', text, citations: null }]),
    ...carrier(signature && wrapForText(signature)),
  ]
}

function thinkingBlocks({ text, form, signature }: ReasoningPart): JsonObject[] {
  if (text === '' && !signature) return []
  const signed = signature ? writeSignature(signature, messagesId) : unownedSignature
  return form === 'redacted' && text === ''
    ? [{ type: 'redacted_thinking', data: signed }]
    : [{ type: 'thinking', thinking: text, signature: signed }]
}

/** Returns a thinking block that carries a signature of another dialect. The client sends it back. */
function carrier(token: string | undefined): JsonObject[] {
  return token === undefined ? [] : [{ type: 'thinking', thinking: '', signature: token }]
}

/** Records arguments that are not a JSON object as a loss. */
export function dropArguments(context: ReplyContext): void {
  context.drop('content[].input', 'the arguments that the model wrote are not a JSON object')
}

/** Records the citations of a reply as a loss. */
export function dropCitations(context: ReplyContext): void {
  context.drop('content[].citations', 'a citation needs a token that only the Messages API issues')
}

/** Records an image or audio of a reply as a loss. */
export function dropMedium(type: 'image' | 'audio', context: ReplyContext): void {
  context.drop('content[]', `a message cannot carry ${type === 'image' ? 'an image' : 'audio'}`)
}

/** Records the choices after the first one as a loss. */
export function dropChoices(context: ReplyContext): void {
  context.drop('content', 'a message carries one answer')
}
