import { DatabaseSync } from 'node:sqlite'

import type { Meter } from './meter.ts'
import { inTransaction, meterSchema, prepareMeter, sqlMeter } from './sql-meter.ts'
import { StoreUnavailable } from './store.ts'

const sweepMs = 5_000

/**
 * A meter in the memory of this process, in a database that the first operation opens. `assertOpen` throws for a
 * closed store. `now`: milliseconds since 1970.
 */
export function memoryMeter(assertOpen: () => void, now: () => number = Date.now): Meter {
  let database: DatabaseSync | undefined
  let prepared: ReturnType<typeof prepareMeter> | undefined
  let sweptAt = 0

  function prepare(): ReturnType<typeof prepareMeter> {
    database = new DatabaseSync(':memory:')
    database.exec(meterSchema)
    return prepareMeter(database)
  }

  /** Does some work on the database. */
  function work<T>(run: (meter: ReturnType<typeof prepareMeter>) => T): T {
    assertOpen()
    try {
      return run((prepared ??= prepare()))
    } catch (cause) {
      throw new StoreUnavailable('The store failed: its database in memory.', { cause })
    }
  }

  return sqlMeter(
    async (write) =>
      work((meter) => {
        if (Math.abs(write.now - sweptAt) > sweepMs) {
          sweptAt = write.now
          meter.sweep(write.now)
        }
        return inTransaction(database!, 'BEGIN', () => meter.apply(write))
      }),
    (subject, limits, at) => work((meter) => meter.read(subject, limits, at)),
    now,
  )
}
