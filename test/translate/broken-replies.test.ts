import { describe, expect, test } from 'vitest'

import { answeredTo, streamedTo } from './asking.ts'
import { approach, exchangeOf } from './kernel.ts'
import { relayed } from './relayed.ts'

const start = { type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } }
const say = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
})
const reason = { type: 'message_delta', delta: { stop_reason: 'end_turn' } }
const stop = { type: 'message_stop' }

async function relayedTo(...chunks: string[]) {
  const exchange = exchangeOf({ client: 'chat', account: 'messages', stream: true })
  const frames = chunks.map((chunk) => Buffer.from(chunk))
  return relayed(frames, await approach(exchange))
}

const frame = (data: object) => `data: ${JSON.stringify(data)}\n\n`

describe('an account that sends what it should not', () => {
  test('may send anything after the end, in the same chunk or the next', async () => {
    const whole = [start, say('Hi'), reason, stop].map(frame).join('')
    const nonsense = 'data: {"type"\n\n'
    expect((await relayedTo(whole + nonsense)).outcome?.status).toBe('completed')
    expect((await relayedTo(whole, nonsense)).outcome?.status).toBe('completed')
  })

  test.each(['\0', '\t', '\u001f'])(
    'fails with a bare control character in a text',
    async (bare) => {
      const broken = frame(say('there')).replace('there', `the${bare}re`)
      const { error, outcome } = await relayedTo(
        frame(start),
        frame(say('Hi')),
        broken,
        frame(reason),
        frame(stop),
      )
      expect(error?.code).toBe('upstream_stream_broken')
      expect(outcome).toBeUndefined()
    },
  )

  test('fails where a member has lost its value, however alike the events are', async () => {
    const event = (delta: string, sequence_number: number) =>
      frame({ type: 'response.output_text.delta', output_index: 0, sequence_number, delta })
    const chunks = [event('a', 1), event('b', 2), event('c', 3).replace(':3,', ':,')]
    const exchange = exchangeOf({ client: 'chat', account: 'responses', stream: true })
    const { error } = relayed(
      chunks.map((chunk) => Buffer.from(chunk)),
      await approach(exchange),
    )
    expect(error?.code).toBe('upstream_stream_broken')
  })

  test('fails where it calls a tool without a name', async () => {
    const block = { type: 'tool_use', id: 'toolu_1', input: {} }
    const nameless = { type: 'content_block_start', index: 0, content_block: block }
    const { reading } = await streamedTo('chat', 'messages', [start, nameless, reason, stop])
    expect(reading.ending).toBe('failed')
    await expect(
      answeredTo('chat', 'messages', { type: 'message', content: [block] }),
    ).rejects.toThrow('without a name')
  })

  test('has not finished where its reason is empty', async () => {
    const candidate = { content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: '' }
    const { reading } = await streamedTo('chat', 'generate', [{ candidates: [candidate] }])
    expect(reading.ending).toBe('failed')
    const promptFeedback = { blockReason: '' }
    const blocked = await streamedTo('chat', 'generate', [{ promptFeedback }])
    expect(blocked.reading.ending).toBe('failed')
  })

  test('may forget to begin: a part that comes whole begins the message', async () => {
    const part = { type: 'output_text', text: 'Hi' }
    const { reading } = await streamedTo('messages', 'responses', [
      { type: 'response.content_part.done', output_index: 0, content_index: 0, part },
      { type: 'response.completed', response: { status: 'completed' } },
    ])
    expect(reading).toMatchObject({ text: 'Hi', ending: 'complete' })
  })

  test('counts nothing with numbers below zero', async () => {
    const usage = {
      prompt_tokens: 7,
      completion_tokens: 2,
      prompt_tokens_details: { cached_tokens: -1 },
    }
    const message = { role: 'assistant', content: 'Hi' }
    const reply = { choices: [{ message, finish_reason: 'stop' }], usage }
    const { reading } = await answeredTo('messages', 'chat', reply)
    expect(reading.usage).toMatchObject({ input: 7, output: 2 })
    expect(reading.usage.cached).toBeUndefined()
  })
})
