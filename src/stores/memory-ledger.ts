import type { DatabaseSync } from 'node:sqlite'

import { type Ledger, type LedgerBatch } from './ledger.ts'
import { StoreUnavailable } from './store.ts'
import { pagesOf, prepareLedgerReads, prepareLedgerWrites } from './sql-ledger.ts'
import { inTransaction } from './sql-meter.ts'

/** Rows of a process without a file: about 10 MB. */
const mostRows = 20_000

/** A ledger in memory, which ends with the process. */
interface MemoryLedger extends Ledger {
  close(): void
}

/** Creates a ledger in memory. Its database is opened by the first use: many gateways have none. */
export function memoryLedger(): MemoryLedger {
  let opening: Promise<Awaited<ReturnType<typeof open>>> | undefined
  let isClosed = false

  async function opened() {
    if (isClosed) throw new StoreUnavailable('The store has been closed.')
    const ledger = await (opening ??= open())
    if (isClosed) throw new StoreUnavailable('The store has been closed.')
    return ledger
  }

  return {
    append: async (batch) => (await opened()).append(batch),
    rows: async (page) => (await opened()).reads.rows(page),
    rowsOf: async (exchange) => (await opened()).reads.rowsOf(exchange),
    async *sums(part) {
      const { reads } = await opened()
      yield* pagesOf((after) => reads.sums(part, after))
    },
    close() {
      isClosed = true
      void opening?.then(({ database }) => database.close())
    },
  }
}

async function open() {
  const { DatabaseSync } = await import('node:sqlite')
  const database: DatabaseSync = new DatabaseSync(':memory:')
  const writes = prepareLedgerWrites(database, mostRows)
  let reads: ReturnType<typeof prepareLedgerReads> | undefined
  return {
    database,
    /** Few processes read the rows of a store in memory. */
    get reads() {
      return (reads ??= prepareLedgerReads(database))
    },
    append(batch: LedgerBatch) {
      inTransaction(database, 'BEGIN', () => writes.append(batch, Date.now()))
    },
  }
}
