import { expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { until } from '../../../src/testing/until.ts'
import { connect, realtimeStage, say } from './stage.ts'

const sound = Buffer.alloc(48_000, 7).toString('base64')
const silence = Buffer.alloc(48_000).toString('base64')
const append = 'input_audio_buffer.append'

test('a session answers, and each response has a line and a row of its own', async () => {
  await using stage = await realtimeStage({ admin: true })
  const { gateway, sandbox } = stage
  using client = await connect(stage)
  expect(await client.next('session.created')).toMatchObject({ session: { model: 'gpt-realtime' } })
  for (const text of ['hello there', 'and again']) {
    say(client, text)
    const done = await client.next('response.done')
    expect(done).toMatchObject({ response: { status: 'completed' } })
  }
  expect(client.events.map(({ type }) => type)).toContain('response.output_text.delta')
  client.socket.close(1000)
  await client.closed
  const lines = await gateway.logged(3)
  expect(lines).toMatchObject([
    { route: 'realtime.response', status: 200, account: 'a', input_tokens: 2, output_tokens: 4 },
    { route: 'realtime.response', status: 200, model_requested: 'gpt-realtime' },
    { route: 'realtime.connect', status: 101, account: 'a', stream_end: 'complete' },
  ])
  expect(lines[2]).not.toHaveProperty('input_tokens')
  const [handshake] = sandbox.requests
  expect(handshake?.headers).not.toHaveProperty('sec-websocket-protocol')
  expect(handshake?.headers['openai-beta']).toBeUndefined()
  expect(gateway.gateway.inflight()).toBe(0)
})

test('the account has its own name of the model, and the client its own where an alias says so', async () => {
  await using stage = await realtimeStage({
    accounts: [{ models: { voice: 'gpt-realtime-mini' } }],
    aliases: { talk: { model: 'voice', replyModel: 'client' } },
  })
  using client = await connect(stage, { query: 'model=talk' })
  expect(await client.next('session.created')).toMatchObject({ session: { model: 'talk' } })
  client.send({
    type: 'session.update',
    session: { type: 'realtime', model: 'talk', instructions: 'Hi' },
  })
  expect(await client.next('session.updated')).toMatchObject({
    session: { model: 'talk', instructions: 'Hi' },
  })
  expect(stage.sandbox.requests[0]?.url).toBe('/v1/realtime?model=gpt-realtime-mini')
  for (const session of [
    { type: 'realtime', model: 'gpt-realtime' },
    { type: 'realtime', audio: { input: { transcription: { model: 'other' } } } },
  ]) {
    client.send({ type: 'session.update', event_id: 'mine', session })
    await client.next(session.model ? 'error' : 'session.updated')
  }
  expect(client.events.find(({ type }) => type === 'error')).toMatchObject({
    error: { code: 'invalid_value', param: 'session.model', type: 'invalid_request_error' },
  })
})

test('an account of Azure opens a session by its key', async () => {
  await using stage = await realtimeStage({ accounts: [{ provider: 'azure' }] })
  using client = await connect(stage, { query: 'model=sandbox/echo' })
  say(client, 'hello')
  await client.next('response.done')
  const [handshake] = stage.sandbox.requests
  expect(handshake).toMatchObject({
    url: '/openai/v1/realtime?model=sandbox%2Fecho',
    headers: { 'api-key': 'sandbox-key-a' },
  })
  expect(handshake?.headers).not.toHaveProperty('authorization')
  const secret = await stage.json(
    { session: { type: 'realtime', model: 'sandbox/echo' } },
    '/v1/realtime/client_secrets',
  )
  expect(secret.status).toBe(503)
})

test.each([
  ['twice', '{"type":"session.update","session":{"model":"a","model":"b"}}', 'duplicate_parameter'],
  [
    'twice, hidden',
    '{"type":"x","ty\\u0070e":"session.update","session":{"model":"b"}}',
    'invalid_value',
  ],
  ['misspelt', '{"type":"session.update","Session":{"model":"b"}}', 'invalid_value'],
  ['no JSON', '{"type":"response.create"', 'invalid_json'],
  [
    'the id of a file, in a prompt',
    '{"type":"session.update","session":{"prompt":{"id":"p","variables":{"x":{"file_id":"file-1"}}}}}',
    'invalid_value',
  ],
  [
    'the id of a file, in an item',
    '{"type":"conversation.item.create","item":{"content":[{"fil\\u0065_id":"file-1"}]}}',
    'invalid_value',
  ],
])('an event with a member that is %s does not reach the account', async (_case, text, code) => {
  await using stage = await realtimeStage()
  using client = await connect(stage)
  client.send(text)
  expect(await client.next('error')).toMatchObject({ error: { code } })
  say(client, 'still here')
  await client.next('response.done')
  expect(client.events.filter(({ type }) => type === 'error')).toHaveLength(1)
})

test('a response at the end of a turn that the account has heard is counted too', async () => {
  await using stage = await realtimeStage()
  using client = await connect(stage)
  client.send({ type: append, audio: sound })
  client.send({ type: append, audio: silence })
  expect(await client.next('response.done')).toMatchObject({
    response: { status: 'completed', usage: { input_token_details: { audio_tokens: 20 } } },
  })
  client.socket.close()
  const lines = await stage.gateway.logged(2)
  expect(lines[0]).toMatchObject({ route: 'realtime.response', status: 200 })
})

test('errors of the account and a cancelled response reach the client', async () => {
  await using stage = await realtimeStage()
  using client = await connect(stage, { query: 'model=sandbox/words%3D50%2Bpace%3D20' })
  client.send({ type: 'nonsense', event_id: 'e1' })
  expect(await client.next('error')).toMatchObject({
    error: { code: 'invalid_value', event_id: 'e1' },
  })
  say(client, 'hello')
  await client.next('response.created')
  client.send({ type: 'response.create', event_id: 'e2' })
  expect(await client.next('error')).toMatchObject({
    error: { code: 'conversation_already_has_active_response', event_id: 'e2' },
  })
  client.send({ type: 'response.cancel' })
  expect(await client.next('response.done')).toMatchObject({ response: { status: 'cancelled' } })
  client.socket.close()
  const lines = await stage.gateway.logged(3)
  expect(lines.map(({ route, status }) => [route, status])).toEqual([
    ['realtime.response', 400],
    ['realtime.response', 200],
    ['realtime.connect', 101],
  ])
})

test('audio of 15 MB passes to the account as it is', async () => {
  await using stage = await realtimeStage()
  using client = await connect(stage)
  const audio = Buffer.alloc(11 * 1024 * 1024, 3).toString('base64')
  client.send({
    type: 'session.update',
    session: { type: 'realtime', audio: { input: { turn_detection: null } } },
  })
  for (let count = 0; count < 3; count++) client.send({ type: append, audio })
  client.send({ type: 'input_audio_buffer.commit' })
  await client.next('input_audio_buffer.committed')
  say(client, 'what was it')
  expect(await client.next('response.done')).toMatchObject({
    response: { usage: { input_token_details: { audio_tokens: 7_209 } } },
  })
})

test.each([
  ['gpt-4o-transcribe', { input_tokens: 10, output_tokens: 5 }, 0.00025],
  ['whisper-1', { audio_seconds: 1 }, 0.001],
])('what %s has written down is counted, by its own price', async (model, used, cost) => {
  const store = openMemoryStore()
  await using stage = await realtimeStage({
    store,
    accounts: [
      {
        prices: {
          'gpt-4o-transcribe': { rates: { input: '10', inputAudio: '10', output: '30' } },
          'whisper-1': { units: { audioSecond: '0.001' } },
        },
      },
    ],
  })
  using client = await connect(stage)
  const input = { transcription: { model }, turn_detection: null }
  client.send({ type: 'session.update', session: { type: 'realtime', audio: { input } } })
  client.send({ type: append, audio: sound })
  client.send({ type: 'input_audio_buffer.commit' })
  await client.next('conversation.item.input_audio_transcription.completed')
  client.socket.close()
  const [line] = await stage.gateway.logged(2)
  expect(line).toMatchObject({ route: 'realtime.response', status: 200, ...used })
  await until(async () => (await store.ledger().rows({ limit: 9 })).length === 2)
  const rows = await store.ledger().rows({ limit: 9 })
  const row = rows.find(({ operation }) => operation === 'realtime.response')
  expect(row).toMatchObject({ upstreamModel: model, model: 'gpt-realtime', costNano: cost * 1e9 })
  const opened = rows.find(({ operation }) => operation === 'realtime.connect')
  expect(opened).toMatchObject({ usage: 'none', costNano: 0 })
})
