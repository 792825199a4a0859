import type { AssistantPart } from '../../generate/content.ts'
import type { GenerateResult, StopReason } from '../../generate/result.ts'

const text = (words: string) => ({ type: 'text', text: words }) as const
const callOf = (id: string, name: string, place: string) =>
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

/** Replies that every codec carries. */
export const results: Readonly<Record<string, GenerateResult>> = {
  'a text': resultOf([text('A “market”.\n☂ \u{1f600}\\')], 'stop'),
  'a text that is cut by the limit': resultOf([text('A mar')], 'length'),
  'a call': resultOf([callOf('call_1', 'look', 'Zürich')], 'tool_calls'),
  'a text and two calls': resultOf(
    [text('I look.'), callOf('call_1', 'look', 'Rome'), callOf('call_2', 'hear', '')],
    'tool_calls',
  ),
  'a text without usage': { ...resultOf([text('Hi')], 'stop'), usage: {} },
}
