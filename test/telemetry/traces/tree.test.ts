import { expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { type TracedStage, serverOf, tracedStage } from './stage.ts'
import { spanOf, treeOf } from './whole.ts'

const path = '/v1/chat/completions'
const body = {
  model: 'sandbox/echo',
  messages: [{ role: 'user', content: 'hi' }],
  max_tokens: 50,
  temperature: 0.5,
  n: 2,
}
const { n: _, ...plainBody } = body

test('a trace has the spans of its stages and no others', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask(path, body)
  await reply.text()
  expect(treeOf(await stage.traceOf(reply))).toEqual([
    'POST /v1/chat/completions',
    '  dragoman.auth',
    '  dragoman.decode',
    '  dragoman.route',
    '  chat sandbox/echo',
    '    POST',
  ])
})

test('the write of a response’s record has a span', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask('/v1/responses', { model: 'sandbox/echo', input: 'hi' })
  await reply.text()
  expect(treeOf(await stage.traceOf(reply))).toContain('  dragoman.record')
})

test.each([
  ['Redis', true],
  ['memory', false],
])('a look-up in %s has a span: %s', async (kind, hasSpan) => {
  await using redis = await startRedis()
  const store = kind === 'Redis' ? redis.url : 'memory:'
  await using stage = await tracedStage({ store })
  const first = await stage.ask('/v1/responses', { model: 'sandbox/echo', input: 'hi' })
  const { id } = (await first.json()) as { id: string }
  const chained = { model: 'sandbox/echo', input: 'and', previous_response_id: id }
  const reply = await stage.ask('/v1/responses', chained)
  await reply.text()
  const spans = await stage.traceOf(reply)
  const tree = treeOf(spans)
  expect(tree.includes('    GET')).toBe(hasSpan)
  if (!hasSpan) return
  expect(tree[tree.indexOf('    GET') - 1]).toBe('  dragoman.route')
  expect(spanOf(spans, 'GET').attributes).toEqual({
    'db.system.name': 'redis',
    'db.operation.name': 'GET',
  })
})

test('the spans say who asked for what, where it went, and what it took', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask(path, { ...body, stream: true }, { 'user-agent': 'acme/1' })
  await reply.text()
  const spans = await stage.traceOf(reply)
  expect(serverOf(spans).attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': path,
    'url.path': path,
    'url.scheme': 'http',
    'http.response.status_code': 200,
    'client.address': '127.0.0.1',
    'server.address': '127.0.0.1',
    'server.port': expect.any(Number),
    'user_agent.original': 'acme/1',
    'dragoman.request.id': reply.headers.get('x-request-id'),
    'dragoman.dialect': 'chat',
    'dragoman.key.id': 'test',
    'dragoman.model.resolved': 'sandbox/echo',
    'dragoman.stream': true,
    'dragoman.overhead': expect.any(Number),
    'dragoman.response.bytes': expect.any(Number),
  })
  const operation = spanOf(spans, 'chat')
  expect(operation.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'sandbox',
    'gen_ai.request.model': 'sandbox/echo',
    'gen_ai.request.stream': true,
    'gen_ai.request.max_tokens': 50,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.choice.count': 2,
    'gen_ai.response.id': expect.stringContaining('chatcmpl'),
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
    'openai.api.type': 'chat_completions',
    'dragoman.account.id': 'a',
    'dragoman.attempts': 1,
  })
  expect(operation.events.map(({ name }) => name)).toEqual(['dragoman.first_chunk'])
  expect(spanOf(spans, 'dragoman.route').attributes).toMatchObject({
    'dragoman.model.requested': 'sandbox/echo',
    'dragoman.model.resolved': 'sandbox/echo',
    'dragoman.route.reason': 'only_candidate',
    'dragoman.route.candidates': 1,
    'dragoman.account.id': 'a',
  })
  expect(spans.find(({ name }) => name === 'POST')?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'url.full': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/),
    'dragoman.account.id': 'a',
    'dragoman.attempt.outcome': 'completed',
  })
  expect(spans[0]?.resource).toMatchObject({
    'service.name': 'dragoman',
    'telemetry.sdk.language': 'nodejs',
    'process.pid': process.pid,
  })
  expect(Object.keys(spans[0]?.resource ?? {}).filter((name) => /command/.test(name))).toEqual([])
})

test('usage is on the span of a call, streamed or not', async () => {
  await using stage = await tracedStage()
  const usage = { stream_options: { include_usage: true }, stream: true }
  const streamed = await stage.ask(path, { ...body, ...usage })
  const whole = await stage.ask('/v1/messages', plainBody, { 'anthropic-version': '2023-06-01' })
  await Promise.all([streamed.text(), whole.text()])
  for (const reply of [streamed, whole]) {
    expect(spanOf(await stage.traceOf(reply), 'chat').attributes).toMatchObject({
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    })
  }
})

test.each([
  [path, 'stop', 'length'],
  ['/v1/responses', 'completed', 'max_output_tokens'],
  ['/v1/messages', 'end_turn', 'max_tokens'],
  ['/v1beta/models/', 'STOP', 'MAX_TOKENS'],
] as const)('the span of a call of %s says why its answer ended', async (at, whole, cut) => {
  await using stage = await tracedStage()
  const replies = [
    [await askFor(stage, at, 'sandbox/echo', false), whole],
    [await askFor(stage, at, 'sandbox/echo', true), whole],
    [await askFor(stage, at, `sandbox/finish=${cut}`, false), cut],
    [await askFor(stage, at, `sandbox/finish=${cut}`, true), cut],
  ] as const
  for (const [reply, reason] of replies) {
    const { attributes } = spanOf(
      await stage.traceOf(reply),
      at === '/v1beta/models/' ? 'generate_content' : 'chat',
    )
    expect(attributes['gen_ai.response.finish_reasons']).toEqual([reason])
  }
})

/** Asks in the dialect of a path. Resolves once the answer has been read. */
async function askFor({ ask }: TracedStage, at: string, model: string, stream: boolean) {
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const headers = { 'anthropic-version': '2023-06-01' }
  const reply =
    at === '/v1beta/models/'
      ? await ask(`${at}${model}:${method}`, { contents: [{ parts: [{ text: 'hi' }] }] })
      : at === '/v1/responses'
        ? await ask(at, { model, input: 'hi', stream })
        : await ask(at, { ...plainBody, model, stream }, headers)
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)])
  return reply
}

test('an excluded account and a translation are told', async () => {
  const limited = 'sandbox/limit=model+retry-after=60'
  await using stage = await tracedStage({
    accounts: [
      { id: 'a', models: [limited] },
      { id: 'b', speaks: ['messages'], models: { [limited]: 'sandbox/echo' }, priority: 1 },
      { id: 'c', models: [limited], enabled: false },
    ],
  })
  // The first account is refused, so that it rests.
  const denied = await stage.ask(path, { ...plainBody, model: limited })
  await denied.text()
  const reply = await stage.ask(path, { ...plainBody, model: limited })
  await reply.text()
  const spans = await stage.traceOf(reply)
  expect(spanOf(spans, 'dragoman.route').events).toMatchObject([
    {
      name: 'dragoman.account.excluded',
      attributes: {
        'dragoman.account.id': 'a',
        'dragoman.exclusion.by': 'account-health',
        'dragoman.exclusion.reason': 'rate_limited',
        'dragoman.exclusion.message': 'cooling down: a call got 429',
      },
    },
    {
      name: 'dragoman.account.excluded',
      attributes: { 'dragoman.account.id': 'c', 'dragoman.exclusion.reason': 'disabled' },
    },
  ])
  expect(spanOf(spans, 'chat').attributes).toMatchObject({
    'dragoman.translated': true,
    'dragoman.upstream.dialect': 'messages',
  })
})

test.each([
  ['a missing key', '/v1/chat/completions', { authorization: '' }, 401, 'missing'],
  [
    'a key that does not exist',
    '/v1/chat/completions',
    { authorization: 'Bearer x' },
    401,
    'invalid',
  ],
] as const)('%s is told by its span, which is no error', async (_, at, headers, status, result) => {
  await using stage = await tracedStage()
  const reply = await stage.ask(at, body, headers)
  await reply.text()
  expect(reply.status).toBe(status)
  const spans = await stage.traceOf(reply)
  expect(treeOf(spans)).toEqual(['POST /v1/chat/completions', '  dragoman.auth'])
  expect(serverOf(spans).status).toBe('unset')
  expect(spanOf(spans, 'dragoman.auth').attributes['dragoman.auth.result']).toBe(result)
})

test('a path that does not exist is no name of a span, and a long one is cut', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask(`/nowhere/${'x'.repeat(5_000)}?key=test-secret`)
  await reply.text()
  expect(reply.status).toBe(404)
  const server = serverOf(await stage.traceOf(reply))
  expect(server.name).toBe('GET')
  expect(String(server.attributes['url.path']).length).toBeLessThan(300)
  expect(server.attributes).not.toHaveProperty('http.route')
  expect(stage.collector.bytes.includes('test-secret')).toBe(false)
})

test('a request that nothing can serve says why', async () => {
  await using stage = await tracedStage({
    accounts: [{ enabled: false }],
  })
  const reply = await stage.ask(path, body)
  await reply.text()
  const spans = await stage.traceOf(reply)
  expect(serverOf(spans).attributes['error.type']).toEqual(expect.any(String))
  expect(spans.filter(({ name }) => name.startsWith('chat'))).toEqual([])
})

test('probes leave no trace', async () => {
  await using stage = await tracedStage()
  for (const probe of ['/livez', '/readyz']) {
    const reply = await stage.ask(probe)
    await reply.text()
    expect(reply.headers.has('x-trace-id')).toBe(false)
  }
  await stage[Symbol.asyncDispose]()
  expect(stage.collector.spans).toEqual([])
})

test('each reply has the id of its trace: also errors, streams and those of plugins', async () => {
  const shortcut = definePlugin({
    name: 'shortcut',
    onExchange: ({ exchange, next }) =>
      exchange.request.path === '/short'
        ? { status: 200, headers: { 'x-trace-id': 'forged' }, body: 'short' }
        : next(),
  })
  // An edge plugin has replies take another way.
  const edge = definePlugin({ name: 'edge', http: {} })
  await using stage = await tracedStage({ plugins: [shortcut, edge] })
  const replies = [
    await stage.ask(path, body),
    await stage.ask(path, { ...body, stream: true }),
    await stage.ask(path, { model: 'none' }),
    await stage.ask('/nowhere'),
    await stage.ask('/short'),
  ]
  for (const reply of replies) await reply.text()
  const lines = await stage.gateway.logged(replies.length)
  const ids = replies.map(({ headers }) => headers.get('x-trace-id'))
  expect(new Set(ids).size).toBe(replies.length)
  const logged = new Map(lines.map((line) => [line['trace_id'], line['span_id']]))
  for (const reply of replies) {
    const { traceId, spanId } = serverOf(await stage.traceOf(reply))
    expect(logged.get(traceId)).toBe(spanId)
  }
})

test('without traces no reply and no line of the log has an id of a trace', async () => {
  const { createTestGateway } = await import('../../../src/testing/gateway.ts')
  await using gateway = await createTestGateway()
  const reply = await fetch(`${gateway.url}/v1/models`)
  await reply.text()
  const [line] = await gateway.logged(1)
  expect(reply.headers.has('x-trace-id')).toBe(false)
  expect(line).not.toHaveProperty('trace_id')
})

test('the attempt that probes an account with an open circuit says so, and no other one', async () => {
  let time = Date.now()
  const failing = 'sandbox/status=500+only=a'
  await using stage = await tracedStage({
    accounts: [{}, { id: 'b', priority: 1 }],
    now: () => time,
  })
  const failed = { ...plainBody, model: failing }
  const asked = [await stage.ask(path, failed)]
  for (let call = 1; call < 5; call++) asked.push(await stage.ask(path, failed))
  time += 12_001
  const probing = await stage.ask(path, failed)
  asked.push(probing)
  for (const reply of asked) await reply.text()
  await stage.traceOf(probing)
  const states = stage.collector.spans
    .filter(({ name }) => name === 'POST')
    .map(({ traceId, attributes }) => [traceId, attributes['dragoman.circuit.state']] as const)
    .filter(([, state]) => state !== 'closed')
  expect(states).toEqual([[probing.headers.get('x-trace-id'), 'half-open']])
})
