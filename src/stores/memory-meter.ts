import { DatabaseSync } from 'node:sqlite'

import { createMeter } from './meter-wire.ts'
import type { Meter } from './meter.ts'
import { StoreUnavailable } from './store.ts'
import { inTransaction, meterSchema, prepareMeter } from './sql-meter.ts'

const sweepMs = 5_000

/** The operations after which their changes are written. */
const flushAfter = 1_000

/**
 * A meter in the memory of this process, in a database that the first operation opens. `assertOpen` throws for a
 * closed store.
 */
export function memoryMeter(assertOpen: () => void): Meter {
  let opened: { database: DatabaseSync; meter: ReturnType<typeof prepareMeter> } | undefined
  let sweptAt = 0
  let unwritten = 0

  function open(): NonNullable<typeof opened> {
    const database = new DatabaseSync(':memory:')
    database.exec(meterSchema)
    return { database, meter: prepareMeter(database) }
  }

  return createMeter(async (operation) => {
    assertOpen()
    try {
      const { database, meter } = (opened ??= open())
      const [, now] = operation
      if (now > sweptAt + sweepMs) {
        sweptAt = now
        meter.sweep(now)
      } else if (++unwritten > flushAfter) {
        unwritten = 0
        inTransaction(database, 'BEGIN', () => meter.flush(now))
      }
      return meter.apply(operation)
    } catch (cause) {
      throw new StoreUnavailable('The store failed: its database in memory.', { cause })
    }
  }, Date.now)
}
