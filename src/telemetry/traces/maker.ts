import type { TextMapPropagator, Tracer } from '@opentelemetry/api'

import type { Clock } from './clock.ts'
import type { TraceDetail } from './settings.ts'

/** What the spans of one exchange are made with. */
export interface Maker {
  readonly tracer: Pick<Tracer, 'startSpan'>
  readonly detail: TraceDetail
  readonly clock: Clock
  /** Absent: no trace passes out. */
  readonly propagator?: TextMapPropagator | undefined
  /** The kind of the store, where its look-ups have spans. */
  readonly store?: string | undefined
}
