import { describe, expect, test } from 'vitest'

import { resolveSettings } from '../../../src/configuration/resolve.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { catalog, requestMetrics } from '../../../src/telemetry/metrics/catalog.ts'
import { toMetricData } from '../../../src/telemetry/metrics/otlp-data.ts'
import { count, createRegistry } from '../../../src/telemetry/metrics/registry.ts'
import { serialize } from '../../../src/telemetry/metrics/serialize.ts'
import { mergeSnapshots } from '../../../src/telemetry/metrics/snapshot.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { chatOf, costStage, startScriptedAccount, usage } from './costs.ts'
import { key } from './stage.ts'

const path = '/v1/chat/completions'
/** What the API of Messages asks for. */
const ofMessages = { 'anthropic-version': '2023-06-01' }
const account = { id: 'a', provider: 'openai', apiKey: 'sk-canary', speaks: ['chat'] }
const rates = { input: '2', output: '8', cacheRead: '0.50' }
/** Of the usage that `usage` is: 60 tokens, 40 from the cache, 10 of the reply. */
const each = (60 * 2 + 40 * 0.5 + 10 * 8) / 1e6

test('calls cost what the prices say, to the last digit', async () => {
  await using upstream = await startScriptedAccount()
  await using costs = await costStage({
    accounts: [
      {
        ...account,
        baseUrl: `${upstream.url}/v1`,
        models: { 'gpt-a': 'gpt-a-2026-01-02', 'gpt-*': 'gpt-*' },
      },
    ],
    aliases: { nice: 'gpt-a' },
    prices: { 'gpt-a': { rates }, 'gpt-odd': { rates } },
  })
  const { stage } = costs
  // By an alias, streamed by a client that does not ask for the usage, of a name that only a pattern has, and
  // translated.
  expect(await stage.call(path, chatOf('gpt-a', { usage }))).toBe(200)
  expect(await stage.call(path, chatOf('nice', { usage }))).toBe(200)
  expect(await stage.call(path, chatOf('gpt-a', { usage }, { stream: true }))).toBe(200)
  expect(await stage.call(path, chatOf('gpt-odd', { usage }))).toBe(200)
  for (const stream of [false, true]) {
    const body = chatOf('gpt-a', { usage }, { max_tokens: 9, stream })
    expect(await stage.call('/v1/messages', body, ofMessages)).toBe(200)
  }
  expect(await costs.lookups(6)).toEqual({ priced: 6 })
  expect(await costs.costs()).toEqual({ 'openai gpt-a': each * 5, 'openai gpt-*': each })
  expect(upstream.requests).toHaveLength(6)
})

test('a fresh start knows what a call of a published model costs', async () => {
  await using upstream = await startScriptedAccount()
  await using costs = await costStage({
    accounts: [{ ...account, baseUrl: `${upstream.url}/v1`, models: ['gpt-4.1'] }],
  })
  expect(await costs.stage.call(path, chatOf('gpt-4.1', { usage }))).toBe(200)
  expect(await costs.lookups(1)).toEqual({ priced: 1 })
  expect(await costs.costs()).toEqual({ 'openai gpt-4.1': each })
})

describe('an unknown cost is none, and is counted', () => {
  const details = (more: object) => ({ ...usage, prompt_tokens_details: more })
  test.each<[string, string, object]>([
    ['no_price', 'gpt-a-mini', { usage }],
    ['no_rate', 'gpt-a', { usage: details({ cached_tokens: 40, cache_write_tokens: 1 }) }],
    ['no_rate', 'gpt-a', { usage: details({ audio_tokens: 40 }) }],
    ['no_tier', 'gpt-a', { usage, tier: 'priority' }],
    ['invalid_usage', 'gpt-a', { usage: details({ cached_tokens: 101 }) }],
    ['invalid_usage', 'gpt-a', { usage: { prompt_tokens: 2e9, completion_tokens: 1 } }],
  ])('%s of %s, replying %j', async (status, model, script) => {
    await using upstream = await startScriptedAccount()
    await using costs = await costStage({
      accounts: [{ ...account, baseUrl: `${upstream.url}/v1`, models: ['gpt-a', 'gpt-a-mini'] }],
      prices: { 'gpt-a': { rates, tiers: { flex: 0.5 } } },
    })
    for (const stream of [false, true])
      expect(await costs.stage.call(path, chatOf(model, script, { stream }))).toBe(200)
    expect(await costs.lookups(2)).toEqual({ [status]: 2 })
    expect(await costs.costs()).toEqual({})
  })
})

test.each([
  ['none', {}],
  ['a negative number', { usage: { ...usage, prompt_tokens: -5 } }],
  ['a number without end', { usage: { ...usage, prompt_tokens: 1e300 } }],
])('tokens that are not reported as such are estimated: %s', async (_, script) => {
  await using upstream = await startScriptedAccount()
  await using costs = await costStage({
    accounts: [{ ...account, baseUrl: `${upstream.url}/v1`, models: ['gpt-a'] }],
    prices: { 'gpt-a': { rates } },
  })
  for (const stream of [false, true])
    expect(await costs.stage.call(path, chatOf('gpt-a', script, { stream }))).toBe(200)
  expect(await costs.lookups(2)).toEqual({ estimated: 2 })
  const { 'openai gpt-a': cost } = await costs.costs()
  expect(cost).toBeGreaterThan(0)
})

test('pitfall 14: the tier that served a call is the one that costs, not the one that was asked for', async () => {
  await using upstream = await startScriptedAccount()
  await using costs = await costStage({
    accounts: [{ ...account, baseUrl: `${upstream.url}/v1`, models: ['gpt-a'] }],
    prices: { 'gpt-a': { rates, tiers: { flex: '0.5' } } },
  })
  const ask = (tier: string, asked: string, stream: boolean) =>
    costs.stage.call(path, chatOf('gpt-a', { usage, tier }, { service_tier: asked, stream }))
  for (const stream of [false, true]) {
    expect(await ask('flex', 'auto', stream)).toBe(200)
    expect(await ask('default', 'flex', stream)).toBe(200)
  }
  expect(await costs.lookups(4)).toEqual({ priced: 4 })
  expect(await costs.costs()).toEqual({ 'openai gpt-a': each * 3 })
})

test('a message costs by the hour that its cache is kept, also streamed', async () => {
  const counted = {
    input_tokens: 10,
    cache_read_input_tokens: 20,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    output_tokens: 1,
    service_tier: 'standard',
  }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-a' }
  await using upstream = await startFakeAccount((response, { body }) => {
    const { stream } = JSON.parse(body.toString()) as { stream?: boolean }
    const end = { stop_reason: 'end_turn', stop_sequence: null }
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const content = [{ type: 'text', text: 'x' }]
      return void response.end(JSON.stringify({ ...message, ...end, content, usage: counted }))
    }
    const event = (data: { type: string }) =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
    const start = { type: 'message_start', message: { ...message, content: [], usage: counted } }
    const delta = { type: 'message_delta', delta: end, usage: { output_tokens: 1 } }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(event(start) + event(delta) + event({ type: 'message_stop' }))
  })
  await using costs = await costStage({
    accounts: [
      { id: 'a', provider: 'anthropic', apiKey: 'k', baseUrl: upstream.url, models: ['claude-a'] },
    ],
    prices: {
      'claude-a': {
        rates: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 },
      },
    },
  })
  const body = { model: 'claude-a', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
  for (const stream of [false, true]) {
    expect(await costs.stage.call('/v1/messages', { ...body, stream }, ofMessages)).toBe(200)
    const translated = await costs.stage.call(path, { ...body, stream })
    expect(translated).toBe(200)
  }
  expect(await costs.lookups(4)).toEqual({ priced: 4 })
  const nano = (10 * 5 + 20 * 0.5 + 10 * 6.25 + 20 * 10 + 25) * 1_000
  expect(await costs.costs()).toEqual({ 'anthropic claude-a': (nano * 4) / 1e9 })
})

test('each attempt costs what its account reports, also if it fails; a refusal costs nothing', async () => {
  await using one = await startScriptedAccount('one')
  await using two = await startScriptedAccount('two')
  await using costs = await costStage({
    accounts: [
      { ...account, id: 'one', baseUrl: `${one.url}/v1`, models: ['gpt-a'] },
      { ...account, id: 'two', baseUrl: `${two.url}/v1`, models: ['gpt-a'], priority: 1 },
    ],
    prices: { 'gpt-a': { rates } },
  })
  const failing = chatOf('gpt-a', { usage, breaks: 'one' }, { stream: true })
  expect(await costs.stage.call(path, failing)).toBe(200)
  expect(two.requests).toHaveLength(1)
  expect(await costs.lookups(2)).toEqual({ priced: 2 })
  expect(await costs.stage.call(path, chatOf('gpt-a', { status: 400 }))).toBe(400)
  await costs.stage.sample(
    'dragoman_upstream_attempts_total{account="one",outcome="4xx",error_type="400"}',
  )
  expect(await costs.lookups(2)).toEqual({ priced: 2 })
  expect(await costs.costs()).toEqual({ 'openai gpt-a': each * 2 })
})

test('an account has prices of its own, or is free; a reload takes effect for the next calls', async () => {
  await using upstream = await startScriptedAccount()
  const at = { ...account, baseUrl: `${upstream.url}/v1` }
  const local = { ...at, id: 'local', provider: 'openai-compatible', models: ['llama'] }
  const config = (input: number) => ({
    keys: [{ id: 'test', secret: key }],
    accounts: [
      { ...at, models: ['gpt-a'], prices: { 'gpt-a': { rates: { ...rates, input } } } },
      { ...at, id: 'b', models: ['gpt-b'] },
      { ...local, prices: 'free' as const },
    ],
    prices: { 'gpt-a': { rates }, 'gpt-b': { rates: { ...rates, input } }, llama: { rates } },
  })
  await using costs = await costStage(config(1))
  const callEach = async () => {
    for (const model of ['gpt-a', 'gpt-b'])
      expect(await costs.stage.call(path, chatOf(model, { usage }))).toBe(200)
    expect(await costs.stage.call(path, chatOf('llama', {}))).toBe(200)
  }
  await callEach()
  expect(await costs.lookups(3)).toEqual({ priced: 2, free: 1 })
  const ofEach = (cost: number) => ({
    'openai gpt-a': cost,
    'openai gpt-b': cost,
    'openai-compatible llama': 0,
  })
  // The 60 tokens at 1 instead of 2, and then at 12.
  expect(await costs.costs()).toEqual(ofEach(0.000_16))

  costs.stage.running.configure(resolveSettings({ ...config(12), store: 'memory:' }, { env: {} }))
  await callEach()
  expect(await costs.lookups(6)).toEqual({ priced: 4, free: 2 })
  expect(await costs.costs()).toEqual(ofEach(0.000_98))
})

test('a reload of the prices of an account does not end its pause', async () => {
  await using upstream = await startFakeAccount((response) => {
    response.writeHead(429, { 'retry-after': '100' }).end('{"error":{"message":"x"}}')
  })
  const config = (input: number) => ({
    keys: [{ id: 'test', secret: key }],
    accounts: [
      {
        ...account,
        baseUrl: `${upstream.url}/v1`,
        models: ['gpt-a'],
        prices: { 'gpt-a': { rates: { ...rates, input } } },
      },
    ],
  })
  await using costs = await costStage(config(1))
  expect(await costs.stage.call(path, chatOf('gpt-a', {}))).toBe(429)
  costs.stage.running.configure(resolveSettings({ ...config(2), store: 'memory:' }, { env: {} }))
  expect(await costs.stage.call(path, chatOf('gpt-a', {}))).toBe(429)
  expect(upstream.requests).toHaveLength(1)
})

test.each([
  ['abort', 'estimated'],
  ['drain', 'priced'],
] as const)('with %s a stream that loses its client is %s', async (clientGone, status) => {
  const left = Promise.withResolvers<void>()
  await using upstream = await startFakeAccount(async (response) => {
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...more })}\n\n`
    const choice = { index: 0, delta: { content: 'x' }, finish_reason: null }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ choices: [choice] }))
    await left.promise
    response.write(chunk({ choices: [{ ...choice, delta: {}, finish_reason: 'stop' }] }))
    response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`)
  })
  await using costs = await costStage({
    accounts: [{ ...account, baseUrl: `${upstream.url}/v1`, models: ['gpt-a'] }],
    prices: { 'gpt-a': { rates } },
    clientGone,
  })
  const client = new AbortController()
  const reply = await fetch(costs.stage.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(chatOf('gpt-a', {}, { stream: true })),
    signal: client.signal,
  })
  await reply.body?.getReader().read()
  client.abort()
  if (clientGone === 'drain') left.resolve()
  expect(await costs.lookups(1)).toEqual({ [status]: 1 })
  left.resolve()
  expect(Object.keys(await costs.costs())).toHaveLength(1)
})

test.each([
  { how: 'as it is', query: '?alt=sse' },
  { how: 'with the name that the client asked for', query: '?alt=sse', replyModel: 'client' },
  { how: 'as an array', query: '' },
  { how: 'as an array with that name', query: '', replyModel: 'client' },
] as const)('what a stream has cost counts when its client leaves it: $how', async (way) => {
  await using upstream = await startFakeAccount((response) => {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'x' }] }, index: 0 }]
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 }
    const chunk = { candidates, usageMetadata, modelVersion: 'gemini-a', responseId: 'r' }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  })
  const { replyModel } = way as { replyModel?: 'client' }
  await using costs = await costStage({
    accounts: [
      {
        id: 'g',
        provider: 'gemini',
        baseUrl: upstream.url,
        apiKey: 'sk-canary',
        models: ['gemini-a'],
        ...(replyModel && { replyModel }),
      },
    ],
    prices: { 'gemini-a': { rates } },
  })
  const client = new AbortController()
  const reply = await fetch(
    `${costs.stage.url}/v1beta/models/gemini-a:streamGenerateContent${way.query}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
      signal: client.signal,
    },
  )
  await reply.body?.getReader().read()
  client.abort()
  expect(await costs.lookups(1)).toEqual({ priced: 1 })
})

test('a video costs its seconds once it is completed; polls and counts of tokens have no cost', async () => {
  await using sandbox = await startSandbox()
  await using costs = await costStage({
    accounts: [
      {
        id: 'films',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['sandbox*'],
      },
    ],
    prices: {
      sandbox: { rates: { input: 1, output: 1 }, units: { second: '0.10' } },
      'sandbox-fast': { units: { second: { '720p': '0.25' } } },
    },
    keys: [{ id: 'test', secret: key, team: 'red' }],
    teams: [{ id: 'red' }],
    telemetry: { metrics: { by: ['key', 'team'] } },
  })
  const { stage } = costs
  const order = async (model: string) => {
    const body = { model, prompt: 'A cat', seconds: '8', size: '1280x720' }
    const created = (await (await stage.ask('/v1/videos', body)).json()) as { id: string }
    return created.id
  }
  const statusOf = async (id: string) => {
    const job = (await (await stage.ask(`/v1/videos/${id}`)).json()) as { status: string }
    return job.status
  }
  const unpriced = await order('sandbox-video')
  const fast = await order('sandbox-fast')
  const own = await order('sandbox')
  expect(await costs.lookups(0)).toEqual({})
  for (const id of [unpriced, fast, own]) {
    await until(async () => (await statusOf(id)) === 'completed')
    // The end of a job counts once.
    await statusOf(id)
  }
  const asked = { model: 'sandbox', messages: [{ role: 'user', content: 'hi' }] }
  expect(await stage.call('/v1/messages/count_tokens', asked, ofMessages)).toBe(200)
  expect(await costs.lookups(3)).toEqual({ no_price: 1, priced: 2 })
  expect(await costs.costs()).toEqual({ 'sandbox sandbox*': 2.8 })
  for (const owner of ['by="key",id="test"', 'by="team",id="red"'])
    expect(await stage.sample(`dragoman_usage_cost_usd_total{${owner}}`)).toBe(2.8)
})

describe('the sum of costs', () => {
  const name = 'dragoman.cost'
  const definition = new Map([[name, requestMetrics.cost]])
  const filled = (calls: number, nano: number) => {
    const registry = createRegistry()
    const series = registry.family(requestMetrics.cost).series('openai', 'gpt-a')
    for (let call = 0; call < calls; call++) count(series, nano)
    return registry.snapshot()
  }

  test('of a million equal calls has no error, in one process and in several', async () => {
    const merged = mergeSnapshots(
      [filled(600_000, 100_000_001), filled(400_000, 100_000_001)],
      definition,
    )
    for (const [snapshot, sum] of [
      [filled(1_000_000, 300), '0.3'],
      [merged, '100000.001'],
    ] as const) {
      const text = await serialize(snapshot, definition.values(), 'openmetrics')
      expect(text).toContain('# TYPE dragoman_cost_usd counter\n# UNIT dragoman_cost_usd usd\n')
      expect(text).toContain(`openai",gen_ai_request_model="gpt-a"} ${sum}\n`)
    }
  })

  test('is in USD in OTLP as well', () => {
    const data = toMetricData(filled(3, 500_000_000), catalog, { since: 0, until: 1 })
    expect(data).toMatchObject([
      { descriptor: { name, unit: 'usd' }, isMonotonic: true, dataPoints: [{ value: 1.5 }] },
    ])
  })
})
