import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { catalog } from '../../../src/telemetry/metrics/catalog.ts'
import { sampleName } from '../../../src/telemetry/metrics/definition.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { key, metricsStage } from './stage.ts'

const chat = { model: 'gpt-a', messages: [{ role: 'user', content: 'hi' }] }
const streamed = { ...chat, stream: true, stream_options: { include_usage: true } }

/** An account that answers as the model's name says. */
function startAccount() {
  return startFakeAccount((response, { body }) => {
    const { model, stream } = JSON.parse(body.toString() || '{}') as Record<string, unknown>
    if (model === 'broken') return void response.writeHead(500).end('{"error":{"message":"x"}}')
    if (model === 'poor') {
      const error = { message: 'x', code: 'insufficient_quota' }
      return void response.writeHead(429).end(JSON.stringify({ error }))
    }
    if (model === 'limited') {
      const error = { message: 'Rate limit reached for the model', type: 'requests' }
      const headers = { 'retry-after': '60' }
      return void response.writeHead(429, headers).end(JSON.stringify({ error }))
    }
    if (model === 'reset') return void response.socket?.resetAndDestroy()
    const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }
    const head = { id: 'chatcmpl-1', created: 1, model: 'gpt-a-2026-01-02' }
    if (stream !== true) {
      const message = { role: 'assistant', content: 'hello' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(
        JSON.stringify({ ...head, object: 'chat.completion', choices, usage }),
      )
    }
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...more })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(
      chunk({ choices: [{ index: 0, delta: { content: 'hel' }, finish_reason: null }] }),
    )
    if (model === 'endless') return
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    response.write(chunk({ choices: [], usage }))
    response.end('data: [DONE]\n\n')
  })
}

const account = { provider: 'openai', apiKey: 'sk-canary', speaks: ['chat'] }

test('every call leaves its numbers, under labels of the configuration', async () => {
  await using upstream = await startAccount()
  await using sandbox = await startSandbox()
  await using stage = await metricsStage({
    telemetry: { metrics: { by: ['key'] } },
    accounts: [
      {
        ...account,
        id: 'one',
        baseUrl: `${upstream.url}/v1`,
        models: {
          'gpt-a': 'gpt-a',
          lost: 'reset',
          broken: 'broken',
          poor: 'poor',
          limited: 'limited',
        },
      },
      {
        ...account,
        id: 'two',
        baseUrl: `${upstream.url}/v1`,
        models: { lost: 'gpt-a', endless: 'endless' },
        priority: 1,
        maxConcurrent: 10,
      },
      {
        id: 'films',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['sandbox*'],
        speaks: ['videos', 'responses', 'audio'],
      },
      { ...account, id: 'off', baseUrl: `${upstream.url}/v1`, models: ['gpt-a'], enabled: false },
    ],
    aliases: {
      nice: 'gpt-a',
      spared: { model: 'limited', fallbacks: [{ on: ['rate_limited'], model: 'gpt-a' }] },
    },
    prices: { 'gpt-a': { rates: { input: '2', output: '8' } } },
    keys: [
      { id: 'test', secret: key },
      { id: 'old', secret: 'old-secret', expiresAt: '2020-01-01T00:00:00Z' },
      { id: 'off', secret: 'off-secret', disabled: true },
      { id: 'narrow', secret: 'narrow-secret', models: ['gpt-b'] },
    ],
  })
  const path = '/v1/chat/completions'

  // JSON, by an alias: the label is the platform model.
  expect(await stage.call(path, { ...chat, model: 'nice' })).toBe(200)
  const ofA =
    'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="gpt-a"'
  const client = `${ofA},gen_ai_response_model="gpt-a"`
  expect(await stage.sample(`gen_ai_client_operation_duration_seconds_count{${client}}`)).toBe(1)
  const tokens = `gen_ai_client_token_usage`
  const kind = (type: string) => `{${client},gen_ai_token_type="${type}"}`
  expect(await stage.sample(`${tokens}_sum${kind('input')}`)).toBe(3)
  expect(await stage.sample(`${tokens}_sum${kind('output')}`)).toBe(5)
  const route = (status: string, more = '') =>
    `{http_request_method="POST",http_route="${path}",http_response_status_code="${status}"${more}}`
  expect(await stage.sample(`http_server_request_duration_seconds_count${route('200')}`)).toBe(1)
  expect(
    await stage.sample(`dragoman_overhead_duration_seconds_count{dialect="chat",stream="false"}`),
  ).toBe(1)

  // A stream.
  expect(await stage.call(path, streamed)).toBe(200)
  const server = `{${ofA},dialect="chat"}`
  for (const name of ['time_to_first_token', 'time_per_output_token'])
    expect(await stage.sample(`gen_ai_server_${name}_seconds_count${server}`)).toBe(1)
  expect(await stage.sample(`gen_ai_server_request_duration_seconds_count${server}`)).toBe(2)
  const ended = (reason: string) =>
    `dragoman_streams_ended_total{dialect="chat",reason="${reason}"}`
  expect(await stage.sample(ended('completed'))).toBe(1)

  // A stream in flight, which its client leaves.
  const open = await stage.ask(path, { ...streamed, model: 'endless' })
  await open.body?.getReader().read()
  expect(await stage.sample('dragoman_streams_active{dialect="chat"}')).toBe(1)
  expect(
    await stage.sample('http_server_active_requests{http_request_method="POST",url_scheme="http"}'),
  ).toBe(1)
  expect(await stage.sample('dragoman_account_inflight{account="two",pool="endless"}')).toBe(1)
  expect(await stage.sample('dragoman_account_inflight{account="two",pool="lost"}')).toBe(0)
  stage.running.gateway.interrupt()
  expect(await stage.sample(ended('drained'))).toBe(1)
  await until(async () => (await stage.sample('dragoman_streams_active{dialect="chat"}')) === 0)

  // Failures: of the account, and of one whose call goes on at another.
  const attempts = (id: string, outcome: string, type?: string) =>
    `dragoman_upstream_attempts_total{account="${id}",outcome="${outcome}"` +
    `${type === undefined ? '' : `,error_type="${type}"`}}`
  expect(await stage.call(path, { ...chat, model: 'broken' })).toBe(500)
  expect(await stage.sample(attempts('one', '5xx', '500'))).toBe(1)
  expect(
    await stage.sample(
      `http_server_request_duration_seconds_count${route('500', ',error_type="500"')}`,
    ),
  ).toBe(1)
  expect(await stage.call(path, { ...chat, model: 'lost' })).toBe(200)
  expect(await stage.sample(attempts('one', 'error', 'connection_reset'))).toBe(1)
  expect(
    await stage.sample('dragoman_failovers_total{pool="lost",reason="connection_reset"}'),
  ).toBe(1)
  expect(await stage.call(path, { ...chat, model: 'poor' })).toBeGreaterThan(400)
  expect(await stage.sample(attempts('one', '4xx', 'insufficient_quota'))).toBe(1)
  expect(await stage.call(path, { ...chat, model: 'limited' })).toBe(429)
  expect(await stage.call(path, { ...chat, model: 'spared' })).toBe(200)
  expect(await stage.sample('dragoman_fallbacks_total{pool="limited",reason="rate_limited"}')).toBe(
    1,
  )
  const paused = 'dragoman_account_models_excluded{account="one",reason="cooling"}'
  expect(await stage.sample(paused)).toBe(1)
  const available = (id: string, pool: string) =>
    stage.sample(`dragoman_account_available{account="${id}",pool="${pool}"}`)
  expect(await available('one', 'limited')).toBe(0)
  expect(await available('one', 'gpt-a')).toBe(1)
  expect(await available('films', 'sandbox*')).toBe(1)
  expect(await available('off', 'gpt-a')).toBe(0)
  expect(await stage.sample('dragoman_account_excluded{account="off",reason="disabled"}')).toBe(1)
  expect(await stage.sample('dragoman_model_available{gen_ai_request_model="limited"}')).toBe(0)
  expect(await stage.sample('dragoman_model_available{gen_ai_request_model="sandbox*"}')).toBe(1)
  for (let more = 0; more < 10; more++) await stage.call(path, { ...chat, model: 'broken' })
  await until(
    async () => (await stage.sample('dragoman_account_circuit_state{account="one"}')) === 2,
  )
  expect(await stage.call(path, { ...chat, model: 'broken' })).toBe(503)
  const open503 = route('503', ',error_type="circuit_open"')
  expect(
    await stage.sample(`http_server_request_duration_seconds_count${open503}`),
  ).toBeGreaterThan(0)

  // Refusals.
  expect(await stage.call(path, chat, { authorization: 'Bearer wrong' })).toBe(401)
  expect(await stage.call(path, chat, { authorization: '' })).toBe(401)
  expect(await stage.call(path, chat, { authorization: 'Bearer old-secret' })).toBe(401)
  expect(await stage.call(path, chat, { authorization: 'Bearer off-secret' })).toBe(401)
  expect(await stage.call(path, chat, { authorization: 'Bearer narrow-secret' })).toBe(404)
  const refused = (reason: string) => `dragoman_auth_failures_total{reason="${reason}"}`
  await until(async () => (await stage.sample(refused('missing'))) === 1)
  await until(async () => (await stage.sample(refused('scope'))) === 1)
  for (const reason of ['invalid', 'expired', 'disabled']) {
    expect(await stage.sample(refused(reason))).toBe(1)
  }

  // A chain, and one that does not exist.
  const first = await stage.ask('/v1/responses', { model: 'sandbox/words=2', input: 'hi' })
  const { id } = (await first.json()) as { id: string }
  const next = { model: 'sandbox/words=2', input: 'more', previous_response_id: id }
  expect(await stage.call('/v1/responses', next)).toBe(200)
  expect(await stage.call('/v1/responses', { ...next, previous_response_id: 'resp_0' })).toBe(400)
  const found = (result: string) => `dragoman_binding_lookups_total{result="${result}"}`
  await until(async () => (await stage.sample(found('not_found'))) === 1)
  expect(await stage.sample(found('hit'))).toBe(1)
  expect(await stage.call(`/v1/responses/${id}`)).toBe(200)
  const fetched =
    'gen_ai_operation_name="fetch_response",gen_ai_provider_name="sandbox",dialect="responses"'
  expect(await stage.sample(`gen_ai_server_request_duration_seconds_count{${fetched}}`)).toBe(1)

  // A job.
  expect(await stage.call('/v1/videos', { model: 'sandbox/polls=9', prompt: 'a cat' })).toBe(200)
  const film =
    'gen_ai_operation_name="video_generation",gen_ai_provider_name="sandbox",gen_ai_request_model="sandbox*"'
  expect(
    await stage.sample(`gen_ai_server_request_duration_seconds_count{${film},dialect="videos"}`),
  ).toBe(1)

  // Characters, in place of tokens.
  const speech = { model: 'sandbox/words=2', input: 'hello', voice: 'alloy' }
  expect(await stage.call('/v1/audio/speech', speech)).toBe(200)
  const spoken = 'gen_ai_provider_name="sandbox",gen_ai_request_model="sandbox*",unit="character"'
  await until(async () => (await stage.sample(`dragoman_units_total{${spoken}}`)) === 5)

  stage.metrics.noteReload(false)
  expect(await stage.sample('dragoman_config_reloads_total{result="failure"}')).toBe(1)
  expect(await stage.sample('dragoman_config_last_reload_successful')).toBe(0)

  // Every metric of the catalogue is there, and no other; a usual scrape is short, without a secret.
  const { text, status } = await stage.scrape()
  expect(status).toBe(200)
  const named = Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => String(name))
  const wanted = catalog.map(sampleName)
  expect(named.toSorted()).toEqual(wanted.toSorted())
  expect(text.split('\n').length).toBeLessThan(2_000)
  expect(text).not.toMatch(/canary|secret-of-a-key|dga_|resp_/)
})

test('jobs are counted by their state', async () => {
  await using sandbox = await startSandbox()
  await using stage = await metricsStage({
    accounts: [
      {
        id: 'films',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['*'],
        speaks: ['videos'],
      },
    ],
  })
  for (let made = 0; made < 3; made++)
    expect(await stage.call('/v1/videos', { model: 'sandbox/polls=9', prompt: 'x' })).toBe(200)
  expect(await stage.sample('dragoman_jobs{kind="video",state="queued"}')).toBe(3)
})

test('an account at its limit is busy, and neither it nor its models are without calls', async () => {
  await using upstream = await startAccount()
  await using stage = await metricsStage({
    accounts: [
      {
        ...account,
        id: 'small',
        baseUrl: `${upstream.url}/v1`,
        models: { endless: 'endless' },
        maxConcurrent: 1,
      },
    ],
  })
  const leaving = new AbortController()
  const stream = await fetch(`${stage.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...streamed, model: 'endless' }),
    signal: leaving.signal,
  })
  expect(stream.status).toBe(200)
  expect(await stage.call('/v1/chat/completions', { ...chat, model: 'endless' })).toBe(429)

  expect(await stage.sample('dragoman_account_excluded{account="small",reason="busy"}')).toBe(1)
  expect(await stage.sample('dragoman_account_inflight{account="small",pool="endless"}')).toBe(1)
  expect(await stage.sample('dragoman_account_max_concurrent{account="small"}')).toBe(1)
  expect(await stage.sample('dragoman_account_available{account="small",pool="endless"}')).toBe(1)
  expect(await stage.sample('dragoman_model_available{gen_ai_request_model="endless"}')).toBe(1)
  leaving.abort()
  await until(async () => !(await stage.scrape()).text.includes('reason="busy"'))
})

test('polls and downloads of a job are calls of its model, and no streams of tokens', async () => {
  await using sandbox = await startSandbox()
  const model = 'sandbox/polls=0'
  await using stage = await metricsStage({
    accounts: [
      {
        id: 'films',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: [model],
        speaks: ['videos'],
      },
    ],
  })
  const made = await stage.ask('/v1/videos', { model, prompt: 'x' })
  const { id } = (await made.json()) as { id: string }
  // The second poll is answered from the record.
  for (const part of ['', '', '/content'])
    expect(await stage.call(`/v1/videos/${id}${part}`)).toBe(200)
  const fetched = `gen_ai_operation_name="fetch_response",gen_ai_provider_name="sandbox",gen_ai_request_model="${model}",dialect="videos"`
  const served = `gen_ai_server_request_duration_seconds_count{${fetched}}`
  await until(async () => (await stage.sample(served)) === 3)
  const { text } = await stage.scrape()
  expect(text).not.toMatch(/^(?:gen_ai_server_time_to_first|dragoman_streams_ended)/m)
  expect(text).not.toContain('stream="true"')
})
