import { describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { socketAccount } from './account.ts'
import { connect, realtimeStage, say } from './stage.ts'

describe('before the client has its socket', () => {
  test('another account opens the session if the first refuses', async () => {
    await using stage = await realtimeStage({
      accounts: [
        { id: 'a', priority: 0, headers: { 'x-sandbox': 'status=500' } },
        { id: 'b', priority: 1 },
      ],
    })
    using client = await connect(stage)
    await client.next('session.created')
    client.socket.close()
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ account: 'b', attempts: 2, status: 101 })
  })

  test.each([
    ['status=401', 502],
    ['status=400', 400],
    ['status=503', 503],
    ['reset', 502],
    ['html=200', 502],
  ])('an account that answers %s is an error of HTTP', async (directive, status) => {
    await using stage = await realtimeStage()
    const query = `model=${encodeURIComponent(`sandbox/${directive}`)}`
    await expect(connect(stage, { query })).rejects.toMatchObject({ status })
    expect(stage.gateway.gateway.inflight()).toBe(0)
  })

  test.each([
    ['', 400, 'model'],
    ['model=a&model=b', 400, 'model'],
    ['model=gpt-realtime&call_id=rtc_1', 400, 'call_id'],
    ['intent=transcription', 400, 'intent'],
  ])('the query "%s" is refused', async (query, status, param) => {
    await using stage = await realtimeStage()
    const refused = connect(stage, { query })
    await expect(refused).rejects.toMatchObject({
      status,
      body: expect.stringContaining(`"${param}"`),
    })
  })

  test('a key that is wrong, or may not use the model, opens nothing', async () => {
    await using stage = await realtimeStage({
      keys: [{ id: 'narrow', secret: 'narrow-secret', models: ['other'] }],
    })
    await expect(connect(stage, { key: 'wrong' })).rejects.toMatchObject({ status: 401 })
    await expect(connect(stage, { key: 'narrow-secret' })).rejects.toMatchObject({ status: 404 })
    const url = `${stage.gateway.url}/v1/realtime?model=other`
    const headers = { authorization: 'Bearer narrow-secret' }
    expect((await fetch(url, { headers })).status).toBe(426)
    expect(stage.sandbox.requests).toHaveLength(0)
  })

  test('the exchanges of responses have no path for others', async () => {
    await using stage = await realtimeStage()
    const response = await stage.json(
      { turn: 'turn_000000000000000000000000' },
      '/v1/realtime/responses',
    )
    expect(response.status).toBe(404)
  })
})

describe('an account that ends the session', () => {
  test.each([
    [1000, 'bye', 1001, 'The account has ended the session. bye'],
    [1001, '', 1001, 'The account has ended the session.'],
    [1008, 'policy', 1008, 'policy'],
    [4001, 'of its own', 4001, 'of its own'],
    [1011, 'broken', 1011, 'The connection to the account has broken.'],
  ])('with %s is no normal end', async (code, reason, shown, words) => {
    await using account = await socketAccount((socket) => socket.close(code, reason))
    await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
    using client = await connect(stage)
    expect(await client.closed).toEqual({ code: shown, reason: words })
  })

  test('in a response leaves that one as failed, and its use as unknown', async () => {
    await using stage = await realtimeStage()
    using client = await connect(stage, { query: 'model=sandbox/cut%3D6' })
    say(client, 'hello')
    expect(await client.closed).toMatchObject({ code: 1011 })
    const lines = await stage.gateway.logged(2)
    const turn = lines.find(({ route }) => route === 'realtime.response')
    expect(turn).toMatchObject({ status: 502, error_type: 'upstream_unreachable' })
    expect(turn).not.toHaveProperty('input_tokens')
    expect(stage.gateway.gateway.inflight()).toBe(0)
  })

  test('behind the last events is no loss of these', async () => {
    await using stage = await realtimeStage()
    using client = await connect(stage, { query: 'model=sandbox/eof%3D15' })
    say(client, 'hello')
    expect(await client.closed).toMatchObject({ code: 1001 })
    expect(client.events).toHaveLength(15)
    expect(client.events.at(-1)).toMatchObject({ type: 'response.done' })
    const [line] = await stage.gateway.logged(2)
    expect(line).toMatchObject({ route: 'realtime.response', status: 200 })
  })

  test('with a binary message', async () => {
    await using account = await socketAccount((socket) => socket.send(Buffer.from('{}')))
    await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
    using client = await connect(stage)
    expect(await client.closed).toMatchObject({ code: 1011 })
    await until(() => account.sockets.size === 0)
  })
})

describe('a client that ends the session', () => {
  test('in a response is charged what the account reports', async () => {
    await using stage = await realtimeStage({
      keys: [
        {
          id: 'k',
          secret: 'k-secret',
          quotas: [{ kind: 'tokens', amount: 1e6, window: 'day' }] as never,
        },
      ],
    })
    using client = await connect(stage, {
      key: 'k-secret',
      query: 'model=sandbox/words%3D500%2Bpace%3D10',
    })
    say(client, 'hello there')
    await client.next('response.output_text.delta')
    client.socket.terminate()
    const lines = await stage.gateway.logged(2)
    expect(lines.find(({ route }) => route === 'realtime.response')).toMatchObject({
      input_tokens: 2,
    })
    await until(() => stage.gateway.gateway.inflight() === 0)
  })

  test('before the account has ended the handshake leaves nothing open', async () => {
    await using stage = await realtimeStage()
    const refused = connect(stage, { query: 'model=sandbox/delay%3D2000' })
    await until(() => stage.sandbox.requests.length === 1)
    const { socket } = await Promise.race([refused, Promise.resolve({ socket: undefined })])
    socket?.terminate()
    void refused.catch(() => {})
    expect(stage.gateway.gateway.inflight()).toBe(1)
    stage.gateway.gateway.interrupt()
    await until(() => stage.gateway.gateway.inflight() === 0)
    await expect(refused).rejects.toMatchObject({ status: 503 })
  })
})

test('a gateway that shuts down ends an idle session at once, and a busy one behind its response', async () => {
  await using stage = await realtimeStage()
  using idle = await connect(stage)
  using busy = await connect(stage, { query: 'model=sandbox/words%3D20%2Bpace%3D20' })
  say(busy, 'hello')
  await busy.next('response.created')
  stage.gateway.gateway.drain()
  expect(await idle.closed).toMatchObject({ code: 1001 })
  expect(await busy.closed).toMatchObject({ code: 1001 })
  expect(await busy.next('response.done')).toMatchObject({ response: { status: 'completed' } })
  await until(() => stage.gateway.gateway.inflight() === 0)
})

test('a client that reads nothing pauses its account', async () => {
  const most = 1_600
  const sent: number[] = []
  await using account = await socketAccount((socket) => {
    const piece = JSON.stringify({
      type: 'response.output_audio.delta',
      delta: 'x'.repeat(64 * 1024),
    })
    const index = sent.push(0) - 1
    const send = () => {
      if (socket.readyState !== socket.OPEN || sent[index] === most) return
      sent[index]!++
      socket.send(piece, () => setImmediate(send))
    }
    send()
  })
  await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
  using client = await connect(stage)
  client.socket.pause()
  using reader = await connect(stage)
  await until(() => reader.events.length === most, 30_000)
  expect(sent[0]).toBeLessThan(most / 2)
  client.socket.resume()
  await until(() => client.events.length === most, 30_000)
}, 70_000)

test('an account that reads nothing pauses its client', async () => {
  let isRead = false
  const pieces = 60
  const received = Promise.withResolvers<void>()
  await using account = await socketAccount((socket) => {
    if (!isRead) return socket.pause()
    let count = 0
    socket.on('message', () => {
      if (++count === pieces) received.resolve()
    })
  })
  await using stage = await realtimeStage({ accounts: [{ baseUrl: account.url }] })
  const piece = JSON.stringify({
    type: 'input_audio_buffer.append',
    audio: 'A'.repeat(1024 * 1024),
  })
  const speak = ({ socket }: Awaited<ReturnType<typeof connect>>) => {
    for (let count = 0; count < pieces; count++) socket.send(piece)
  }
  using unheard = await connect(stage)
  speak(unheard)
  isRead = true
  using heard = await connect(stage)
  speak(heard)
  await received.promise
  expect(unheard.socket.bufferedAmount).toBeGreaterThan(20 * 1024 * 1024)
})
