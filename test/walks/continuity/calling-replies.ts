import type { Spoken } from './stage.ts'

/** A call as an account names it; without an id where it gives none. */
export interface Called {
  readonly id?: string
  readonly name: string
}

type Reply = (calls: readonly Called[]) => Record<string, unknown>

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const input = '{"city":"Bern"}'
const city: unknown = JSON.parse(input)

/** Complete replies that call tools, and without calls say that they are done. */
export const callingReplies: { readonly [spoken in Spoken]: Reply } = {
  chat: (calls) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: calls.length > 0 ? null : 'done',
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, name }) => {
              return { id, type: 'function', function: { name, arguments: input } }
            }),
          }),
        },
      },
    ],
  }),
  messages: (calls) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content:
      calls.length > 0
        ? calls.map((call) => ({ type: 'tool_use', ...call, input: city }))
        : [{ type: 'text', text: 'done' }],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage,
  }),
  responses: (calls) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'm',
    output:
      calls.length > 0
        ? calls.map(({ id, name }, index) => {
            return { type: 'function_call', id: `fc_${index}`, call_id: id, name, arguments: input }
          })
        : [
            {
              type: 'message',
              id: 'msg_1',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'done', annotations: [] }],
            },
          ],
    usage,
  }),
  generate: (calls) => ({
    responseId: 'r1',
    modelVersion: 'm',
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts:
            calls.length > 0
              ? calls.map((call) => ({ functionCall: { ...call, args: city } }))
              : [{ text: 'done' }],
        },
      },
    ],
  }),
}
