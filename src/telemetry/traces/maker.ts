import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'

/** A span that has ended. Times are readings of `performance.now()`. */
export interface EndedSpan {
  readonly name: string
  readonly isClient?: boolean
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Attributes
  readonly events?: readonly {
    readonly name: string
    readonly attributes: Attributes
    readonly at: number
  }[]
  readonly isError?: boolean | undefined
}

/**
 * Makes the spans of one exchange. They share one offset of the clock. The SDK would measure an offset for each span,
 * and children would begin before their parents.
 */
export class SpanMaker {
  readonly #tracer: Tracer
  readonly #offset = clockOffset(performance.now())

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** A time of `performance.now()`, in milliseconds since 1970. */
  time(at: number): number {
    return this.#offset + at
  }

  /** Makes a span below `parent`. */
  make(parent: Span, ended: EndedSpan): Span {
    const { name, isClient, startedAt, attributes, events = [], isError, endedAt } = ended
    const kind = isClient ? SpanKind.CLIENT : SpanKind.INTERNAL
    const above = trace.setSpan(ROOT_CONTEXT, parent)
    const span = this.#tracer.startSpan(name, { kind, startTime: this.time(startedAt) }, above)
    span.setAttributes(attributes)
    for (const event of events) span.addEvent(event.name, event.attributes, this.time(event.at))
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(this.time(Math.max(startedAt, endedAt)))
    return span
  }
}

/** In milliseconds. A clock that is set is followed after this time. */
const readEvery = 1_000

let readAt = -Infinity
let offset = 0

/** The clock less `performance.now()`, in milliseconds. The clock is not read for each request. */
function clockOffset(now: number): number {
  if (now - readAt > readEvery) {
    readAt = now
    offset = Date.now() - performance.now()
  }
  return offset
}
