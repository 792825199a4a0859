import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { until } from '../../../src/testing/until.ts'
import { serverOf, tracedStage } from '../traces/stage.ts'
import { metricsStage } from './stage.ts'

const path = '/v1beta/models/sandbox/echo:generateContent'
const body = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }

test('the route of a request is the same pattern in metrics and in its trace, without the words that it takes', async () => {
  await using sandbox = await startSandbox()
  await using metrics = await metricsStage({
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['*'],
      },
    ],
  })
  await metrics.call(path, body)
  const sample = (route: string) =>
    `http_server_request_duration_seconds_count{http_request_method="POST",http_route="${route}",` +
    'http_response_status_code="200"}'
  const route = '/{version}/models/{model}:generateContent'
  expect(await metrics.sample(sample(route))).toBe(1)

  await using traces = await tracedStage()
  const reply = await traces.ask(path, body)
  await reply.text()
  const { attributes, name } = serverOf(await traces.traceOf(reply))
  expect(attributes['http.route']).toBe(route)
  expect(name).toBe(`POST ${route}`)
})

test('a request in flight is https where a trusted proxy says so, and nowhere else', async () => {
  await using sandbox = await startSandbox()
  await using stage = await metricsStage({
    trustedProxies: ['127.0.0.1'],
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['*'],
      },
    ],
  })
  const stream = {
    model: 'sandbox/words=1000+pace=100',
    stream: true,
    messages: [{ role: 'user', content: 'hi' }],
  }
  const ofProxy = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'llm.example.com' }
  const secure = await stage.ask('/v1/chat/completions', stream, ofProxy)
  const plain = await stage.ask('/v1/chat/completions', stream)
  const inFlight = (scheme: string) =>
    stage.sample(`http_server_active_requests{http_request_method="POST",url_scheme="${scheme}"}`)
  expect([await inFlight('https'), await inFlight('http')]).toEqual([1, 1])
  await Promise.all([secure.body?.cancel(), plain.body?.cancel()])
  await until(async () => (await inFlight('https')) === 0)
})
