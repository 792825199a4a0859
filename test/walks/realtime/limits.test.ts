import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'

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

describe('what the account does', () => {
  const transcription = 'conversation.item.input_audio_transcription'
  const piece = { type: `${transcription}.delta`, item_id: 'i', content_index: 0, delta: 'Hi' }

  /** A session of the limited key, and the tokens that the key has spent. */
  async function sessionWith(
    serve: Parameters<typeof socketAccount>[0],
    timeouts: Record<string, number> = {},
  ) {
    await using starting = new AsyncDisposableStack()
    const account = starting.use(await socketAccount(serve))
    const stage = starting.use(
      await realtimeStage({
        keys: [{ id: 'k', secret: key, quotas: [{ kind: 'tokens', amount: 1e7, window: 'day' }] }],
        accounts: [{ baseUrl: account.url, timeouts }],
      }),
    )
    const client = starting.use(await connect(stage, { key }))
    const started = starting.move()
    return {
      client,
      logged: stage.gateway.logged,
      async spent() {
        await until(() => stage.gateway.gateway.inflight() === 0)
        const headers = { authorization: `Bearer ${key}` }
        const reply = await fetch(`${stage.gateway.url}/dragoman/key`, { headers })
        const { limits } = (await reply.json()) as { limits: { spent: number }[] }
        return limits[0]?.spent
      },
      [Symbol.asyncDispose]: () => started.disposeAsync(),
    }
  }

  function sends(...events: readonly object[]) {
    return (socket: WebSocket) => {
      for (const event of events) socket.send(JSON.stringify(event))
    }
  }

  test('counts by the estimate where a transcription has no usage', async () => {
    const end = { type: `${transcription}.completed`, item_id: 'i', content_index: 0 }
    await using session = await sessionWith(sends(piece, end))
    await session.client.next(end.type)
    session.client.socket.close()
    expect(await session.spent()).toBeGreaterThan(4_000)
  })

  test('counts where a client leaves with the pieces of a transcription', async () => {
    await using session = await sessionWith(sends(piece))
    await session.client.next(piece.type)
    session.client.socket.close()
    expect(await session.spent()).toBeGreaterThan(4_000)
  })

  test('counts nothing where a transcription fails', async () => {
    const failed = { ...piece, type: `${transcription}.failed`, error: { message: 'No speech.' } }
    await using session = await sessionWith(sends(piece, failed))
    await session.client.next(failed.type)
    session.client.socket.close()
    expect(await session.spent()).toBe(0)
  })

  const begin = { type: 'response.created', response: { id: 'r' } }
  const usage = { input_tokens: 100_000, output_tokens: 1_000 }
  const done = { type: 'response.done', response: { id: 'r', status: 'completed', usage } }

  test('counts by its use where a client reads so slowly that the exchange of the response ends', async () => {
    const padding = { type: 'padding', text: 'x'.repeat(10_000_000) }
    await using session = await sessionWith(sends(begin, padding, done), { idleMs: 1_000 })
    const { client } = session
    await client.next(begin.type)
    client.socket.pause()
    const [first] = await session.logged(1)
    expect(first).toMatchObject({ route: 'realtime.response', status: 504 })
    client.socket.resume()
    await client.next(done.type)
    client.socket.close()
    expect(await session.spent()).toBeGreaterThan(101_000)
  })

  test('may take long, as long as it goes on', async () => {
    await using session = await sessionWith(
      (socket) => {
        sends(begin)(socket)
        let count = 0
        const timer = setInterval(() => {
          sends({ type: 'response.output_audio.delta', delta: 'A' })(socket)
          if (++count < 35) return
          clearInterval(timer)
          sends(done)(socket)
        }, 100)
      },
      { idleMs: 2_000 },
    )
    await session.client.next(done.type)
    const [line] = await session.logged(1)
    expect(line).toMatchObject({ route: 'realtime.response', status: 200, input_tokens: 100_000 })
    session.client.socket.close()
    expect(await session.spent()).toBe(101_000)
  })
})
