import { form } from './forms.ts'

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const event = (name: string, fields: object) =>
  `event: ${name}\n${data({ type: name, index: 0, ...fields })}`

const chunk = (delta: unknown, others: object = {}) =>
  data({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: null, ...others }],
  })

const callOf = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] })

const geminiCall = (fields: object) =>
  data({ candidates: [{ content: { role: 'model', parts: [{ functionCall: fields }] } }] })

/** A reply that an account of Chat Completions, Messages or Gemini does not end. */
export interface EndlessReply {
  readonly account: 'chat' | 'messages' | 'generate'
  readonly beginning: readonly string[]
  /** A frame with this text, which the account repeats without an end. */
  readonly frame: (text: string) => string
}

const namedCall = callOf({
  id: 'call_1',
  type: 'function',
  function: { name: 'f', arguments: '{"a":"' },
})

/** Replies without an end, by their contents. */
export const endlessReplies: Readonly<Record<string, EndlessReply>> = {
  'a text': {
    account: 'chat',
    beginning: form.chat.announcements,
    frame: (content) => chunk({ content }),
  },
  'the arguments of a call': {
    account: 'chat',
    beginning: [...form.chat.announcements, namedCall],
    frame: (text) => callOf({ function: { arguments: text } }),
  },
  'a call without a name, beside a text': {
    account: 'chat',
    beginning: form.chat.announcements,
    frame: (text) =>
      chunk({ content: 'a', tool_calls: [{ index: 0, function: { arguments: text } }] }),
  },
  reasoning: {
    account: 'chat',
    beginning: form.chat.announcements,
    frame: (text) => chunk({ reasoning_content: text }),
  },
  'logarithms of probabilities': {
    account: 'chat',
    beginning: form.chat.announcements,
    frame: (token) =>
      chunk(
        { content: 'a' },
        { logprobs: { content: [{ token, logprob: -1, bytes: null, top_logprobs: [] }] } },
      ),
  },
  'a text of Messages': {
    account: 'messages',
    beginning: form.messages.announcements,
    frame: (text) => event('content_block_delta', { delta: { type: 'text_delta', text } }),
  },
  'arguments in Messages': {
    account: 'messages',
    beginning: [
      form.messages.announcements[0]!,
      event('content_block_start', {
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
      }),
    ],
    frame: (text) =>
      event('content_block_delta', { delta: { type: 'input_json_delta', partial_json: text } }),
  },
  'pieces of a call of Gemini': {
    account: 'generate',
    beginning: [geminiCall({ name: 'f', willContinue: true })],
    frame: (stringValue) =>
      geminiCall({
        partialArgs: [{ jsonPath: '$.a', stringValue, willContinue: true }],
        willContinue: true,
      }),
  },
}
