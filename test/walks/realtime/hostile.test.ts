import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { until } from '../../../src/testing/until.ts'
import { socketAccount } from './account.ts'
import { connect, realtimeStage, say } from './stage.ts'

const path = '/v1/realtime/client_secrets'
const session = { type: 'realtime', model: 'gpt-realtime' }
const usage = { input_tokens: 1, output_tokens: 2 }

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

  test('that repeats a key or its address tells no client', async () => {
    const own = 'ek_of-the-account-alone'
    const words = (url: string) => `Of sandbox-key-a and ${own}, at ${url}.`
    const end = Date.now() / 1_000 + 60
    await using account = await socketAccount(
      (socket) => {
        const text = words(account.url)
        const error = { type: 'server_error', message: text }
        const failed = { status: 'failed', status_details: { type: 'failed', error } }
        for (const event of [
          { type: 'error', error },
          { type: 'session.updated', session: { instructions: text } },
          { type: 'response.created', response: { id: 'r' } },
          { type: 'response.output_text.delta', delta: text },
          { type: 'response.done', response: { id: 'r', ...failed } },
          { type: 'conversation.item.input_audio_transcription.failed', item_id: 'i', error },
        ])
          socket.send(JSON.stringify(event))
        socket.close(4001, text)
      },
      { reply: { value: own, expires_at: end, session } },
    )
    await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
    const { value: key } = (await (await stage.json({ session }, path)).json()) as { value: string }
    using client = await connect(stage, { key })
    const { reason } = await client.closed
    const seen = JSON.stringify([client.events, reason])
    expect(client.events).toHaveLength(6)
    expect(seen.match(/Of \[secret\] and \[secret\]/g)).toHaveLength(6)
    const errors = client.events.filter((one) => JSON.stringify(one).includes('server_error'))
    expect(errors).toHaveLength(3)
    expect(JSON.stringify([errors, reason])).not.toContain(account.url)
  })

  test('that uses the id of a response again ends the former one', async () => {
    await using account = await socketAccount((socket) => {
      for (const id of ['r', 'r', undefined, undefined])
        socket.send(JSON.stringify({ type: 'response.created', response: { id } }))
      for (const id of ['r', undefined])
        socket.send(JSON.stringify({ type: 'response.done', response: { id, usage } }))
    })
    await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
    using client = await connect(stage)
    await client.next('response.done')
    await client.next('response.done')
    expect(stage.gateway.gateway.inflight()).toBe(1)
    const lines = await stage.gateway.logged(4)
    expect(lines.map(({ status }) => status)).toEqual([502, 502, 200, 200])
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
