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
  readonly onEnd: (span: ReadableSpan) => void
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
  readonly startTime: HrTime
  endTime: HrTime = [0, 0]
  status: SpanStatus = { code: SpanStatusCode.UNSET }
  attributes: Attributes
  events: Event[] = noEvents
  links: Link[]
  ended = false
  droppedAttributesCount = 0
  droppedEventsCount = 0
  droppedLinksCount = 0
  readonly #common: SpanCommon
  readonly #context: SpanContext

  /** `attributes` of the options belong to the span from now on. */
  constructor(
    common: SpanCommon,
    name: string,
    { kind = SpanKind.INTERNAL, startTime = Date.now(), attributes = none, links }: SpanOptions,
    { context, parent }: SpanPlace,
  ) {
    this.#common = common
    this.#context = context
    this.name = name
    this.kind = kind
    if (parent) this.parentSpanContext = parent
    this.startTime = hrTimeOf(startTime)
    this.attributes = attributes
    this.links = links ? [...links] : noLinks
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
    if (this.attributes === none) this.attributes = {}
    if (!this.ended) this.attributes[name] = value
    return this
  }

  /** `attributes` belong to the span from now on if it had none. */
  setAttributes(attributes: Attributes): this {
    if (this.ended) return this
    if (this.attributes === none) this.attributes = attributes
    else for (const name in attributes) this.attributes[name] = attributes[name]
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
    const end = hrTimeOf(time)
    // A clock that is set back gives no span a negative duration.
    this.endTime = isBefore(end, this.startTime) ? this.startTime : end
    applyLimits(this, this.#common.limits)
    this.ended = true
    this.#common.onEnd(this)
  }
}

/** What a span begins with: one object for all, which none changes. */
const none: Attributes = Object.freeze({})
const noEvents: Event[] = []
const noLinks: Link[] = []

/** Milliseconds since 1970, as seconds and nanoseconds. */
function hrTimeOf(time: unknown): HrTime {
  const ms = Number(time)
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

function isBefore([seconds, nanoseconds]: HrTime, [other, otherNanoseconds]: HrTime): boolean {
  return seconds < other || (seconds === other && nanoseconds < otherNanoseconds)
}
