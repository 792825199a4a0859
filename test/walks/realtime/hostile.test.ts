import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { until } from '../../../src/testing/until.ts'
import { socketAccount } from './account.ts'
import { connect, realtimeStage, say } from './stage.ts'

const path = '/v1/realtime/client_secrets'
const session = { type: 'realtime', model: 'gpt-realtime' }

describe('a client', () => {
  test('that asks for hundreds of responses at once gets one after the other', async () => {
    await using stage = await realtimeStage()
    using client = await connect(stage)
    for (let count = 0; count < 300; count++) say(client, `${count}`)
    await until(() => {
      const ends = client.events.filter(({ type }) => type === 'response.done' || type === 'error')
      return ends.length === 300
    })
    client.socket.close()
    const lines = await stage.gateway.logged(301)
    expect(lines).toHaveLength(301)
    expect(stage.gateway.gateway.inflight()).toBe(0)
  })

  test.each([
    ['deep', `{"type":"session.update","session":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['of many values', `{"type":"session.update","session":[${'0,'.repeat(2_000_000)}0]}`],
    ['of escapes', `{"type":"response.create","x":"${'\\u0041'.repeat(2_500_000)}"}`],
  ])('that sends an event that is %s harms its session alone', async (_case, text) => {
    await using stage = await realtimeStage()
    using client = await connect(stage)
    using other = await connect(stage)
    client.send(text)
    say(other, 'hello')
    await other.next('response.done')
    expect(await client.next('error')).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  test('that sends a binary message ends its session', async () => {
    await using stage = await realtimeStage()
    using client = await connect(stage)
    client.socket.send(Buffer.from('{}'))
    expect(await client.closed).toMatchObject({ code: 1003 })
    await until(() => stage.gateway.gateway.inflight() === 0)
  })
})

describe('an account', () => {
  test('that begins more responses than a key may have loses the session', async () => {
    await using account = await socketAccount((socket) => {
      for (let count = 0; count < 200; count++) {
        const response = { id: `resp_${count}`, status: 'in_progress' }
        socket.send(JSON.stringify({ type: 'response.created', response }))
      }
    })
    await using stage = await realtimeStage({
      accounts: [{ baseUrl: account.url }],
      limits: { callsPerKey: 20 },
    })
    using client = await connect(stage)
    expect(await client.next('error')).toMatchObject({ error: { type: 'rate_limit_error' } })
    expect(await client.closed).toMatchObject({ code: 1008 })
    await until(() => stage.gateway.gateway.inflight() === 0)
  })

  test.each([
    ['is too large', (socket: WebSocket) => socket.send('x'.repeat(200_000))],
    ['is no text', (socket: WebSocket) => socket.send(Buffer.from([0xff]), { binary: false })],
    [
      'comes in many thousands of pieces',
      (socket: WebSocket) => {
        for (let count = 0; count < 20_000; count++) socket.send('x', { fin: false })
      },
    ],
  ])('whose message %s is at fault, not its client', async (_case, send) => {
    await using account = await socketAccount(send)
    await using stage = await realtimeStage({
      accounts: [{ baseUrl: account.url }],
      limits: { frameBytes: 100_000 },
    })
    using client = await connect(stage)
    expect(await client.closed).toMatchObject({ code: 1011 })
    await until(() => account.sockets.size === 0)
  })

  test('that repeats its key in an error tells no client', async () => {
    await using account = await socketAccount((socket) => {
      const error = { type: 'server_error', message: 'The key sandbox-key-a is at fault.' }
      socket.send(JSON.stringify({ type: 'error', error }))
    })
    await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
    using client = await connect(stage)
    expect(await client.next('error')).toMatchObject({
      error: { message: 'The key [secret] is at fault.' },
    })
  })
})

describe('an ephemeral key', () => {
  test('of another form reaches no account', async () => {
    await using account = await socketAccount((socket) => socket.close())
    await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
    const refusals = await Promise.allSettled(
      ['ek_', 'ek_!', `ek_${'a'.repeat(4_000)}`].map((key) => connect(stage, { key })),
    )
    expect(refusals).toMatchObject([401, 401, 401].map((status) => ({ reason: { status } })))
    expect(account.handshakes).toHaveLength(0)
  })

  test('opens a session at another process on the store', async () => {
    const store = openMemoryStore()
    await using stage = await realtimeStage({ store })
    await using other = await realtimeStage({
      store,
      accounts: [{ baseUrl: stage.sandbox.url }],
    })
    const { value: key } = (await (await stage.json({ session }, path)).json()) as { value: string }
    using client = await connect(other, { key })
    expect(await client.next('session.created')).toMatchObject({
      session: { model: 'gpt-realtime' },
    })
  })

  test('is not refused while the store is away, and not made', async () => {
    const store = breakable(openMemoryStore())
    await using stage = await realtimeStage({ store })
    const { value: key } = (await (await stage.json({ session }, path)).json()) as { value: string }
    Object.assign(store.broken, { reads: true, writes: true })
    await expect(connect(stage, { key })).rejects.toMatchObject({ status: 503 })
    expect((await stage.json({ session }, path)).status).toBe(503)
  })

  test('whose account has left opens nothing', async () => {
    await using stage = await realtimeStage({ accounts: [{ id: 'a' }, { id: 'b', priority: 1 }] })
    const { value: key } = (await (await stage.json({ session }, path)).json()) as { value: string }
    stage.gateway.reload({
      accounts: [
        {
          id: 'b',
          provider: 'sandbox',
          baseUrl: stage.sandbox.url,
          apiKey: 'sandbox-key-b',
          models: ['*'],
        },
      ],
    })
    await expect(connect(stage, { key })).rejects.toMatchObject({ status: 503 })
  })
})
