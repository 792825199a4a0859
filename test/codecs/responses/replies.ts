import type {
  AssistantPart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from '../../../src/generate/content.ts'
import type { GenerateResult, GenerateUsage, Stop } from '../../../src/generate/result.ts'

export const usage: GenerateUsage = {
  inputTokens: 20,
  outputTokens: 9,
  cachedTokens: 4,
  cacheWriteTokens: 1,
  reasoningTokens: 5,
}

/** A reply of one answer. */
export function reply(
  content: readonly AssistantPart[],
  stop: Stop = { reason: 'stop' },
): GenerateResult {
  return { id: 'up_1', model: 'upstream-large', choices: [{ content, stop }], usage }
}

export const hello: TextPart = { type: 'text', text: 'Hello there' }

export const weather: ToolCallPart = {
  type: 'tool_call',
  id: 'call_1',
  name: 'weather',
  kind: 'function',
  arguments: '{"city":"Oslo"}',
}

export const shout: ToolCallPart = {
  type: 'tool_call',
  id: 'call_2',
  name: 'shout',
  kind: 'custom',
  arguments: 'loud',
}

export const thought: ReasoningPart = {
  type: 'reasoning',
  form: 'summary',
  text: 'Let me see.',
  signature: { dialect: 'messages', value: 'EqQB' },
}

/** Every kind of reply that a client can get, by what it is. */
export const replies: Readonly<Record<string, GenerateResult>> = {
  'a text': reply([hello]),
  'nothing at all': reply([]),
  'a summary and a text': reply([thought, hello]),
  'plain thoughts and a text': reply([{ type: 'reasoning', form: 'raw', text: 'Hm.' }, hello]),
  'thoughts that nobody may read': reply([
    {
      type: 'reasoning',
      form: 'redacted',
      text: '',
      signature: { dialect: 'messages', value: 'x' },
    },
    hello,
  ]),
  'a call': reply([weather], { reason: 'tool_calls' }),
  'a text and two calls': reply([hello, weather, shout], { reason: 'tool_calls' }),
  'a text between calls': reply([weather, hello, shout], { reason: 'tool_calls' }),
  'two texts': reply([hello, { type: 'text', text: ' and here' }]),
  'a text that cites': reply([
    { ...hello, citations: [{ url: 'https://a.example', title: 'A', start: 0, end: 5 }] },
  ]),
  'a text with probabilities': reply([
    {
      ...hello,
      logprobs: [
        {
          token: 'Hello',
          logprob: -0.1,
          bytes: [72],
          top: [{ token: 'Hi', logprob: -2, bytes: [] }],
        },
      ],
    },
  ]),
  'a refusal': reply([{ type: 'refusal', text: 'I will not.' }], { reason: 'refused' }),
  'a text that was cut': reply([hello], { reason: 'length' }),
  'a call that was cut': reply([{ ...weather, arguments: '{"ci' }], { reason: 'length' }),
  'a text that was filtered': reply([hello], { reason: 'filtered' }),
  'a picture': reply([
    { type: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'iVBORw0KGgo=' } },
  ]),
}
