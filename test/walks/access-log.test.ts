import { request } from 'node:http'

import { describe, expect, test } from 'vitest'

import { answerJson, answerStream } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { dialectNames } from '../requests/dialects.ts'
import { accountsAt, startService, upstreamSecret } from '../requests/service.ts'

const usage = {
  prompt_tokens: 7,
  completion_tokens: 3,
  prompt_tokens_details: { cached_tokens: 2 },
}
const completion = {
  id: 'chatcmpl-9',
  model: 'm-2026',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } }],
  usage,
}

describe('a line of the access log', () => {
  test('tells what an operator asks about', async () => {
    const keys = [{ id: 'team-a', secret: 'test-secret' }]
    await using service = await startService({ keys }, answerJson(completion))
    const headers = { 'user-agent': 'shop/1.0' }
    const response = await service.ask('chat', {}, { headers })
    const [line] = await service.gateway.logged(1)
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      level: 'info',
      msg: 'exchange',
      request_id: response.headers.get('x-request-id'),
      method: 'POST',
      route: 'chat.create',
      route_rule: 'priority and weight',
      path: '/v1/chat/completions',
      status: 200,
      dialect: 'chat',
      key_id: 'team-a',
      model_requested: 'm',
      model_resolved: 'm',
      account: 'openai',
      provider: 'openai',
      attempts: 1,
      attempted: [{ account: 'openai', status: 200, ms: expect.any(Number) as number }],
      stream: false,
      stream_end: 'complete',
      duration_ms: expect.any(Number) as number,
      ttft_ms: expect.any(Number) as number,
      upstream_ms: expect.any(Number) as number,
      overhead_ms: expect.any(Number) as number,
      input_tokens: 7,
      output_tokens: 3,
      cached_tokens: 2,
      bytes_in: service.received().body.length,
      bytes_out: JSON.stringify(completion).length,
      client_ip: '127.0.0.1',
      user_agent: 'shop/1.0',
      response_id: 'chatcmpl-9',
    })
  })

  test('names the alias and the model, and the response before', async () => {
    await using service = await startService()
    const accounts = accountsAt(service.upstream.url, ['big'])
    service.gateway.reload({ accounts, aliases: { quick: 'big' } })
    const { id } = (await (await service.ask('responses', { model: 'big' })).json()) as {
      id: string
    }
    await service.ask('responses', { model: 'quick', previous_response_id: id })
    const [, line] = await service.gateway.logged(2)
    expect(line).toMatchObject({
      model_requested: 'quick',
      model_resolved: 'big',
      prev_response_id: id,
      response_id: expect.stringMatching(/^resp_/) as string,
      route_rule: 'bindings',
    })
  })

  test('counts the accounts that were asked', async () => {
    await using service = await startService({}, (response, account) => {
      const status = account.headers.authorization === 'Bearer b' ? 200 : 503
      return answerJson(completion, { status })(response, account)
    })
    const account = { provider: 'openai', baseUrl: `${service.upstream.url}/v1`, models: ['m'] }
    const accounts = ['a', 'b'].map((id, priority) => ({ ...account, id, apiKey: id, priority }))
    service.gateway.reload({ accounts })
    await service.ask('chat')
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({
      attempts: 2,
      attempted: [
        { account: 'a', status: 503, error: expect.any(String) as string },
        { account: 'b', status: 200 },
      ],
      account: 'b',
      status: 200,
      level: 'info',
    })
    expect(line?.['attempted']).toHaveProperty('0.ms', expect.any(Number))
    const attempted = line?.['attempted'] as { ms: number }[]
    const upstream = attempted.reduce((sum, { ms }) => sum + ms, 0)
    expect(line?.['upstream_ms']).toBeCloseTo(upstream, 1)
    expect(line).not.toHaveProperty('error_type')
  })

  test('is there for what found no place, no key and no JSON', async () => {
    await using service = await startService()
    await fetch(`${service.gateway.url}/nowhere?key=canary`)
    await fetch(`${service.gateway.url}/v1/models`, { headers: { 'x-api-key': 'canary' } })
    await service.post('chat', 'canary')
    const lines = await service.gateway.logged(3)
    expect(lines[0]).toMatchObject({ status: 404, path: '/nowhere', error_type: 'not_found' })
    expect(lines[0]).not.toHaveProperty('route')
    expect(lines[1]).toMatchObject({ status: 401, error_type: 'unauthenticated' })
    expect(lines[1]).toMatchObject({ route: 'models.list', level: 'info' })
    expect(lines[2]).toMatchObject({ status: 400, error_type: 'invalid_json', key_id: 'test' })
    expect(JSON.stringify(lines)).not.toContain('canary')
  })

  test('says when it was the gateway’s or an upstream’s fault', async () => {
    await using service = await startService({}, answerJson('no json'))
    await service.ask('messages')
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({
      status: 502,
      level: 'error',
      error_type: 'upstream_invalid_reply',
    })
  })
})

const delta = '{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}'
const last = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
const ended = JSON.stringify({ choices: [], usage })

describe('a stream', () => {
  test('is logged after its last byte, with its usage', async () => {
    const frames = [delta, last, ended, '[DONE]'].map((data) => `data: ${data}\n\n`)
    await using service = await startService({}, answerStream(frames))
    const body = await (await service.ask('chat', { stream: true })).text()
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({ stream: true, stream_end: 'complete', status: 200 })
    expect(line).toMatchObject({ input_tokens: 7, output_tokens: 3, bytes_out: body.length })
  })

  test('is not logged before it has ended', async () => {
    let finish = () => {}
    await using service = await startService({}, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${delta}\n\n`)
      finish = () => response.end(`data: ${last}\n\ndata: [DONE]\n\n`)
    })
    const response = await service.ask('chat', { stream: true })
    const other = await fetch(`${service.gateway.url}/livez`)
    expect(other.status).toBe(200)
    const before = await service.gateway.logged(1)
    expect(before.map(({ route }) => route)).toEqual(['health.live'])
    finish()
    await response.text()
    expect((await service.gateway.logged(2)).at(-1)).toMatchObject({ route: 'chat.create' })
  })

  test('that its client leaves is logged as left', async () => {
    await using service = await startService({}, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${delta}\n\n`)
    })
    const leaving = new AbortController()
    const response = await fetch(`${service.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.gateway.key}` },
      body: '{"model":"m","messages":[{"role":"user","content":"hi"}],"stream":true}',
      signal: leaving.signal,
    })
    expect(response.status).toBe(200)
    leaving.abort()
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({ stream: true, stream_end: 'client_gone', status: 200 })
    await until(() => service.received().aborted)
  })

  test('that breaks is logged as broken', async () => {
    await using service = await startService({}, answerStream([`data: ${delta}\n\n`]))
    await (await service.ask('chat', { stream: true })).text()
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({
      stream_end: 'broken',
      level: 'error',
      error_type: 'upstream_stream_broken',
    })
  })
})

test('a client that leaves before its answer is logged with 499', async () => {
  await using service = await startService({}, () => {})
  const { url, key } = service.gateway
  const headers = { authorization: `Bearer ${key}` }
  const sending = request(`${url}/v1/chat/completions`, { method: 'POST', headers })
  sending.on('error', () => {})
  sending.end('{"model":"m","messages":[{"role":"user","content":"hi"}]}')
  await until(() => service.upstream.requests.length === 1)
  sending.destroy()
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ status: 499, stream_end: 'client_gone', level: 'info' })
})

test('no secret and nothing of a body is in any log', async () => {
  const told = { error: { message: 'told-canary' } }
  await using service = await startService({}, answerJson(told, { status: 503 }))
  const canary = 'client-canary'
  const headers = { cookie: canary, 'x-secret': canary, baggage: canary, referer: canary }
  for (const dialect of dialectNames) {
    await service.ask(dialect, { metadata: { canary }, user: canary }, { headers })
    await service.post(dialect, `{"${canary}"`, { headers })
  }
  const path = `/v1beta/models/m:generateContent?key=${service.gateway.key}&x=${canary}`
  await service.ask('generate', {}, { path })
  const lines = await service.gateway.logged(2 * dialectNames.length + 1)
  const logs = JSON.stringify([lines, service.gateway.log])
  for (const secret of [canary, 'told-canary', service.gateway.key, upstreamSecret]) {
    expect(logs).not.toContain(secret)
  }
})
