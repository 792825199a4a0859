import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type AccountWriter, type Cut, dataFrame, type Said, type SaidCall } from './said.ts'

const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'gpt-5-mini-2025-08-07' }

export const chatAccount: AccountWriter = {
  frames(said, cut) {
    const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
      dataFrame({
        ...head,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
        usage: null,
      })
    return [
      chunk({ role: 'assistant', content: '', refusal: null }),
      ...cut(said.thoughts).map((reasoning_content) => chunk({ reasoning_content })),
      ...cut(said.text).map((content) => chunk({ content })),
      ...said.calls.flatMap((call, index) =>
        callPieces(call, index, cut).map((piece) => chunk({ tool_calls: [piece] })),
      ),
      chunk({}, reasonOf(said)),
      ...(said.usage
        ? [
            dataFrame({
              ...head,
              object: 'chat.completion.chunk',
              choices: [],
              usage: usageOf(said),
            }),
          ]
        : []),
      'data: [DONE]\n\n',
    ]
  },

  body(said) {
    const message = {
      role: 'assistant',
      content: said.text === '' ? null : said.text,
      refusal: null,
      ...(said.thoughts !== '' && { reasoning_content: said.thoughts }),
      ...(said.calls.length > 0 && {
        tool_calls: said.calls.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      }),
    }
    return {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: reasonOf(said) }],
      ...(said.usage && { usage: usageOf(said) }),
    }
  },
}

function callPieces({ id, name, input }: SaidCall, index: number, cut: Cut): JsonObject[] {
  return [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...cut(JSON.stringify(input)).map((text) => ({ index, function: { arguments: text } })),
  ]
}

function reasonOf({ calls, ending }: Said): string {
  if (ending === 'length') return 'length'
  if (ending === 'filtered') return 'content_filter'
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

function usageOf({ usage }: Said): JsonObject | undefined {
  return (
    usage && {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
    }
  )
}
