/** The five forms in which a client can ask for a stream, each with one whole stream as example. */
export type FormName = 'responses' | 'chat' | 'messages' | 'generate' | 'generate-array'

export interface Form {
  readonly name: FormName
  /** The provider whose own dialect this is. */
  readonly provider: 'openai' | 'anthropic' | 'gemini'
  readonly headers: Readonly<Record<string, string>>
  /** Says hello to the model, streamed or not. */
  readonly path: (model: string, stream: boolean) => string
  readonly body: (model: string, stream: boolean) => Record<string, unknown>
  /** Frames before the first output: another account may still take over. */
  readonly announcements: readonly string[]
  /** Frames that show "Hello" and " there". */
  readonly output: readonly string[]
  /** The frames that make the stream complete. */
  readonly ending: readonly string[]
  /** What the provider writes when it fails on its way. */
  readonly inBandError: string
  /** The bytes that keep a silent stream alive. */
  readonly keepAlive: string
  /** A JSON reply of the same content. */
  readonly reply: Record<string, unknown>
  /** Proofs of success that a broken stream must not hold. */
  readonly success: RegExp
  /** The connection is reset after the error, because not every SDK reads the error. */
  readonly resets: boolean
}

const event = (name: string, fields: object) =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...fields })}\n\n`
const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

const response = (status: string, output: unknown[] = []) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  model: 'm',
  output,
  usage: status === 'completed' ? { input_tokens: 3, output_tokens: 2, total_tokens: 5 } : null,
})

const item = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const textDelta = (number: number, delta: string) =>
  event('response.output_text.delta', {
    sequence_number: number,
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta,
  })

const responses: Form = {
  name: 'responses',
  provider: 'openai',
  headers: {},
  path: () => '/v1/responses',
  body: (model, stream) => ({ model, stream, input: 'hello' }),
  announcements: [
    event('response.created', { sequence_number: 0, response: response('in_progress') }),
    event('response.in_progress', { sequence_number: 1, response: response('in_progress') }),
  ],
  output: [textDelta(2, 'Hello'), textDelta(3, ' there')],
  ending: [
    event('response.completed', {
      sequence_number: 4,
      response: response('completed', [item('Hello there')]),
    }),
  ],
  inBandError: event('error', { sequence_number: 4, code: 'server_error', message: 'overworked' }),
  keepAlive: ': keep-alive\n\n',
  reply: response('completed', [item('Hello there')]),
  success: /response\.completed/,
  resets: false,
}

const chatChunk = (delta: object, finishReason: string | null = null) =>
  data({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })

const chat: Form = {
  name: 'chat',
  provider: 'openai',
  headers: {},
  path: () => '/v1/chat/completions',
  body: (model, stream) => ({ model, stream, messages: [{ role: 'user', content: 'hello' }] }),
  announcements: [chatChunk({ role: 'assistant', content: '' })],
  output: [chatChunk({ content: 'Hello' }), chatChunk({ content: ' there' })],
  ending: [chatChunk({}, 'stop'), 'data: [DONE]\n\n'],
  inBandError: data({ error: { message: 'overworked', type: 'server_error', code: null } }),
  keepAlive: ': keep-alive\n\n',
  reply: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  },
  success: /\[DONE\]|"finish_reason":"/,
  resets: false,
}

const message = (content: unknown[], stopReason: string | null) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
})

const blockDelta = (text: string) =>
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })

const messages: Form = {
  name: 'messages',
  provider: 'anthropic',
  headers: { 'anthropic-version': '2023-06-01' },
  path: () => '/v1/messages',
  body: (model, stream) => ({
    model,
    stream,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hello' }],
  }),
  announcements: [
    event('message_start', { message: message([], null) }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ],
  output: [blockDelta('Hello'), blockDelta(' there')],
  ending: [
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
    event('message_stop', {}),
  ],
  inBandError: event('error', { error: { type: 'overloaded_error', message: 'overworked' } }),
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  reply: message([{ type: 'text', text: 'Hello there' }], 'end_turn'),
  success: /message_stop|"stop_reason":"/,
  resets: false,
}

const content = (text: string, finishReason?: string) => ({
  candidates: [
    {
      content: { role: 'model', parts: [{ text }] },
      index: 0,
      ...(finishReason && { finishReason }),
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: 'm',
  responseId: 'r1',
})

const generate: Form = {
  name: 'generate',
  provider: 'gemini',
  headers: {},
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }),
  announcements: [],
  output: [data(content('Hello')), data(content(' there'))],
  ending: [data(content('.', 'STOP'))],
  inBandError: data({ error: { code: 503, message: 'overworked', status: 'UNAVAILABLE' } }),
  keepAlive:
    'data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}\n\n',
  reply: content('Hello there.', 'STOP'),
  success: /"finishReason"/,
  resets: true,
}

const generateArray: Form = {
  ...generate,
  name: 'generate-array',
  path: (model, stream) => generate.path(model, stream).replace('?alt=sse', ''),
  keepAlive: '\n',
  success: /"finishReason"|\]$/,
}

export const forms: readonly Form[] = [responses, chat, messages, generate, generateArray]

export const form: Readonly<Record<FormName, Form>> = {
  responses,
  chat,
  messages,
  generate,
  'generate-array': generateArray,
}

/** All frames of the example. */
export function wholeStream({ announcements, output, ending }: Form): string[] {
  return [...announcements, ...output, ...ending]
}

/** The frames up to and including the output: a client has seen something, but not the end. */
export function upToOutput({ announcements, output }: Form): string[] {
  return [...announcements, ...output]
}

/** What a client gets of frames that pass unharmed: themselves, or elements of one JSON array. */
export function asDelivered({ name }: Form, frames: readonly string[]): string {
  if (name !== 'generate-array') return frames.join('')
  return `[${frames.map((frame) => frame.slice('data: '.length).trimEnd()).join(',\n')}`
}
