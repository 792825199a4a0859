import { type Answer, answerJson, answerStream } from '../../../src/testing/fake-account.ts'
import type { AccountKind } from '../stage.ts'

const usage = { input_tokens: 1, output_tokens: 1 }

const message = {
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'hello', annotations: [] }],
}

const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'm',
  output: [message],
  usage: { ...usage, total_tokens: 2 },
}

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

const reply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
}

const generated = {
  candidates: [
    { index: 0, content: { parts: [{ text: 'hello' }], role: 'model' }, finishReason: 'STOP' },
  ],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'm',
}

const chunk = { ...completion, object: 'chat.completion.chunk' }
const delta = { role: 'assistant', content: 'hello' }

/** The shortest whole stream of each dialect. */
const streams = {
  responses: [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.completed', response },
  ],
  chat: [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ],
  messages: [
    { type: 'message_start', message: { ...reply, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ],
  generate: [generated],
}

const replies = { responses: response, chat: completion, messages: reply, generate: generated }

type TextDialect = keyof typeof replies

function framesOf(dialect: TextDialect): string[] {
  const frames = streams[dialect].map((data) => {
    const name = 'type' in data ? `event: ${data.type}\n` : ''
    return `${name}data: ${JSON.stringify(data)}\n\n`
  })
  return dialect === 'chat' ? [...frames, 'data: [DONE]\n\n'] : frames
}

function answerIn(dialect: TextDialect): Answer {
  const asJson = answerJson(replies[dialect])
  const asStream = answerStream(framesOf(dialect))
  return (answer, request) => {
    const { stream } = JSON.parse(request.body.toString()) as { stream?: unknown }
    const wantsStream = stream === true || request.url.includes(':streamGenerateContent')
    return (wantsStream ? asStream : asJson)(answer, request)
  }
}

/** Accounts of each text dialect; they take everything and say "hello". */
export const textAccounts: readonly AccountKind[] = [
  { dialect: 'responses', provider: 'openai', answer: answerIn('responses') },
  { dialect: 'chat', provider: 'openai', answer: answerIn('chat') },
  { dialect: 'messages', provider: 'anthropic', answer: answerIn('messages') },
  { dialect: 'generate', provider: 'gemini', answer: answerIn('generate') },
]
