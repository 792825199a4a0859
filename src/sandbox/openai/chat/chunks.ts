import { type JsonObject, objectOf, textOf } from '../../json.ts'
import type { TextResult } from '../../text/result.ts'
import { deltasOf } from '../../text/words.ts'
import type { Frame } from '../../wire/frame.ts'
import {
  type ChatCall,
  type CompletionHeading,
  chatFinishReason,
  renderCompletionUsage,
} from './reply.ts'

/**
 * Renders a completion as a stream, `[DONE]` included. With `includeUsage`, one more chunk has the
 * usage and no choices, and all others have `usage: null`.
 */
export function renderCompletionChunks(
  heading: CompletionHeading,
  answer: TextResult,
  callsByChoice: ChatCall[][],
  includeUsage: boolean,
): Frame[] {
  const chunk = (choices: JsonObject[], usage: JsonObject | null = null): Frame => ({
    data: {
      ...heading,
      object: 'chat.completion.chunk',
      service_tier: 'default',
      choices,
      ...(includeUsage ? { usage } : {}),
    },
  })
  const frames = callsByChoice.flatMap((calls, index) => [
    ...deltasOfChoice(answer, calls).map((delta) =>
      chunk([{ index, delta, logprobs: null, finish_reason: null }]),
    ),
    chunk([{ index, delta: {}, logprobs: null, finish_reason: chatFinishReason(answer) }]),
  ])
  if (includeUsage && answer.usage)
    frames.push(chunk([], renderCompletionUsage(answer.usage, callsByChoice.length)))
  return [...frames, { data: '[DONE]' }]
}

function deltasOfChoice(answer: TextResult, calls: ChatCall[]): JsonObject[] {
  const { reasoning = '', text = '', refusal = '', inOnePiece } = answer
  const content = calls.length > 0 && text === '' ? null : ''
  return [
    { role: 'assistant', content, refusal: null },
    ...deltasOf(reasoning).map((delta) => ({ reasoning_content: delta })),
    ...deltasOf(text, inOnePiece).map((delta) => ({ content: delta })),
    ...deltasOf(refusal).map((delta) => ({ refusal: delta })),
    ...calls.flatMap(deltasOfCall),
  ]
}

function deltasOfCall(call: ChatCall, index: number): JsonObject[] {
  const { id, type } = call
  const { name, ...content } = objectOf(call[type])
  const [field = 'arguments', value] = Object.entries(content)[0] ?? []
  return [
    { tool_calls: [{ index, id, type, [type]: { name, [field]: '' } }] },
    ...deltasOf(textOf(value)).map((delta) => ({
      tool_calls: [{ index, [type]: { [field]: delta } }],
    })),
  ]
}
