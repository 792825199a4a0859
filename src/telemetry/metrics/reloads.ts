import { requestMetrics, stateMetrics } from './catalog.ts'
import { type Registry, count } from './registry.ts'
import { type Snapshot, series } from './snapshot.ts'

/** Counts reloads of the configuration. */
interface Reloads {
  /** Notes a reload that took effect, or was refused. */
  note(isSuccess: boolean): void
  read(): Snapshot
}

/** Begins with the configuration of the start. `now`: milliseconds since 1970. */
export function countReloads(registry: Registry, now: () => number): Reloads {
  const family = registry.family(requestMetrics.reloads)
  const results = { success: family.series('success'), failure: family.series('failure') }
  let isSuccessful = true
  let loadedAt = now()
  return {
    note(isSuccess) {
      count(isSuccess ? results.success : results.failure)
      isSuccessful = isSuccess
      if (isSuccess) loadedAt = now()
    },
    read: () =>
      new Map([
        [stateMetrics.reloadSuccessful.name, [series([], isSuccessful ? 1 : 0)]],
        [stateMetrics.reloadTime.name, [series([], loadedAt / 1_000)]],
      ]),
  }
}
