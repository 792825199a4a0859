import { expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { evidenceOf } from '../../plugins/account-health/recent-attempts.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { type DialectName, dialectNames } from '../translate/clients/index.ts'
import { chunkOf, completionOf, type Json, startServer, streaming } from './server.ts'

/** What a reply is evidence of: its account works, fails, or neither. */
type Evidence = 'success' | 'neutral' | 'failure'
type Row = readonly [what: string, evidence: Evidence, reply: Json]

const calling = (call: Json) => ({ content: null, tool_calls: [{ id: 'a', ...call }] })
const chatOf = (message: Json, reason: string) => completionOf(message, reason)
const malformed = 'MALFORMED_FUNCTION_CALL'
const messageOf = (content: readonly Json[], stop_reason: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason,
  usage: { input_tokens: 1, output_tokens: 1 },
})
const candidateOf = (finishReason: string, ...parts: readonly Json[]) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }],
  modelVersion: 'm',
})
const responseOf = (status: string, fields: Json = {}) => ({
  id: 'resp_1',
  object: 'response',
  model: 'm',
  status,
  output: [],
  ...fields,
})
const nameless = { type: 'function_call', id: 'fc_1', call_id: 'a', arguments: '{}' }

const rows: Readonly<Record<DialectName, readonly Row[]>> = {
  chat: [
    ['no choices', 'failure', { id: 'c', choices: [] }],
    ['a choice without a message', 'failure', { choices: [{ index: 0, finish_reason: 'stop' }] }],
    ['a call without a name', 'failure', chatOf(calling({ function: { name: '' } }), 'tool_calls')],
    ['a failed choice', 'failure', chatOf({ content: 'a' }, 'error')],
    ['an error', 'failure', { error: { message: 'no', code: 500 } }],
    ['a malformed call', 'neutral', chatOf({ content: '', reasoning: 'deep' }, malformed)],
    ['a malformed call behind a text', 'success', chatOf({ content: 'a' }, malformed)],
    ['an empty answer', 'success', chatOf({ content: '' }, 'stop')],
  ],
  messages: [
    [
      'a call without a name',
      'failure',
      messageOf([{ type: 'tool_use', id: 'a', input: {} }], 'tool_use'),
    ],
    [
      'an unknown end without an answer',
      'neutral',
      messageOf([{ type: 'thinking', thinking: 'deep', signature: 's' }], 'odd'),
    ],
    ['a failed end', 'failure', messageOf([{ type: 'text', text: 'a' }], 'network_error')],
    ['an unknown end of an answer', 'success', messageOf([{ type: 'text', text: 'a' }], 'odd')],
    ['an empty answer', 'success', messageOf([], 'end_turn')],
  ],
  generate: [
    ['no candidates', 'failure', { candidates: [] }],
    ['usage alone', 'failure', { usageMetadata: { promptTokenCount: 1 } }],
    ['a malformed call', 'neutral', candidateOf(malformed)],
    [
      'a malformed call behind thoughts',
      'neutral',
      candidateOf(malformed, { text: 'deep', thought: true }),
    ],
    ['an unknown end of an answer', 'success', candidateOf('ODD', { text: 'a' })],
    ['a blocked prompt', 'success', { promptFeedback: { blockReason: 'SAFETY' } }],
    ['an empty answer', 'success', candidateOf('STOP')],
  ],
  responses: [
    [
      'a response without output',
      'failure',
      { id: 'resp_1', object: 'response', status: 'completed' },
    ],
    ['a call without a name', 'failure', responseOf('completed', { output: [nameless] })],
    [
      'a failure of the server',
      'failure',
      responseOf('failed', { error: { code: 'server_error', message: 'no' } }),
    ],
    [
      'a refused prompt',
      'neutral',
      responseOf('failed', { error: { code: 'invalid_prompt', message: 'no' } }),
    ],
    ['an empty answer', 'success', responseOf('completed')],
  ],
}

const cases = dialectNames.flatMap((dialect) =>
  rows[dialect].map(([what, evidence, reply]) => ({ dialect, what, evidence, reply })),
)

const spyOn = (found: Evidence[]) =>
  definePlugin({
    name: 'spy',
    onOutcome({ outcome }) {
      const seen = evidenceOf(outcome)
      found.push(typeof seen === 'object' ? 'failure' : seen)
    },
  })

test.each(dailyRows(cases))(
  '$what of a $dialect account is the same evidence for native and other clients: $evidence',
  async ({ dialect, evidence, reply }) => {
    const found: Evidence[] = []
    const spy = spyOn(found)
    await using server = await startServer(answerJson(reply), dialect, { plugins: [spy] })
    const native = await server.ask(dialect)
    if (native.status === 200) expect(JSON.parse(native.text)).toEqual(reply)
    for (const client of dialectNames) if (client !== dialect) await server.ask(client)
    expect(found).toEqual([evidence, evidence, evidence, evidence])
  },
)

const eventOf = (type: string, fields: Json = {}) => ({ type, ...fields })
const messageStream = (reason: string, ...blocks: readonly Json[]) => [
  eventOf('message_start', { message: { ...messageOf([], reason), stop_reason: null } }),
  ...blocks.flatMap((content_block, index) => [
    eventOf('content_block_start', { index, content_block }),
    eventOf('content_block_stop', { index }),
  ]),
  eventOf('message_delta', { delta: { stop_reason: reason }, usage: { output_tokens: 1 } }),
  eventOf('message_stop'),
]
const chatStream = (reason: string, ...deltas: readonly Json[]) => [
  ...deltas.map((delta) => chunkOf(delta)),
  chunkOf({}, reason),
  '[DONE]',
]
const thinking = { type: 'thinking', thinking: 'deep', signature: 's' }
const word = { type: 'text', text: 'a' }

const streams: readonly (readonly [DialectName, string, Evidence, readonly (Json | string)[]])[] = [
  ['chat', 'a malformed call', 'neutral', chatStream(malformed, { reasoning: 'deep' })],
  ['chat', 'a malformed call behind a text', 'success', chatStream(malformed, { content: 'a' })],
  ['chat', 'an empty answer', 'success', chatStream('stop', { content: '' })],
  ['messages', 'an unknown end without an answer', 'neutral', messageStream('odd', thinking)],
  ['messages', 'an unknown end of an answer', 'success', messageStream('odd', word)],
  ['messages', 'a failed end', 'failure', messageStream('network_error', word)],
  ['messages', 'an empty answer', 'success', messageStream('end_turn')],
  ['generate', 'a malformed call', 'neutral', [candidateOf(malformed)]],
  ['generate', 'an unknown end of an answer', 'success', [candidateOf('ODD', { text: 'a' })]],
  ['generate', 'an empty answer', 'success', [candidateOf('STOP')]],
]

test.each(streams)(
  'a stream of a %s account with %s is the same evidence for native and other clients: %s',
  async (dialect, _, evidence, chunks) => {
    const found: Evidence[] = []
    await using server = await startServer(streaming(chunks), dialect, { plugins: [spyOn(found)] })
    for (const client of dialectNames) await server.ask(client, { stream: true })
    expect(found).toEqual([evidence, evidence, evidence, evidence])
  },
)

test('a response that goes on in the background is no failure', async () => {
  const reply = responseOf('queued', { background: true })
  await using server = await startServer(answerJson(reply), 'responses')
  for (let call = 0; call < 6; call++) {
    const { status } = await server.ask('responses', { fields: { background: true } })
    expect(status).toBe(200)
  }
})

test.each([
  'end_turn',
  'max_tokens',
  'pause_turn',
  'compaction',
  'model_context_window_exceeded',
  'length',
  'content_filter',
  'Sensitive',
  'refusal',
  'odd',
])('a message that ends with %s is as complete for native as for other clients', async (reason) => {
  const found: unknown[] = []
  const spy = definePlugin({
    name: 'spy',
    onOutcome: ({ outcome }) => void found.push(outcome.status),
  })
  const reply = messageOf([{ type: 'text', text: 'a' }], reason)
  await using server = await startServer(answerJson(reply), 'messages', { plugins: [spy] })
  for (const client of dialectNames) await server.ask(client)
  expect(new Set(found).size).toBe(1)
  expect(found).toHaveLength(dialectNames.length)
})
