import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'

import type { Outbound } from '../../../src/contract/outbound.ts'
import type { Ended, Routed } from '../../../src/contract/exchange.ts'
import { enterReceived, enterRouted } from '../../../src/exchange/record.ts'
import { SampledTrace } from '../../../src/telemetry/traces/exchange-trace.ts'
import { SpanMaker } from '../../../src/telemetry/traces/maker.ts'

const outbound: Outbound = {
  method: 'POST',
  origin: 'http://127.0.0.1:9',
  path: '/v1/x?key=canary',
  headers: {},
  body: null,
}

const summary = { status: 200, end: 'complete', durationMs: 5 } as const

function traced() {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const tracer = provider.getTracer('test')
  const request = { method: 'POST', path: '/', query: '', headers: {}, remoteAddress: '' }
  const received = enterReceived('req_1', request as never, {} as never, {} as never)
  const nothing = { store: undefined, content: undefined }
  const traced = new SampledTrace(new SpanMaker(tracer), tracer.startSpan('POST'), nothing)
  const attempt = (number: number, credential = '') => {
    const account = { id: 'a', origin: outbound.origin, credential }
    const candidate = { account, dialect: { id: 'chat' } } as unknown as Routed['candidate']
    return enterRouted(received as never, candidate, number)
  }
  return { exporter, trace: traced, attempt, exchange: received as Ended }
}

test('every span ends with its exchange, also of an attempt that goes on, and only once', () => {
  const { exporter, trace, attempt, exchange } = traced()
  const first = attempt(1)
  trace.sending(first, outbound)
  // A plugin sends the request again, and another attempt never ends.
  trace.sending(first, outbound)
  trace.sending(attempt(2), outbound)
  trace.end(exchange, summary)
  trace.end(exchange, summary)
  trace.settled(first.attempt, { status: 'completed', fault: 'none' })
  const names = exporter.getFinishedSpans().map(({ name }) => name)
  expect(names).toEqual(['POST', 'POST', 'POST', 'POST'])
})

test('an attempt that goes on ends when its exchange does', () => {
  const { exporter, trace, attempt, exchange } = traced()
  trace.sending(attempt(1), outbound)
  trace.end(exchange, summary)
  const [sent] = exporter.getFinishedSpans()
  expect(sent?.attributes['dragoman.attempt.outcome']).toBe('cancelled')
  expect(sent?.endTime).not.toEqual(sent?.startTime)
})

test('an attempt hides the secret of its own account, also after one at another account', () => {
  const { exporter, trace, attempt, exchange } = traced()
  trace.sending(attempt(1, 'canary-a'), { ...outbound, path: '/canary-a/v1' })
  trace.sending(attempt(2, 'canary-b'), { ...outbound, path: '/canary-b/v1' })
  trace.end(exchange, summary)
  const urls = exporter.getFinishedSpans().map(({ attributes }) => attributes['url.full'])
  const hidden = `${outbound.origin}/[secret]/v1`
  expect(urls).toEqual([hidden, hidden, undefined])
})

test('what comes after the end of an exchange changes nothing, and throws nothing', () => {
  const { exporter, trace, exchange } = traced()
  trace.end(exchange, summary)
  trace.linkTo('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'job')
  trace.answered({}, 200, {})
  trace.reached('routed')
  trace.recording(Promise.resolve())
  expect(exporter.getFinishedSpans()).toHaveLength(1)
  expect(exporter.getFinishedSpans()[0]?.links).toEqual([])
})
