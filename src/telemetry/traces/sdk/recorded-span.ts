import {
  type Attributes,
  type AttributeValue,
  type Exception,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
} from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan, SpanLimits } from '@opentelemetry/sdk-trace'

import { applyLimits } from './span-limits.ts'

/** What all spans of a tracer have in common. */
export interface SpanCommon {
  readonly resource: Resource
  readonly instrumentationScope: InstrumentationScope
  readonly limits: Required<SpanLimits>
  /** Takes a span that has ended. */
  readonly onEnd: (span: RecordedSpan) => void
}

/** The place of a span in its trace. */
interface SpanPlace {
  readonly context: SpanContext
  readonly parent: SpanContext | undefined
}

type Event = ReadableSpan['events'][number]

/**
 * A sampled span of the gateway. The span of the SDK checks each attribute when it is set, which costs more than
 * all else of a sampled call; the gateway knows the types of its own. Limits apply once, at the end.
 */
export class RecordedSpan implements Span, ReadableSpan {
  name: string
  readonly kind: SpanKind
  readonly parentSpanContext?: SpanContext
  /** Milliseconds since 1970. */
  readonly startedAt: number
  endedAt = 0
  status: SpanStatus = unset
  /**
   * The attributes as they were set: one name stands in one part only. They are not merged, which would cost as
   * much as to make them.
   */
  attributeParts: Attributes[]
  events: Event[] = noEvents
  links: Link[]
  ended = false
  /** The span as an exporter sends it, if `keepEncoded` was called. */
  encoded: Uint8Array | undefined
  droppedAttributesCount = 0
  droppedEventsCount = 0
  droppedLinksCount = 0
  readonly #common: SpanCommon
  readonly #context: SpanContext

  /** `attributes` of the options belong to the span from now on. */
  constructor(
    common: SpanCommon,
    name: string,
    { kind = SpanKind.INTERNAL, startTime = Date.now(), attributes, links }: SpanOptions,
    { context, parent }: SpanPlace,
  ) {
    this.#common = common
    this.#context = context
    this.name = name
    this.kind = kind
    if (parent) this.parentSpanContext = parent
    this.startedAt = Number(startTime)
    this.attributeParts = attributes ? [attributes] : []
    this.links = links ? [...links] : noLinks
  }

  /** Without those that have no value, which other exporters would send as empty ones. */
  get attributes(): Attributes {
    const parts = this.attributeParts.flatMap((part) => Object.entries(part))
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined))
  }

  set attributes(attributes: Attributes) {
    this.attributeParts = [attributes]
  }

  get startTime(): HrTime {
    return hrTimeOf(this.startedAt)
  }

  get endTime(): HrTime {
    return hrTimeOf(this.endedAt)
  }

  get resource(): Resource {
    return this.#common.resource
  }

  get instrumentationScope(): InstrumentationScope {
    return this.#common.instrumentationScope
  }

  get duration(): HrTime {
    const [seconds, nanoseconds] = this.endTime
    const [fromSeconds, fromNanoseconds] = this.startTime
    const rest = nanoseconds - fromNanoseconds
    return rest < 0 ? [seconds - fromSeconds - 1, rest + 1e9] : [seconds - fromSeconds, rest]
  }

  spanContext(): SpanContext {
    return this.#context
  }

  isRecording(): boolean {
    return !this.ended
  }

  setAttribute(name: string, value: AttributeValue): this {
    return this.setAttributes({ [name]: value })
  }

  /** `attributes`, which are new to the span, belong to it from now on. */
  setAttributes(attributes: Attributes): this {
    if (!this.ended) this.attributeParts.push(attributes)
    return this
  }

  addEvent(name: string, attributes?: unknown, time: unknown = Date.now()): this {
    const event = { name, time: hrTimeOf(time), attributes: attributes as Attributes }
    if (!this.ended) this.events = [...this.events, event]
    return this
  }

  addLink(link: Link): this {
    return this.addLinks([link])
  }

  addLinks(links: readonly Link[]): this {
    if (!this.ended) this.links = [...this.links, ...links]
    return this
  }

  setStatus(status: SpanStatus): this {
    if (!this.ended) this.status = status
    return this
  }

  updateName(name: string): this {
    if (!this.ended) this.name = name
    return this
  }

  recordException(exception: Exception): void {
    const message = typeof exception === 'string' ? exception : exception.message
    this.addEvent('exception', { 'exception.message': message ?? '' })
  }

  /** Ends the span, at a time in milliseconds since 1970. A second end has no effect. */
  end(time: unknown = Date.now()): void {
    if (this.ended) return
    // A clock that is set back gives no span a negative duration.
    this.endedAt = Math.max(Number(time), this.startedAt)
    applyLimits(this, this.#common.limits)
    this.ended = true
    this.#common.onEnd(this)
  }

  /** Keeps a span that has ended as the bytes that an exporter sends, and nothing else that takes memory. */
  keepEncoded(encoded: Uint8Array): void {
    this.encoded = encoded
    this.attributeParts = noParts
    this.events = noEvents
    this.links = noLinks
  }
}

/** What a span begins with: one object for all, which none changes. */
const unset: SpanStatus = { code: SpanStatusCode.UNSET }
const noParts: Attributes[] = []
const noEvents: Event[] = []
const noLinks: Link[] = []

/** Milliseconds since 1970, as seconds and nanoseconds. */
function hrTimeOf(time: unknown): HrTime {
  const ms = Number(time)
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}
