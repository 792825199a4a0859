import { randomUUID } from 'node:crypto'

import type { LedgerRow } from '../contract/ledger-row.ts'
import { type Log, describeError } from '../lib/log.ts'
import type { Spill } from '../lib/spill.ts'
import type { Ledger, LedgerBatch, LedgerCount } from '../stores/ledger.ts'

/** The rows of one write. */
const mostOfBatch = 200

/** Batches in memory while the store is away: further ones go to the file. */
const mostInMemory = 20

/** The pause before a write is tried again, in milliseconds. */
const retryMs = 1_000

/** Rows on their way to the store. */
interface LedgerQueue {
  /** Adds rows and counts, which are written as soon as the store has taken what was added before. */
  add(rows: readonly LedgerRow[], counts: readonly LedgerCount[]): void
  /** Takes the number of attempts that were lost since the last question, by their minutes. */
  takeLost(): LedgerCount[]
  /** Writes what waits, for at most `ms` milliseconds. What the store does not take stays in the file. */
  close(ms: number): Promise<void>
}

/** The options of `createLedgerQueue`. */
interface QueueOptions {
  readonly ledger: Pick<Ledger, 'append'>
  readonly spill: Spill
  readonly log: Log
}

/** A batch that the store has refused. */
interface Waiting {
  readonly batch: LedgerBatch
  failures: number
}

/**
 * Writes one batch after another. A batch leaves the queue when the store has acknowledged it; a write that came to no
 * end is repeated, which changes nothing where it did happen.
 */
export function createLedgerQueue({ ledger, spill, log }: QueueOptions): LedgerQueue {
  let waiting: Waiting[] = []
  const lost = new Map<number, number>()
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isAway = false
  let isClosed = false
  /** Writes to the file, in order. */
  let spilling: Promise<unknown> = Promise.resolve()

  function lose({ rows, counts }: LedgerBatch): void {
    for (const { at } of rows) loseAt(at, 1)
    for (const { at, sums } of counts) if (sums.calls) loseAt(at, sums.calls)
  }

  function loseAt(at: number, count: number): void {
    const minute = at - (at % 60_000)
    lost.set(minute, (lost.get(minute) ?? 0) + count)
    if (lost.size > mostLost) lost.delete(lost.keys().next().value!)
  }

  /** The oldest go to the file. */
  function bound(most = mostInMemory): void {
    while (waiting.length > most) {
      const { batch } = waiting.shift()!
      spilling = spilling.then(async () => {
        if (!(await spill.add(JSON.stringify(batch)))) lose(batch)
      })
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const [first] = waiting as [Waiting]
      // While it is written, `bound` must not move it to the file.
      waiting.shift()
      try {
        await ledger.append(first.batch)
        back()
      } catch (error) {
        first.failures++
        // Others are taken, so that not the store but the batch is at fault.
        if (first.failures > mostFailures && !isAway) giveUp(first.batch, error)
        else waiting.push(first)
        away(error)
        return
      }
    }
    if (spill.hasLines) await spill.drain(appendLine).catch(away)
  }

  async function appendLine(line: string): Promise<void> {
    const batch = parse(line)
    if (batch) await ledger.append(batch)
  }

  function giveUp(batch: LedgerBatch, error: unknown): void {
    lose(batch)
    log.error('the store does not take rows of the ledger: they are lost', {
      rows: batch.rows.length,
      ...describeError(error),
    })
  }

  function away(error: unknown): void {
    if (!isAway) log.warn('the ledger cannot be written; its rows wait', describeError(error))
    isAway = true
    bound()
    if (!isClosed) timer ??= setTimeout(retry, retryMs).unref()
  }

  function back(): void {
    if (isAway) log.info('the ledger is written again')
    isAway = false
  }

  function retry(): void {
    timer = undefined
    write()
  }

  function write(): void {
    writing ??= writeAll().finally(() => {
      writing = undefined
      if (waiting.length > 0 && timer === undefined && !isClosed) write()
    })
  }

  return {
    add(rows, counts) {
      for (let start = 0; start === 0 || start < rows.length; start += mostOfBatch) {
        const batch = {
          id: randomUUID(),
          rows: rows.slice(start, start + mostOfBatch),
          counts: start === 0 ? counts : [],
        }
        waiting.push({ batch, failures: 0 })
      }
      bound(isAway ? mostInMemory : mostBeforeFile)
      if (timer === undefined) write()
    },
    takeLost() {
      const counts = [...lost].map(([at, count]) => ({ at, sums: { lost: count } }))
      lost.clear()
      return counts
    },
    async close(ms) {
      isClosed = true
      clearTimeout(timer)
      const until = performance.now() + ms
      await writing
      while (waiting.length > 0 && performance.now() < until) {
        const before = waiting.length
        await writeAll()
        if (waiting.length >= before) break
      }
      bound(0)
      await spilling
      spill.leave()
    },
  }
}

/** Batches that wait for a store that takes them, but slowly. */
const mostBeforeFile = 500

/** Writes of a batch that fail while others succeed. */
const mostFailures = 10

/** Minutes whose losses are remembered. */
const mostLost = 10_000

/** A line of a process that was killed may be cut off. */
function parse(line: string): LedgerBatch | undefined {
  try {
    return JSON.parse(line) as LedgerBatch
  } catch {
    return undefined
  }
}
