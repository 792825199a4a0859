import { once } from 'node:events'
import OpenAI6 from 'openai-6'
import { ResponsesWS as ResponsesWS6 } from 'openai-6/resources/responses/ws'
import OpenAI7 from 'openai-7'
import { ResponsesWS as ResponsesWS7 } from 'openai-7/resources/responses/ws'
import { describe, expect, test } from 'vitest'

import type { Received } from '../../src/contract/exchange.ts'
import type { Reply } from '../../src/contract/outcome.ts'
import { formatFrame } from '../../src/lib/sse.ts'
import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { connectResponses, idOf, startStage, typesOf } from './responses.ts'

const textOf = (events: readonly object[]) =>
  events
    .filter((event) => (event as { type: string }).type === 'response.output_text.delta')
    .map((event) => (event as unknown as { delta: string }).delta)
    .join('')

describe('the client of OpenAI', () => {
  test.each([
    ['6', OpenAI6, ResponsesWS6],
    ['7', OpenAI7, ResponsesWS7],
  ])('version %s creates responses, and chains them', async (_version, OpenAI, ResponsesWS) => {
    await using stage = await startStage()
    const client = new OpenAI({ apiKey: stage.gateway.key, baseURL: `${stage.gateway.url}/v1` })
    const ws = new ResponsesWS(client as never)
    const types: string[] = []
    let previous: string | undefined
    for await (const event of ws.stream()) {
      if (event.type === 'error') throw event.error
      if (event.type === 'open' || event.type === 'connecting') {
        if (event.type === 'open')
          ws.send({ type: 'response.create', model: 'sandbox/echo', input: 'one' })
        continue
      }
      if (event.type !== 'message') continue
      const { message } = event
      types.push(message.type)
      if (message.type !== 'response.completed') continue
      if (previous !== undefined) {
        expect(message.response.previous_response_id).toBe(previous)
        break
      }
      previous = message.response.id
      ws.send({
        type: 'response.create',
        model: 'sandbox/echo',
        input: 'two',
        previous_response_id: previous,
      })
    }
    ws.close()
    const [half] = types.join(' ').split(' response.completed ')
    expect(types.join(' ')).toBe(`${half} response.completed ${half} response.completed`)
  })

  test('gets the error of a refused response as one of its own', async () => {
    await using stage = await startStage()
    const client = new OpenAI7({ apiKey: stage.gateway.key, baseURL: `${stage.gateway.url}/v1` })
    const ws = new ResponsesWS7(client)
    ws.send({ type: 'response.create', model: 'nowhere', input: 'one' })
    const error = await new Promise<{ error?: unknown; message: string }>((resolve) =>
      ws.on('error', resolve),
    )
    expect(error.message).toMatch(/nowhere/)
    expect(error.error).toMatchObject({
      type: 'error',
      status: 404,
      error: { code: 'model_not_found', type: 'invalid_request_error', param: 'model' },
    })
    ws.close()
  })
})

describe('a response', () => {
  test('has the events of the same call over HTTP, byte for byte', async () => {
    const events = [
      {
        type: 'response.created',
        sequence_number: 0,
        response: { id: 'resp_1', object: 'response', model: 'm', status: 'in_progress' },
      },
      { type: 'response.output_text.delta', sequence_number: 1, delta: ' ü\\n', item_id: 'i' },
      {
        type: 'response.completed',
        sequence_number: 2,
        response: { id: 'resp_1', object: 'response', model: 'm', status: 'completed', output: [] },
      },
    ]
    const texts = events.map((event) => JSON.stringify(event, undefined, 1).replaceAll('\n', ' '))
    const frames = texts.map((text, index) => formatFrame(events[index]?.type, text))
    await using account = await startFakeAccount((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(frames.join(': keep-alive\n\n'))
    })
    await using gateway = await createTestGateway({
      accounts: [
        { id: 'o', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['m'] },
      ],
    })
    await using client = await connectResponses(gateway)
    client.socket.send('{"type":"response.create", "model" : "m","input":"hi","user":"\\u00fc" }')
    await client.events()
    expect(client.texts).toEqual(texts)
    const [request] = account.requests
    expect(request?.body.toString()).toBe(
      '{"model" : "m","input":"hi","user":"\\u00fc","stream":true}',
    )
    expect(request?.headers).not.toHaveProperty('upgrade')
    expect(request?.headers).not.toHaveProperty('sec-websocket-key')
  })

  test('comes from accounts of another dialect, too', async () => {
    await using stage = await startStage({}, { speaks: ['messages'] })
    await using client = await connectResponses(stage.gateway)
    const events = await client.respond({ input: 'over there' })
    expect(textOf(events)).toContain('over there')
    expect(typesOf(events).at(-1)).toBe('response.completed')
    expect(stage.sandbox.requests.at(-1)?.url).toBe('/v1/messages')
  })

  test('is an exchange of its own in the access log', async () => {
    await using stage = await startStage()
    await using client = await connectResponses(stage.gateway)
    await client.respond()
    await client.respond({ model: 'nowhere' })
    const log = await stage.gateway.logged(3)
    expect(log.map(({ status, path, model_requested: model }) => [status, path, model])).toEqual([
      [101, '/v1/responses', undefined],
      [200, '/v1/responses', 'sandbox/echo'],
      [404, '/v1/responses', 'nowhere'],
    ])
    expect(new Set(log.map(({ request_id: id }) => id)).size).toBe(3)
  })

  test('moves to another account before its first output, and breaks with an error afterwards', async () => {
    await using stage = await startStage()
    await using client = await connectResponses(stage.gateway)
    const refused = await client.respond({ model: 'sandbox/status=500' })
    expect(refused).toMatchObject([
      { type: 'error', error: { code: expect.any(String) as string } },
    ])
    expect(stage.sandbox.requests.length).toBe(2)
    const cut = await client.respond({ model: 'sandbox/cut=6' })
    expect(cut.at(-1)).toMatchObject({
      type: 'error',
      status: 502,
      error: { code: 'upstream_unreachable', type: 'server_error' },
    })
    expect(cut.length).toBeGreaterThan(2)
    expect(textOf(await client.respond({ input: 'still here' }))).toContain('still here')
  })

  test('ends at its account when the client leaves', async () => {
    await using stage = await startStage({}, {}, 20)
    await using client = await connectResponses(stage.gateway)
    client.create({ model: 'sandbox/words=500' })
    await until(() => client.texts.length > 3)
    client.socket.terminate()
    await until(() => stage.sandbox.openStreams() === 0)
    const [, line] = await stage.gateway.logged(2)
    expect(line).toMatchObject({ stream_end: 'client_gone' })
    expect(stage.gateway.gateway.inflight()).toBe(0)
  })

  test('has a key that is still valid, limits that are not spent, and a model that the key may use', async () => {
    await using stage = await startStage({
      keys: [
        {
          id: 'k',
          secret: 'k',
          models: ['sandbox/*'],
          quotas: [{ kind: 'requests', amount: 1, window: '1m' }] as never,
        },
      ],
    })
    await using client = await connectResponses({ url: stage.gateway.url, key: 'k' })
    expect(await client.respond({ model: 'other' })).toMatchObject([{ type: 'error', status: 404 }])
    expect(typesOf(await client.respond()).at(-1)).toBe('response.completed')
    const [refused] = await client.respond()
    expect(refused).toMatchObject({ type: 'error', status: 429 })
    expect(refused).toHaveProperty(['error', 'headers', 'retry-after'])
  })

  test('is refused, and the socket closed, once the key is not valid any more', async () => {
    let isValid = true
    const door = {
      name: 'own-keys',
      onAuthenticate: () => (isValid ? { keyId: 'own', mayUse: () => true } : undefined),
    }
    await using stage = await startStage({ plugins: [door] })
    await using client = await connectResponses({ url: stage.gateway.url, key: 'x' })
    expect(typesOf(await client.respond()).at(-1)).toBe('response.completed')
    isValid = false
    expect(await client.respond()).toMatchObject([{ type: 'error', status: 401 }])
    expect((await client.closed)[0]).toBe(1008)
  })
})

describe('a chain', () => {
  const unstored = { store: false, include: ['reasoning.encrypted_content'] }
  const inputOf = ({ sandbox }: Awaited<ReturnType<typeof startStage>>) =>
    JSON.parse(sandbox.requests.at(-1)?.body.toString() ?? '') as { input: unknown }

  test('of a response that nothing stores is known to the socket alone', async () => {
    await using stage = await startStage()
    await using client = await connectResponses(stage.gateway)
    const first = await client.respond({ ...unstored, input: 'one' })
    const second = await client.respond({
      ...unstored,
      input: [{ role: 'user', content: 'two' }],
      previous_response_id: idOf(first),
    })
    expect(typesOf(second).at(-1)).toBe('response.completed')
    expect(inputOf(stage)).toMatchObject({
      input: [
        { role: 'user', content: 'one' },
        { type: 'message', role: 'assistant' },
        { role: 'user', content: 'two' },
      ],
    })
    expect(inputOf(stage)).not.toHaveProperty('previous_response_id')
    // Only the latest one of a lane is kept, and another socket has none.
    await using other = await connectResponses(stage.gateway)
    const gone = {
      type: 'error',
      status: 400,
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    }
    expect(await client.respond({ ...unstored, previous_response_id: idOf(first) })).toMatchObject([
      gone,
    ])
    expect(await other.respond({ ...unstored, previous_response_id: idOf(second) })).toMatchObject([
      gone,
    ])
  })

  test.each([[7], [true], [null], [{ role: 'user', content: 'two' }]])(
    'is not continued by the input %j',
    async (input) => {
      await using stage = await startStage()
      await using client = await connectResponses(stage.gateway)
      const previous_response_id = idOf(await client.respond(unstored))
      expect(await client.respond({ ...unstored, input, previous_response_id })).toMatchObject([
        { type: 'error', status: 400, error: { param: 'input' } },
      ])
    },
  )

  test('begins with a response without output', async () => {
    await using stage = await startStage()
    await using client = await connectResponses(stage.gateway)
    const prepared = await client.respond({ ...unstored, input: 'one', generate: false })
    expect(typesOf(prepared)).toEqual(['response.created', 'response.completed'])
    expect(stage.sandbox.requests).toEqual([])
    const events = await client.respond({
      ...unstored,
      input: 'two',
      previous_response_id: idOf(prepared),
    })
    expect(inputOf(stage).input).toEqual([
      { type: 'message', role: 'user', content: 'one' },
      { type: 'message', role: 'user', content: 'two' },
    ])
    expect(typesOf(events).at(-1)).toBe('response.completed')
  })
})

describe('lanes', () => {
  test('run at the same time, the messages of one after another', async () => {
    await using stage = await startStage({}, {}, 10)
    await using client = await connectResponses(stage.gateway)
    const model = 'sandbox/words=10'
    client.create({ model, stream_id: 'a' })
    client.create({ model, stream_id: 'a' })
    client.create({ model, stream_id: 'b.1' })
    client.create({ model })
    await until(
      () =>
        client.texts.filter((text) => text.includes('"type":"response.completed"')).length === 4,
    )
    const events = client.texts.map(
      (text) => JSON.parse(text) as { type: string; stream_id?: string },
    )
    const ofLane = (lane?: string) =>
      events.filter(({ stream_id: id }) => id === lane).map(({ type }) => type)
    expect(ofLane('a').filter((type) => type === 'response.completed')).toHaveLength(2)
    expect(ofLane('a').indexOf('response.created', 1)).toBe(ofLane('b.1').length)
    expect(ofLane('b.1')).toEqual(ofLane())
    const isDone = (lane?: string) =>
      events.findIndex(({ type, stream_id: id }) => type === 'response.completed' && id === lane)
    const hasBegun = (lane?: string) => events.findIndex(({ stream_id: id }) => id === lane)
    expect(hasBegun('b.1')).toBeLessThan(isDone('a'))
    expect(hasBegun()).toBeLessThan(isDone('a'))
  })

  test('are those of the client, whatever an account writes', async () => {
    const created = '{"type":"response.created","response":{"id":"r"},"stream_id":"b"}'
    const delta = '  {"type":"response.output_text.delta","delta":"x","stream\\u005fid":"b"}'
    const done = '{"type":"response.completed","response":{"id":"r","status":"completed"}}'
    await using account = await startFakeAccount((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end([created, delta, '{ }', done].map((data) => `data: ${data}\n\n`).join(''))
    })
    await using stage = await startStage({}, { baseUrl: account.url })
    await using client = await connectResponses(stage.gateway)
    const types = [
      'response.created',
      'response.output_text.delta',
      undefined,
      'response.completed',
    ]
    for (const lane of [undefined, 'a']) {
      const events = await client.respond(lane === undefined ? {} : { stream_id: lane })
      expect(typesOf(events)).toEqual(types)
      expect(events.map(({ stream_id: id }) => id)).toEqual(types.map(() => lane))
    }
  })

  test('have names of plain characters, and are 32 at most', async () => {
    await using stage = await startStage()
    await using client = await connectResponses(stage.gateway)
    for (const streamId of ['', 'a b', 1, 'x'.repeat(257), { a: 1 }]) {
      expect(await client.respond({ stream_id: streamId })).toMatchObject([
        { type: 'error', status: 400, error: { code: 'invalid_stream_id', param: 'stream_id' } },
      ])
    }
    for (let lane = 0; lane < 32; lane++)
      client.create({ stream_id: String(lane), model: 'nowhere' })
    await until(() => client.texts.length === 5 + 32)
    client.create({ stream_id: 'one-more' })
    await until(() => client.texts.length === 5 + 33)
    expect(JSON.parse(client.texts.at(-1) ?? '')).toMatchObject({
      status: 400,
      error: { code: 'websocket_stream_limit_reached', param: 'stream_id' },
    })
  })
})

describe('a message that is no response.create', () => {
  const rows: [name: string, text: string, error: object][] = [
    ['no JSON', 'hello', { code: 'invalid_json' }],
    ['JSON with more behind it', '{"type":"response.create"} x', { code: 'invalid_json' }],
    ['broken JSON', '{"type":"response.create" "model":1}', { code: 'invalid_json' }],
    ['a list', '[]', { code: 'invalid_json' }],
    ['an unclosed object', '{"type":"response.create"', { code: 'invalid_json' }],
    ['nothing', '', { code: 'invalid_json' }],
    ['no type', '{"model":"m"}', { param: 'type' }],
    ['another type', '{"type":"session.update"}', { param: 'type' }],
    [
      'two types',
      '{"type":"response.create","type":"response.create"}',
      { code: 'duplicate_parameter', param: 'type' },
    ],
    ['two inputs', '{"type":"response.create","input":"a","\\u0069nput":"b"}', { param: 'input' }],
    [
      'a background response',
      '{"type":"response.create","model":"sandbox/echo","input":"a","background":true}',
      { param: 'background' },
    ],
    ['no input', '{"type":"response.create","model":"sandbox/echo"}', { param: 'input' }],
  ]

  test('gets an error, and the socket stays', async () => {
    await using stage = await startStage()
    await using client = await connectResponses(stage.gateway)
    for (const [name, text, error] of rows) {
      client.socket.send(text)
      expect(await client.events(), name).toMatchObject([{ type: 'error', status: 400, error }])
    }
    client.socket.send('{"type":"response.steer","previous_response_id":"r","input":"x"}')
    await until(() => client.texts.length === rows.length + 1)
    expect(JSON.parse(client.texts.at(-1) ?? '')).toMatchObject({
      type: 'response.steer.failed',
      error: { code: 'steering_not_supported' },
      steer: { input: 'x', previous_response_id: 'r' },
    })
  })

  test('ends the socket if there are too many of it, or if it is binary or too large', async () => {
    await using stage = await startStage({ limits: { jsonBodyBytes: 100_000 } })
    const many = await connectResponses(stage.gateway)
    for (let count = 0; count < 120; count++) many.socket.send('x')
    expect((await many.closed)[0]).toBe(1008)
    const binary = await connectResponses(stage.gateway)
    binary.socket.send(Buffer.from('{}'))
    expect((await binary.closed)[0]).toBe(1003)
    const large = await connectResponses(stage.gateway)
    large.create({ input: 'x'.repeat(100_001) })
    expect((await large.closed)[0]).toBe(1009)
    await until(() => stage.gateway.gateway.sockets.size === 0)
    expect(stage.gateway.gateway.held()).toBe(0)
  })
})

describe('a shutdown', () => {
  test('lets the responses in progress end, and closes idle sockets at once', async () => {
    await using stage = await startStage({}, {}, 20)
    await using busy = await connectResponses(stage.gateway)
    await using idle = await connectResponses(stage.gateway)
    busy.create({ model: 'sandbox/words=20' })
    await until(() => busy.texts.length > 1)
    stage.gateway.gateway.drain()
    expect((await idle.closed)[0]).toBe(1001)
    expect(typesOf(await busy.events()).at(-1)).toBe('response.completed')
    expect(await busy.closed).toEqual([1001, expect.stringContaining('Connect again')])
  })

  test('ends them with an error when its time is over', async () => {
    await using stage = await startStage({}, {}, 20)
    await using busy = await connectResponses(stage.gateway)
    busy.create({ model: 'sandbox/words=2000' })
    await until(() => busy.texts.length > 1)
    stage.gateway.gateway.drain()
    stage.gateway.gateway.interrupt()
    expect(typesOf(await busy.events()).at(-1)).toMatch(/^(?:error|response\.failed)$/)
    expect((await busy.closed)[0]).toBe(1001)
  })
})

test('a client that reads slowly makes its account wait, and then gets all', async () => {
  const written: number[] = []
  const piece = formatFrame('response.output_text.delta', {
    type: 'response.output_text.delta',
    delta: 'x'.repeat(60_000),
  })
  const most = 2_000
  await using account = await startFakeAccount(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const index = written.push(0) - 1
    while (written[index]! < most && !response.destroyed) {
      written[index]!++
      if (!response.write(piece)) await once(response, 'drain')
    }
    const last = { type: 'response.completed', response: { id: 'r', object: 'response' } }
    response.end(formatFrame('response.completed', last))
  })
  await using gateway = await createTestGateway({
    accounts: [
      { id: 'o', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['m'] },
    ],
  })
  await using client = await connectResponses(gateway)
  client.create({ model: 'm' })
  await until(() => client.texts.length > 0)
  client.socket.pause()
  await using reader = await connectResponses(gateway)
  expect(await reader.respond({ model: 'm' })).toHaveLength(most + 1)
  // Of 120 MB most wait in the account.
  expect(written[0]).toBeLessThan(most / 2)
  expect(gateway.gateway.held()).toBeLessThan(8_000_000)
  client.socket.resume()
  expect(await client.events()).toHaveLength(most + 1)
}, 60_000)

test('handshakes without a key leave nothing behind', async () => {
  await using stage = await startStage()
  const { gateway } = stage
  const refused = await Promise.all(
    Array.from({ length: 200 }, () =>
      connectResponses({ url: gateway.url, key: 'wrong' }).then(
        () => 'open',
        (error: Error) => error.message,
      ),
    ),
  )
  expect(new Set(refused.map((text) => text.slice(0, 3)))).toEqual(new Set(['401', '429']))
  expect([gateway.gateway.inflight(), gateway.gateway.sockets.size]).toEqual([0, 0])
  await using client = await connectResponses(gateway)
  expect(typesOf(await client.respond()).at(-1)).toBe('response.completed')
})

test('an operator who cancels a response ends it with an error, and the socket stays', async () => {
  const seen: Received[] = []
  const watch = {
    name: 'watch',
    onExchange({ exchange, next }: { exchange: Received; next: () => Promise<Reply> }) {
      seen.push(exchange)
      return next()
    },
  }
  await using stage = await startStage({ plugins: [watch] }, {}, 20)
  await using client = await connectResponses(stage.gateway)
  for (const model of ['sandbox/words=500', 'sandbox/stall=0']) {
    client.create({ model })
    await until(() => stage.sandbox.openStreams() === 1)
    if (model.includes('words')) await client.next()
    stage.gateway.gateway.cancel(seen.at(-1) as Received)
    expect(typesOf(await client.events()).at(-1)).toBe('error')
    await until(() => stage.sandbox.openStreams() === 0)
  }
  expect(textOf(await client.respond({ input: 'still here' }))).toContain('still here')
})

test.each(['native', 'upstream'] as const)(
  'errors of the form %s have a text as their code',
  async (errors) => {
    await using stage = await startStage({ errors })
    await using client = await connectResponses(stage.gateway)
    for (const body of [{ model: 'nowhere' }, { model: 'sandbox/status=429' }, { input: 5 }]) {
      const [event] = await client.respond(body)
      expect(event).toMatchObject({
        type: 'error',
        status: expect.any(Number) as number,
        error: { type: expect.any(String) as string, message: expect.any(String) as string },
      })
      expect(['string', 'object']).toContain(
        typeof (event?.error as { code: unknown } | undefined)?.code,
      )
    }
  },
)
