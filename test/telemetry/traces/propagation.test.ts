import { expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { serverOf, tracedStage } from './stage.ts'

const clientTrace = '0af7651916cd43dd8448eb211c80319c'
const clientSpan = 'b7ad6b7169203331'
const incoming = {
  traceparent: `00-${clientTrace}-${clientSpan}-01`,
  tracestate: 'vendor=secret-state',
  baggage: 'user=secret-baggage',
}
const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }
const path = '/v1/chat/completions'

test('a stranger’s trace is linked, and neither continued nor sampled at its wish', async () => {
  await using stage = await tracedStage({ traces: { sample: 1 } })
  const reply = await stage.ask(path, body, incoming)
  await reply.text()
  const server = serverOf(await stage.traceOf(reply))
  expect(server.traceId).not.toBe(clientTrace)
  expect(server.parentId).toBe('')
  expect(server.links).toMatchObject([{ traceId: clientTrace, spanId: clientSpan }])
  expect(stage.collector.bytes.includes('secret-')).toBe(false)
})

test('a trace that comes through a trusted proxy goes on, and names the client behind it', async () => {
  await using stage = await tracedStage({ trustedProxies: ['loopback'], traces: { sample: 0 } })
  const reply = await stage.ask(path, body, { ...incoming, 'x-forwarded-for': '203.0.113.7' })
  await reply.text()
  const server = serverOf(await stage.traceOf(reply))
  expect([server.traceId, server.parentId]).toEqual([clientTrace, clientSpan])
  expect(server.attributes).toMatchObject({ 'client.address': '203.0.113.7' })
})

test('a span names the address that the client asked for, if a trusted proxy says so', async () => {
  const forwarded = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'llm.example.com:8443',
  }
  const { 'x-forwarded-host': _, ...withoutHost } = forwarded
  const askedFor = async (headers: Record<string, string>, trustedProxies: string[]) => {
    await using stage = await tracedStage({ trustedProxies })
    const reply = await stage.ask(path, body, headers)
    await reply.text()
    const { attributes } = serverOf(await stage.traceOf(reply))
    return ['url.scheme', 'server.address', 'server.port'].map((name) => attributes[name])
  }
  const named = ['https', 'llm.example.com', 8443]
  expect(await askedFor(forwarded, ['loopback'])).toEqual(named)
  const port = expect.any(Number) as number
  expect(await askedFor(withoutHost, ['loopback'])).toEqual(['https', '127.0.0.1', port])
  expect(await askedFor(forwarded, [])).toEqual(['http', '127.0.0.1', port])
})

test('with a sample of 0 no trace of a stranger is kept, and replies have its id all the same', async () => {
  await using stage = await tracedStage({ traces: { sample: 0 } })
  const reply = await stage.ask(path, body, incoming)
  await reply.text()
  expect(reply.headers.get('x-trace-id')).toMatch(/^[\da-f]{32}$/)
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({
    trace_id: reply.headers.get('x-trace-id'),
    span_id: expect.stringMatching(/^[\da-f]{16}$/),
  })
  await stage[Symbol.asyncDispose]()
  expect(stage.collector.requests).toHaveLength(0)
})

test('a trusted trace is continued, whatever the sample is', async () => {
  await using stage = await tracedStage({ traces: { incoming: 'trust', sample: 0 } })
  const reply = await stage.ask(path, body, incoming)
  const unsampled = { traceparent: incoming.traceparent.replace(/01$/, '00') }
  const other = await stage.ask(path, body, unsampled)
  await Promise.all([reply.text(), other.text()])
  expect(reply.headers.get('x-trace-id')).toBe(clientTrace)
  expect(other.headers.get('x-trace-id')).toBe(clientTrace)
  const { parentId, links } = serverOf(await stage.traceOf(reply))
  expect([parentId, links]).toEqual([clientSpan, []])
})

test.each([
  'nonsense',
  `00-${'0'.repeat(32)}-${clientSpan}-01`,
  `ff-${clientTrace}-${clientSpan}-01`,
  `00-${clientTrace}-${clientSpan}`,
  'x'.repeat(8_000),
])('a traceparent that is none begins a trace of its own', async (traceparent) => {
  await using stage = await tracedStage({ traces: { incoming: 'trust' } })
  const reply = await stage.ask(path, body, { traceparent })
  await reply.text()
  const { parentId, links } = serverOf(await stage.traceOf(reply))
  expect([reply.status, parentId, links]).toEqual([200, '', []])
})

test('with `ignore` a client’s trace leaves no mark', async () => {
  await using stage = await tracedStage({ traces: { incoming: 'ignore' } })
  const reply = await stage.ask(path, body, incoming)
  await reply.text()
  const { parentId, links } = serverOf(await stage.traceOf(reply))
  expect([parentId, links]).toEqual(['', []])
  expect(stage.collector.bytes.includes(Buffer.from(clientTrace, 'hex'))).toBe(false)
})

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
}

test('an account gets no trace and no baggage of a client, unless a plugin adds the trace', async () => {
  await using account = await startFakeAccount(answerJson(completion))
  const tracing = definePlugin({
    name: 'traces-to-own-servers',
    onAttempt({ exchange, outbound, next }) {
      const { traceparent = '' } = exchange.progress.trace ?? {}
      return next({ ...outbound, headers: { ...outbound.headers, traceparent } })
    },
  })
  const headersAt = async (plugins: GatewayPlugin[]) => {
    const forward = { headers: ['trace*', 'bag*', 'x-b3*'] }
    const baseUrl = `${account.url}/v1`
    await using stage = await tracedStage({
      // A wish to pass them on is refused by name, not by its beginning.
      accounts: [{ provider: 'openai', baseUrl, forward }],
      traces: { incoming: 'trust' },
      plugins,
    })
    const reply = await stage.ask(path, body, { ...incoming, 'x-b3-traceid': clientTrace })
    await reply.text()
    const headers: Readonly<Record<string, unknown>> = account.requests.at(-1)?.headers ?? {}
    const sent = Object.entries(headers).filter(([name]) => /trace|baggage|b3/.test(name))
    const server = serverOf(await stage.traceOf(reply))
    return { sent, own: `00-${server.traceId}-${server.spanId}-01` }
  }
  expect((await headersAt([])).sent).toEqual([])
  const { sent, own } = await headersAt([tracing])
  expect(sent).toEqual([['traceparent', own]])
})
