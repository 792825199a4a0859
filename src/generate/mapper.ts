import type { GenerateEvent } from './events.ts'

/** Changes the events of one reply, synchronously and in order. */
export interface EventMapper {
  /**
   * Replaces an event: calls `emit`, before it returns, with no event, the same event, or others. For a
   * `finish` it emits the `finish` or an `error`, unless it has emitted an `error` before.
   */
  map(event: GenerateEvent, emit: Emit): void
}

/** Receives the events of a reply. */
export type Emit = (event: GenerateEvent) => void

/** Chains mappers. The first one gets the account's events, `last` the result. */
export function throughMappers(mappers: readonly EventMapper[], last: Emit): Emit {
  return mappers.reduceRight<Emit>((emit, mapper) => (event) => mapper.map(event, emit), last)
}
