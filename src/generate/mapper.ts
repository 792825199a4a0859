import type { GenerateEvent } from './events.ts'

/** Changes the events of one reply, in order and at once. */
export interface EventMapper {
  /**
   * Calls `emit`, before it returns, with what becomes of an event: nothing, itself, or others. A
   * `finish` becomes itself or an `error`, or has had an `error` before it.
   */
  map(event: GenerateEvent, emit: Emit): void
}

export type Emit = (event: GenerateEvent) => void

/** All mappers as one way: the first is nearest to the account. */
export function throughMappers(mappers: readonly EventMapper[], last: Emit): Emit {
  return mappers.reduceRight<Emit>((emit, mapper) => (event) => mapper.map(event, emit), last)
}
