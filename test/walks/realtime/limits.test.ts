import { expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { socketAccount } from './account.ts'
import { type Client, connect, realtimeStage, say } from './stage.ts'

const key = 'limited-secret'

function limited(quotas: readonly object[]) {
  return realtimeStage({
    keys: [{ id: 'k', secret: key, quotas: quotas as never }],
    accounts: [{ prices: { 'gpt-realtime': { rates: { input: '1000', output: '1000' } } } }],
  })
}

async function answered(client: Client): Promise<void> {
  say(client, 'hello')
  await client.next('response.done')
}

test('a key whose budget is spent gets an error, and its session ends', async () => {
  await using stage = await limited([{ kind: 'cost', amount: '0.003', window: 'day' }])
  using client = await connect(stage, { key })
  await answered(client)
  say(client, 'hello again')
  expect(await client.next('error')).toMatchObject({ error: { type: 'insufficient_quota' } })
  expect(await client.closed).toMatchObject({ code: 1008 })
  await expect(connect(stage, { key })).rejects.toMatchObject({ status: 402 })
  const lines = await stage.gateway.logged(4)
  expect(
    lines.map(({ status }) => status).toSorted((one, other) => Number(one) - Number(other)),
  ).toEqual([101, 200, 402, 402])
})

test('a session takes one of the calls at once, as long as it is open', async () => {
  await using stage = await limited([{ kind: 'concurrent', amount: 1 }])
  using client = await connect(stage, { key })
  await answered(client)
  await expect(connect(stage, { key })).rejects.toMatchObject({ status: 429 })
  client.socket.close()
  await client.closed
  await until(() => stage.gateway.gateway.inflight() === 0)
  using next = await connect(stage, { key })
  await answered(next)
})

test('a response too many is refused, and the session goes on', async () => {
  await using stage = await limited([{ kind: 'requests', amount: 2, window: '1m' }])
  using client = await connect(stage, { key })
  await answered(client)
  client.send({ type: 'response.create', event_id: 'mine' })
  expect(await client.next('error')).toMatchObject({
    error: { type: 'rate_limit_error', event_id: 'mine' },
  })
  client.send({ type: 'input_audio_buffer.clear' })
  await client.next('input_audio_buffer.cleared')
})

test('a response too many that the account begins by itself is cancelled and shown to nobody', async () => {
  const cancelled = Promise.withResolvers<unknown>()
  await using account = await socketAccount((socket) => {
    const begin = (id: string) => {
      const response = { id, status: 'in_progress' }
      socket.send(JSON.stringify({ type: 'response.created', response }))
      const delta = { type: 'response.output_text.delta', response_id: id, delta: id }
      socket.send(JSON.stringify(delta))
    }
    begin('first')
    begin('second')
    socket.on('message', (data: Buffer) => cancelled.resolve(JSON.parse(data.toString())))
  })
  await using stage = await realtimeStage({
    keys: [{ id: 'k', secret: key, quotas: [{ kind: 'requests', amount: 2, window: '1m' }] }],
    accounts: [{ baseUrl: account.url }],
  })
  using client = await connect(stage, { key })
  expect(await client.closed).toMatchObject({ code: 1008 })
  expect(await cancelled.promise).toEqual({ type: 'response.cancel', response_id: 'second' })
  expect(client.events.map(({ type, delta }) => delta ?? type)).toEqual([
    'response.created',
    'first',
    'error',
  ])
})

test('an account of one call at once serves the responses of its session', async () => {
  await using stage = await realtimeStage({ accounts: [{ maxConcurrent: 1 }] })
  using client = await connect(stage)
  await answered(client)
  await expect(connect(stage)).rejects.toMatchObject({ status: 429 })
})
