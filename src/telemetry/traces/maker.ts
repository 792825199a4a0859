import type { Span, SpanOptions, TextMapPropagator } from '@opentelemetry/api'

import type { Clock } from './clock.ts'
import type { TraceDetail } from './settings.ts'

/** Starts a span below another one. */
export type StartChild = (name: string, options: SpanOptions, parent: Span) => Span

/** What the spans of one exchange are made with. */
export interface Maker {
  readonly startChild: StartChild
  readonly detail: TraceDetail
  readonly clock: Clock
  /** Absent: no trace passes out. */
  readonly propagator?: TextMapPropagator | undefined
  /** The kind of the store, where its look-ups have spans. */
  readonly store?: string | undefined
}
