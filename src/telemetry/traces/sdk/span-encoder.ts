import { type Attributes, type Link, type SpanContext, SpanStatusCode } from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'

import { AttributeEncoder } from './attribute-encoder.ts'
import { ProtobufWriter } from './protobuf-writer.ts'
import { RecordedSpan } from './recorded-span.ts'

/**
 * Writes spans as an `ExportTraceServiceRequest` of OTLP 1.x (opentelemetry/proto/trace/v1/trace.proto). All of
 * them have the resource and the scope of the first, as the spans of one tracer.
 */
export function serializeSpans(spans: readonly ReadableSpan[]): Buffer | undefined {
  const [first] = spans
  if (!first) return undefined
  const { resource, instrumentationScope } = first
  const encoded = spans.map((span) => encodedOf(span))
  const size = encoded.reduce((sum, { length }) => sum + length, 0)
  const writer = new ProtobufWriter(size + 4_096)
  const resourceSpans = writer.begin(1)
  writeResource(writer, resource)
  const scopeSpans = writer.begin(2)
  writeScope(writer, instrumentationScope)
  for (const span of encoded) writer.raw(span)
  writer.end(scopeSpans)
  if (resource.schemaUrl) writer.text(3, resource.schemaUrl)
  writer.end(resourceSpans)
  return writer.bytes
}

function encodedOf(span: ReadableSpan): Uint8Array {
  return (span instanceof RecordedSpan ? span.encoded : undefined) ?? encodeSpan(span)
}

/** A span as the field `spans` of a `ScopeSpans`. */
export function encodeSpan(span: ReadableSpan): Uint8Array {
  scratch.clear()
  writeSpan(scratch, span)
  return scratch.copyFrom(0)
}

const scratch = new ProtobufWriter(16 * 1024)
const attributeEncoder = new AttributeEncoder()

function writeResource(writer: ProtobufWriter, { attributes }: Resource): void {
  const start = writer.begin(1)
  attributeEncoder.write(writer, 1, attributes)
  writer.end(start)
}

function writeScope(writer: ProtobufWriter, { name, version }: InstrumentationScope): void {
  const start = writer.begin(1)
  writer.text(1, name)
  if (version) writer.text(2, version)
  writer.end(start)
}

function writeSpan(writer: ProtobufWriter, span: ReadableSpan): void {
  const start = writer.begin(2)
  const context = span.spanContext()
  const { parentSpanContext: parent } = span
  writeContext(writer, context)
  if (parent) writer.hex(4, parent.spanId)
  writer.text(5, span.name)
  writer.number(6, span.kind + 1)
  writer.time(7, span.startTime)
  writer.time(8, span.endTime)
  for (const part of partsOf(span)) attributeEncoder.write(writer, 9, part)
  if (span.droppedAttributesCount > 0) writer.number(10, span.droppedAttributesCount)
  for (const { name, time, attributes = {}, droppedAttributesCount = 0 } of span.events) {
    const event = writer.begin(11)
    writer.time(1, time)
    writer.text(2, name)
    attributeEncoder.write(writer, 3, attributes)
    if (droppedAttributesCount > 0) writer.number(4, droppedAttributesCount)
    writer.end(event)
  }
  if (span.droppedEventsCount > 0) writer.number(12, span.droppedEventsCount)
  for (const link of span.links) writeLink(writer, link)
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
}

function partsOf(span: ReadableSpan): readonly Attributes[] {
  return span instanceof RecordedSpan ? span.attributeParts : [span.attributes]
}

function writeContext(writer: ProtobufWriter, { traceId, spanId, traceState }: SpanContext): void {
  writer.hex(1, traceId)
  writer.hex(2, spanId)
  const state = traceState?.serialize()
  if (state) writer.text(3, state)
}

function writeLink(writer: ProtobufWriter, link: Link): void {
  const { context, attributes = {}, droppedAttributesCount = 0 } = link
  const start = writer.begin(13)
  writeContext(writer, context)
  attributeEncoder.write(writer, 4, attributes)
  if (droppedAttributesCount > 0) writer.number(5, droppedAttributesCount)
  writer.fixed32(6, flagsOf(context, context.isRemote))
  writer.end(start)
}

/** The flags of W3C, with the bits that say whether the other span is another process's. */
function flagsOf({ traceFlags }: SpanContext, isRemote = false): number {
  return (traceFlags & 0xff) | 0x100 | (isRemote ? 0x200 : 0)
}
