import Anthropic from 'anthropic-1'
import { describe, expect, it } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { answerJson, answerStream, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { answer, encodeStream, replyContext } from './codec.ts'
import { type SdkClient, sdkClients, type Understood } from './sdk-clients.ts'
import { framesTo } from '../frame-sink.ts'

const text = { type: 'text', text: 'Grüße 😀' } as const
const thought = {
  type: 'reasoning',
  form: 'summary',
  text: 'Hm.',
  signature: { dialect: 'responses', value: 'gAAAA' },
} as const
const call = (id: string, city: string) =>
  ({
    type: 'tool_call',
    id,
    name: 'weather',
    kind: 'function',
    arguments: JSON.stringify({ city }),
    signature: { dialect: 'generate-content', value: 'c2ln' },
  }) as const

const nothing: Understood = {
  text: '',
  thoughts: '',
  calls: [],
  finish: 'end_turn',
  input: 10,
  output: 5,
}

const calls = [
  ['a', { city: 'Ulm' }],
  ['b', { city: 'Bonn' }],
]

const replies: [string, GenerateResult, Understood][] = [
  ['words', answer(text), { ...nothing, text: text.text }],
  ['thoughts and words', answer(thought, text), { ...nothing, text: text.text, thoughts: 'Hm.' }],
  [
    'words and parallel calls',
    answer(text, call('a', 'Ulm'), call('b', 'Bonn')),
    { ...nothing, text: text.text, calls, finish: 'tool_use' },
  ],
  ['nothing', answer(), nothing],
  [
    'no counts',
    { ...answer(text), usage: {} },
    { ...nothing, text: text.text, input: 0, output: 0 },
  ],
]

describe.each(Object.entries(sdkClients))('%s', (_, client: SdkClient) => {
  it.each(dailyRows(replies))('understands %s', async (_, result, understood) => {
    const { body } = messagesCodec.encodeResult(result, replyContext())
    await using account = await startFakeAccount(answerJson(body))
    expect(await client.whole(account.url)).toEqual(understood)
  })

  it.each(replies)('understands %s in a stream', async (_, result, understood) => {
    const stream = encodeStream(eventsOf(result))
    await using account = await startFakeAccount(answerStream([stream]))
    expect(await client.streamed(account.url)).toEqual(understood)
  })

  it('understands calls that were written at once', async () => {
    const part = (index: number, id: string): GenerateEvent => ({
      type: 'part',
      index,
      choice: 0,
      part: { type: 'tool_call', id, name: 'weather', kind: 'function' },
    })
    const delta = (index: number, more: string): GenerateEvent => ({
      type: 'delta',
      index,
      text: more,
    })
    const stream = encodeStream([
      { type: 'start' },
      part(0, 'a'),
      part(1, 'b'),
      delta(1, '{"city":'),
      delta(0, '{"city":'),
      delta(1, '"Bonn"}'),
      delta(0, '"Ulm"}'),
      { type: 'end', index: 1 },
      { type: 'end', index: 0 },
      { type: 'stop', choice: 0, stop: { reason: 'tool_calls' } },
      { type: 'finish', usage: { inputTokens: 10, outputTokens: 5 } },
    ])
    await using account = await startFakeAccount(answerStream([stream]))
    expect(await client.streamed(account.url)).toEqual({ ...nothing, calls, finish: 'tool_use' })
  })

  it('understands a call whose arguments are no JSON', async () => {
    const broken = { ...call('a', ''), arguments: '{"city' }
    const stream = encodeStream(eventsOf(answer(broken)))
    await using account = await startFakeAccount(answerStream([stream]))
    const understood = await client.streamed(account.url)
    expect(understood.calls).toEqual([['a', { __unparsed_arguments: '{"city' }]])
  })

  it('fails at a stream that fails', async () => {
    let stream = ''
    const encoder = messagesCodec.encodeEvents(
      replyContext(),
      framesTo((frames) => (stream += frames)),
    )
    encoder.encode({ type: 'start' })
    encoder.fail(new GatewayError('upstream_stream_broken', 'The stream broke.'))
    await using account = await startFakeAccount(answerStream([stream]))
    await expect(client.streamed(account.url)).rejects.toThrow()
  })
})

describe('the helper of the official SDK', () => {
  it('has the thoughts with the signature that it is to send back', async () => {
    const stream = encodeStream(eventsOf(answer(thought, text)))
    await using account = await startFakeAccount(answerStream([stream]))
    const client = new Anthropic({ apiKey: 'k', baseURL: account.url, maxRetries: 0 })
    const message = await client.messages
      .stream({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] })
      .finalMessage()
    const { body } = messagesCodec.encodeResult(answer(thought, text), replyContext())
    expect(message.content).toEqual(body.content)
  })
})
