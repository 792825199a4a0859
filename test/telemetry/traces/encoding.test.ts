import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { ROOT_CONTEXT } from '@opentelemetry/api'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { emptyResource } from '@opentelemetry/resources'
import {
  InMemorySpanExporter,
  SamplingDecision,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'

import { AttributeEncoder } from '../../../src/telemetry/traces/sdk/attribute-encoder.ts'
import { samplingFromEnv } from '../../../src/telemetry/traces/sdk/environment.ts'
import { ProtobufWriter } from '../../../src/telemetry/traces/sdk/protobuf-writer.ts'
import { RecordedSpan } from '../../../src/telemetry/traces/sdk/recorded-span.ts'
import { encodeSpan, serializeSpans } from '../../../src/telemetry/traces/sdk/span-encoder.ts'
import { completeLimits } from '../../../src/telemetry/traces/sdk/span-limits.ts'
import { createTracer } from '../../../src/telemetry/traces/sdk/tracer.ts'
import { spansIn } from './spans.ts'

test('a collector reads from the gateway what it reads from the SDK', () => {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  const tracer = provider.getTracer('dragoman', '1')
  const context = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 }
  for (const text of ['plain', 'größer 🦀', 'x'.repeat(300), '']) {
    const span = tracer.startSpan(`span ${text}`, {
      kind: 2,
      attributes: {
        text,
        whole: 300,
        zero: 0,
        minus: -5,
        half: 0.5,
        huge: 2 ** 52,
        unsafe: 2 ** 53,
        unsafeMinus: -(2 ** 53) - 2,
        largest: 2 ** 63 - 1024,
        least: -(2 ** 63),
        beyond: 2 ** 63,
        minusZero: -0,
        infinite: -Infinity,
        numbers: [-1, 2 ** 60, 1.5],
        yes: true,
        no: false,
        list: ['a', text],
        empty: [],
      },
      links: [{ context: { ...context, isRemote: true }, attributes: { why: text } }],
    })
    span.addEvent('event', { text, count: 128 })
    span.setStatus({ code: 2, message: text })
    span.end()
  }
  const spans = exporter.getFinishedSpans()
  const own = serializeSpans(spans)
  const theirs = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? [])
  expect(spansIn(own ?? Buffer.alloc(0))).toHaveLength(4)
  expect(spansIn(own ?? Buffer.alloc(0))).toEqual(spansIn(theirs))
})

test('a collector learns how much of a span the limits have left out, as it does from the SDK', () => {
  const ended: RecordedSpan[] = []
  const context = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 }
  const common = {
    resource: emptyResource(),
    instrumentationScope: { name: 'dragoman' },
    limits: completeLimits({
      attributeCountLimit: 2,
      eventCountLimit: 2,
      linkCountLimit: 2,
      attributePerEventCountLimit: 1,
      attributePerLinkCountLimit: 1,
    }),
    onEnd: (span: RecordedSpan) => ended.push(span),
  }
  const attributes = { a: 1, b: 2, c: 3 }
  const span = new RecordedSpan(common, 'span', { attributes }, { context, parent: undefined })
  for (const name of ['first', 'second', 'third']) {
    span.addEvent(name, { ...attributes }).addLink({ context, attributes: { ...attributes } })
  }
  span.end()
  const own = spansIn(serializeSpans(ended) ?? Buffer.alloc(0))
  const theirs = Buffer.from(ProtobufTraceSerializer.serializeRequest(ended) ?? [])
  expect(own).toEqual(spansIn(theirs))
  const two = { dropped: 2 }
  expect(own).toMatchObject([
    { dropped: 1, droppedEvents: 1, events: [two, two], droppedLinks: 1, links: [two, two] },
  ])
})

test('values that are remembered take no more memory than their bytes, and those seen once none', () => {
  const encoder = new AttributeEncoder()
  const writer = new ProtobufWriter(64 * 1024)
  const write = (name: string, value: string) => {
    writer.clear()
    encoder.write(writer, 1, { [name]: value })
  }
  const before = heldBytes()
  for (let count = 0; count < 900; count++) {
    // Other work takes the rest of the pool, from which small buffers are cut.
    for (let times = 0; times < 3; times++) Buffer.from('x'.repeat(30_000))
    write(`name.${count}`, `value.${count}`)
    write(`name.${count}`, `value.${count}`)
  }
  expect(heldBytes() - before).toBeLessThan(8_000_000)
  const names = heldBytes()
  for (let count = 0; count < 50_000; count++) write(`name.${count % 900}`, `id.${count}`)
  expect(heldBytes() - names).toBeLessThan(8_000_000)
  write('name.1', 'value.1')
  expect(writer.bytes.toString('latin1')).toContain('value.1')
})

/** Collects garbage, so that what remains is held. Returns the bytes of the heap and of buffers. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test.each([0, 0.1, 0.5, 1])('a new trace is sampled as the SDK decides by its id (%d)', (ratio) => {
  const { sampler, rootRatio } = samplingFromEnv(ratio)
  const noSpans = { resource: emptyResource(), instrumentationScope: { name: '' }, onEnd: () => {} }
  const tracer = createTracer({ ...noSpans, limits: completeLimits({}), sampler, rootRatio })
  let sampled = 0
  for (let count = 0; count < 2_000; count++) {
    const begun = tracer.begin('POST', () => ({}), ROOT_CONTEXT)
    const { traceId, traceFlags } = 'spanContext' in begun ? begun.spanContext() : begun
    const { decision } = sampler.shouldSample(ROOT_CONTEXT, traceId, 'POST', 1, {}, [])
    expect(traceFlags).toBe(decision === SamplingDecision.RECORD_AND_SAMPLED ? 1 : 0)
    sampled += traceFlags
  }
  expect(sampled / 2_000).toBeGreaterThanOrEqual(ratio * 0.8)
  expect(sampled / 2_000).toBeLessThanOrEqual(ratio * 1.2)
})

test('a span is encoded as it stands, and no name twice', () => {
  const ended: RecordedSpan[] = []
  const context = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 }
  for (const text of ['', 'model', 'größer 🦀', 'x'.repeat(60), 'é'.repeat(64), 'y'.repeat(300)]) {
    // The second has bytes that the first left.
    for (const part of ['first', 'second']) {
      const common = {
        resource: emptyResource(),
        instrumentationScope: { name: 'dragoman' },
        limits: completeLimits({}),
        onEnd: (span: RecordedSpan) => ended.push(span),
      }
      const attributes = { part, text, long: `${text}${'z'.repeat(100)}`, whole: 300 }
      const options = { attributes, startTime: 1_700_000_000_000.25 }
      const span = new RecordedSpan(common, 'span', options, { context, parent: undefined })
      span.setAttributes({ later: text, absent: undefined }).setAttribute('last', true)
      span.end(1_700_000_000_001.5)
    }
  }
  const theirs = Buffer.from(ProtobufTraceSerializer.serializeRequest(ended) ?? [])
  for (const span of ended) span.keepEncoded(encodeSpan(span))
  const own = spansIn(serializeSpans(ended) ?? Buffer.alloc(0))
  expect(own).toHaveLength(12)
  expect(own).toEqual(spansIn(theirs))
})
