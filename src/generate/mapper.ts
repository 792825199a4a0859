import type { MaybePromise } from '../lib/maybe-promise.ts'
import type { GenerateEvent } from './events.ts'

/** Changes the events of one reply in order. */
export interface EventMapper {
  /**
   * Whether `map` may return a promise. Then no later event passes until the promise has settled, and
   * the account is paused. Absent: `map` returns nothing.
   */
  readonly waits?: boolean
  /**
   * Replaces an event: calls `emit`, before it returns or before its promise settles, with no event, the
   * same event, or others. For a `finish` it emits the `finish` or an `error`, unless it has emitted an
   * `error` before. `signal` aborts when the event is not needed any more.
   */
  map(event: GenerateEvent, emit: Emit, signal: AbortSignal): MaybePromise<void>
}

/** Receives the events of a reply. */
export type Emit = (event: GenerateEvent) => void

/** The signal for mappers that do not wait. */
const never = new AbortController().signal

/** Chains mappers that do not wait. The first one gets the account's events, `last` the result. */
export function throughMappers(mappers: readonly EventMapper[], last: Emit): Emit {
  return mappers.reduceRight<Emit>(
    (emit, mapper) => (event) => void mapper.map(event, emit, never),
    last,
  )
}
