import { type Attributes, type Link, type SpanContext, SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

import { ProtobufWriter } from './protobuf-writer.ts'

/**
 * Writes spans as an `ExportTraceServiceRequest` of OTLP 1.x (opentelemetry/proto/trace/v1/trace.proto).
 * `undefined` for spans that it cannot write: of several resources, or with values of other types than the
 * gateway's own.
 */
export function serializeSpans(spans: readonly ReadableSpan[]): Buffer | undefined {
  const [first] = spans
  if (!first) return undefined
  const { resource, instrumentationScope: scope } = first
  const isOne = spans.every(
    (span) => span.resource === resource && span.instrumentationScope === scope,
  )
  if (!isOne || scope.schemaUrl || resource.schemaUrl) return undefined
  const writer = new ProtobufWriter()
  const resourceSpans = writer.begin(1)
  const common = writer.begin(1)
  if (!writeAttributes(writer, 1, resource.attributes)) return undefined
  writer.end(common)
  const scopeSpans = writer.begin(2)
  const name = writer.begin(1)
  writer.name(1, scope.name)
  if (scope.version) writer.name(2, scope.version)
  writer.end(name)
  for (const span of spans) if (!writeSpan(writer, span)) return undefined
  writer.end(scopeSpans)
  writer.end(resourceSpans)
  return writer.bytes
}

function writeSpan(writer: ProtobufWriter, span: ReadableSpan): boolean {
  const start = writer.begin(2)
  const context = span.spanContext()
  writeContext(writer, context)
  const { parentSpanContext: parent } = span
  if (parent) writer.hex(4, parent.spanId)
  writer.text(5, span.name)
  writer.number(6, span.kind + 1)
  writer.time(7, span.startTime)
  writer.time(8, span.endTime)
  if (!writeAttributes(writer, 9, span.attributes)) return false
  if (span.droppedAttributesCount > 0) writer.number(10, span.droppedAttributesCount)
  for (const { name, time, attributes = {} } of span.events) {
    const event = writer.begin(11)
    writer.time(1, time)
    writer.name(2, name)
    if (!writeAttributes(writer, 3, attributes)) return false
    writer.end(event)
  }
  if (span.droppedEventsCount > 0) writer.number(12, span.droppedEventsCount)
  for (const link of span.links) if (!writeLink(writer, link)) return false
  if (span.droppedLinksCount > 0) writer.number(14, span.droppedLinksCount)
  const { code, message } = span.status
  if (code !== SpanStatusCode.UNSET) {
    const status = writer.begin(15)
    if (message) writer.text(2, message)
    writer.number(3, code)
    writer.end(status)
  }
  writer.fixed32(16, flagsOf(context, parent?.isRemote))
  writer.end(start)
  return true
}

function writeContext(writer: ProtobufWriter, { traceId, spanId, traceState }: SpanContext): void {
  writer.hex(1, traceId)
  writer.hex(2, spanId)
  const state = traceState?.serialize()
  if (state) writer.text(3, state)
}

function writeLink(writer: ProtobufWriter, { context, attributes = {} }: Link): boolean {
  const start = writer.begin(13)
  writeContext(writer, context)
  if (!writeAttributes(writer, 4, attributes)) return false
  writer.fixed32(6, flagsOf(context, context.isRemote))
  writer.end(start)
  return true
}

/** The flags of W3C, with the bits that say whether the other span is another process's. */
function flagsOf({ traceFlags }: SpanContext, isRemote = false): number {
  return (traceFlags & 0xff) | 0x100 | (isRemote ? 0x200 : 0)
}

function writeAttributes(writer: ProtobufWriter, field: number, attributes: Attributes): boolean {
  for (const name in attributes) {
    const value: unknown = attributes[name]
    if (value === undefined || value === null) continue
    const pair = writer.begin(field)
    writer.name(1, name)
    const any = writer.begin(2)
    if (!writeValue(writer, value)) return false
    writer.end(any)
    writer.end(pair)
  }
  return true
}

function writeValue(writer: ProtobufWriter, value: unknown): boolean {
  if (typeof value === 'string') writer.text(1, value)
  else if (typeof value === 'boolean') writer.boolean(2, value)
  else if (typeof value === 'number') writeNumber(writer, value)
  else if (Array.isArray(value)) return writeList(writer, value)
  else return false
  return true
}

function writeNumber(writer: ProtobufWriter, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) writer.number(3, value)
  else writer.double(4, value)
}

function writeList(writer: ProtobufWriter, list: readonly unknown[]): boolean {
  const array = writer.begin(5)
  for (const one of list) {
    const any = writer.begin(1)
    if (!writeValue(writer, one)) return false
    writer.end(any)
  }
  writer.end(array)
  return true
}
