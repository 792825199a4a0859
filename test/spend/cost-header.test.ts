import { expect, test } from 'vitest'

import { answerWith, callOf, dialects, replyOf, spendStage, usageOf } from './stage.ts'

const keys = [{ id: 'test', secret: 'test-secret', explain: true }]
const asked = { 'x-dragoman-explain': '1' }

test.each(dialects)('a key that may ask learns the cost of a whole reply: %s', async (dialect) => {
  const reply = answerWith(replyOf(dialect, ['hello'], usageOf[dialect]))
  await using stage = await spendStage(dialect, reply, { keys })
  for (const client of dialects) {
    const call = callOf(client, 'hi', false)
    const response = await stage.ask({ ...call, headers: { ...call.headers, ...asked } })
    await response.text()
    expect(response.headers.get('x-dragoman-cost')).toBe('0.00028')
  }
})

test('a cost that is unknown is no 0, and a stream has none at its begin', async () => {
  const reply = answerWith(replyOf('chat', ['hello'], usageOf.chat))
  await using stage = await spendStage('chat', reply, { keys, prices: {} })
  const costOf = async (stream: boolean, headers: Record<string, string>) => {
    const response = await stage.ask({ ...callOf('chat', 'hi', stream), headers })
    await response.text()
    return response.headers.get('x-dragoman-cost')
  }
  expect(await costOf(false, asked)).toBe('unknown')
  expect(await costOf(true, asked)).toBe(null)
  expect(await costOf(false, {})).toBe(null)
})

test('a key that may not ask learns no cost', async () => {
  const reply = answerWith(replyOf('chat', ['hello'], usageOf.chat))
  await using stage = await spendStage('chat', reply)
  const response = await stage.ask({ ...callOf('chat', 'hi', false), headers: asked })
  await response.text()
  expect(response.headers.get('x-dragoman-cost')).toBe(null)
})
