import type { AssistantPart, Signature } from '../../generate/content.ts'
import type { GenerateResult, StopReason } from '../../generate/result.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const callNamed = (id: string, name: string, place: string) =>
  ({
    type: 'tool_call',
    kind: 'function',
    id,
    name,
    arguments: `{"place":${JSON.stringify(place)}}`,
  }) as const
const usage = { inputTokens: 12, outputTokens: 34 }

function resultOf(content: readonly AssistantPart[], reason: StopReason): GenerateResult {
  return { id: 'reply_1', model: 'model-1', choices: [{ content, stop: { reason } }], usage }
}

/** A reply that ends for a reason. */
export function endsWith(reason: StopReason): GenerateResult {
  return resultOf([text('A mar')], reason)
}

/** A reply with a call of a tool. */
export function callOf(name: string): GenerateResult {
  return resultOf([callNamed('call_1', name, 'Rome')], 'tool_calls')
}

/** A reply whose prompt was read from a cache in part, and written to it. */
export const cachedReply: GenerateResult = {
  ...resultOf([text('Hi')], 'stop'),
  usage: {
    inputTokens: 120,
    outputTokens: 34,
    cachedTokens: 50,
    cacheWriteTokens: 30,
    reasoningTokens: 9,
  },
}

const reasoning = { type: 'reasoning', form: 'raw', text: 'Hm.' } as const

/** A reply with reasoning before its text. */
export const reasonedReply = resultOf([reasoning, text('Hi')], 'stop')

/** Replies with a signature, before or at a call, whose result the client brings next. */
export const signedReplies: Readonly<Record<string, (signature: Signature) => GenerateResult>> = {
  reasoning: (signature) =>
    resultOf([{ ...reasoning, signature }, callNamed('call_1', 'look', 'Rome')], 'tool_calls'),
  'a tool call': (signature) =>
    resultOf([{ ...callNamed('call_1', 'look', 'Rome'), signature }], 'tool_calls'),
}

/** Replies that every codec carries. */
export const results: Readonly<Record<string, GenerateResult>> = {
  'a text': resultOf([text('A “market”.\n☂ \u{1f600}\\')], 'stop'),
  'a text that is cut by the limit': resultOf([text('A mar')], 'length'),
  'a call': resultOf([callNamed('call_1', 'look', 'Zürich')], 'tool_calls'),
  'a text and two calls': resultOf(
    [text('I look.'), callNamed('call_1', 'look', 'Rome'), callNamed('call_2', 'hear', '')],
    'tool_calls',
  ),
  'a text without usage': { ...resultOf([text('Hi')], 'stop'), usage: {} },
}
