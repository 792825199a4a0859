import type { DatabaseSync } from 'node:sqlite'

import {
  type Meter,
  type MeterAnswer,
  type MeterAsk,
  type MeterEnd,
  type MeterLimit,
  type MeterState,
  assertCountable,
  meterKeepsMs,
} from './meter.ts'
import {
  type HeldPart,
  type MeterCounter,
  chargedWith,
  counterExpiry,
  counterName,
  lostPart,
  settled,
  stateOf,
  takeOf,
  withPart,
} from './meter-rules.ts'

/** A write of a meter. `now`: milliseconds since 1970, of the process that asks. */
export type MeterWrite = { readonly now: number } & (
  | { readonly admit: MeterAsk }
  | { readonly settle: MeterEnd }
  | {
      readonly renew: {
        readonly subject: string
        readonly holds: readonly string[]
        readonly expiresMs: number
      }
    }
  | { readonly reset: { readonly subject: string; readonly limit: MeterLimit } }
)

/** What a write resolves with; a renewal and a reset with no states. */
export type MeterResult = MeterAnswer | readonly MeterState[]

/** The tables of meters. A hold with `lost` is kept for late settlements, one without parts has been settled. */
export const meterSchema = `
  CREATE TABLE IF NOT EXISTS meter_counters (
    subject TEXT NOT NULL,
    counter TEXT NOT NULL,
    spent INTEGER NOT NULL,
    held INTEGER NOT NULL,
    expires INTEGER,
    PRIMARY KEY (subject, counter)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS meter_holds (
    subject TEXT NOT NULL,
    hold TEXT NOT NULL,
    lost INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY (subject, hold)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS meter_due ON meter_holds (subject, expires) WHERE lost = 0;
`

/** The holds that one operation charges as lost: thousands of them must not block others for long. */
const mostDue = 1_000

/** The rows that a sweep reads in each table. */
const sweepBatch = 2_000

/**
 * A meter on a database. `write` does a write in one transaction, `read` reads in one; both throw, or reject, as
 * `Meter` does.
 */
export function sqlMeter(
  write: (write: MeterWrite) => Promise<MeterResult>,
  read: (subject: string, limits: readonly MeterLimit[], now: number) => readonly MeterState[],
  now: () => number = Date.now,
): Meter {
  return {
    async admit(ask) {
      assertCountable([ask.subject, ask.hold], ask.takes, ask.expiresMs)
      return (await write({ now: now(), admit: ask })) as MeterAnswer
    },
    async settle(end) {
      assertCountable([end.subject, end.hold], end.charges)
      return (await write({ now: now(), settle: end })) as readonly MeterState[]
    },
    async renew(subject, holds, expiresMs) {
      assertCountable([subject, ...holds], [], expiresMs)
      await write({ now: now(), renew: { subject, holds, expiresMs } })
    },
    async read(subject, limits) {
      const asked = limits.map((limit) => ({ limit }))
      assertCountable([subject], asked)
      return read(subject, limits, now())
    },
    async reset(subject, limit) {
      assertCountable([subject], [{ limit }])
      await write({ now: now(), reset: { subject, limit } })
    },
  }
}

/** Prepares the operations of meters on one connection. They throw the errors of SQLite. */
export function prepareMeter(database: DatabaseSync) {
  const statements = prepareStatements(database)
  let sweptHold: readonly string[] = ['', '']
  let sweptCounter: readonly string[] = ['', '']

  /** The counters of a subject, which are read once and written at the end. */
  function countersOf(subject: string, now: number) {
    const known = new Map<string, { limit: HeldPart['limit']; counter: MeterCounter }>()
    const changed = new Set<string>()
    return {
      get(limit: HeldPart['limit']): MeterCounter {
        const name = counterName(limit)
        let entry = known.get(name)
        if (!entry) {
          const row = statements.counter.get(subject, name)
          const counter = { spent: Number(row?.['spent'] ?? 0), held: Number(row?.['held'] ?? 0) }
          known.set(name, (entry = { limit, counter }))
        }
        return entry.counter
      },
      set(limit: HeldPart['limit'], { spent, held }: MeterCounter): void {
        const name = counterName(limit)
        known.set(name, { limit, counter: { spent, held } })
        changed.add(name)
      },
      write(): void {
        for (const name of changed) {
          const { limit, counter } = known.get(name)!
          const { spent, held } = counter
          if (spent === 0 && held === 0) statements.dropCounter.run(subject, name)
          else statements.putCounter.run(subject, name, spent, held, counterExpiry(limit, now))
        }
      },
    }
  }

  /** Charges the floors of holds that have expired. `isRead`: without writing. */
  function open(subject: string, now: number, isRead = false) {
    const counters = countersOf(subject, now)
    for (const row of statements.due.all(subject, now)) {
      const parts = partsOf(row)
      for (const part of parts) {
        const { limit, floor } = part
        counters.set(limit, settled({ ...part, charged: 0 }, counters.get(limit), floor, now))
      }
      if (isRead) continue
      const text = JSON.stringify(parts.map(lostPart))
      statements.putHold.run(subject, String(row['hold']), 1, now + meterKeepsMs, text)
    }
    return counters
  }

  function admit(ask: MeterAsk, now: number): MeterAnswer {
    const { subject, hold, expiresMs, takes } = ask
    const counters = open(subject, now)
    const states = () => takes.map(({ limit }) => stateOf(limit, counters.get(limit), now))
    const row = statements.hold.get(subject, hold, now)
    const known = row && partsOf(row)
    const takings = takes.map((take) => {
      const name = counterName(take.limit)
      const own = known?.find(({ limit }) => counterName(limit) === name)?.held ?? 0
      return takeOf(take, counters.get(take.limit), own, now)
    })
    const isSettled = known?.length === 0
    const refusedBy = isSettled
      ? 0
      : takings.findIndex(({ why }, index) => why && takes[index]!.limit.refuses)
    if (refusedBy >= 0) {
      counters.write()
      const { why = 'held', retryAfterMs } = isSettled ? {} : takings[refusedBy]!
      return { admitted: false, refusedBy, why, retryAfterMs, states: states() }
    }
    let parts = known ?? []
    for (const [index, taking] of takings.entries()) {
      counters.set(takes[index]!.limit, taking)
      if (taking.part) parts = withPart(parts, taking.part)
    }
    if (takings.some(({ part }) => part)) {
      statements.putHold.run(subject, hold, 0, now + expiresMs, JSON.stringify(parts))
    }
    counters.write()
    const exceeded = takings.flatMap(({ why }, index) => (why ? index : []))
    return { admitted: true, states: states(), exceeded }
  }

  function settle({ subject, hold, charges, unheld }: MeterEnd, now: number): MeterState[] {
    const counters = open(subject, now)
    const row = statements.hold.get(subject, hold, now)
    const parts = row && partsOf(row)
    const isSettled = parts?.length === 0
    if (parts || unheld) {
      const left = isSettled ? [] : [...charges]
      for (const part of parts ?? []) {
        const index = left.findIndex(({ limit }) => limit.id === part.limit.id)
        const [charge] = index < 0 ? [] : left.splice(index, 1)
        const counter = counters.get(part.limit)
        counters.set(part.limit, settled(part, counter, charge?.amount ?? 0, now))
      }
      for (const { limit, amount } of left) {
        const counter = counters.get(limit)
        counters.set(limit, { ...counter, spent: chargedWith(limit, counter, amount, now) })
      }
    }
    if (unheld && !isSettled) statements.putHold.run(subject, hold, 1, now + meterKeepsMs, '[]')
    else if (parts && !isSettled) statements.dropHold.run(subject, hold)
    counters.write()
    return charges.map(({ limit }) => stateOf(limit, counters.get(limit), now))
  }

  function renew(subject: string, holds: readonly string[], expires: number, now: number): void {
    open(subject, now).write()
    for (const hold of holds) statements.renew.run(expires, subject, hold)
  }

  function reset(subject: string, limit: MeterLimit, now: number): void {
    const counters = open(subject, now)
    counters.set(limit, { ...counters.get(limit), spent: 0 })
    counters.write()
  }

  return {
    apply(write: MeterWrite): MeterResult {
      const { now } = write
      if ('admit' in write) return admit(write.admit, now)
      if ('settle' in write) return settle(write.settle, now)
      if ('renew' in write) {
        const { subject, holds, expiresMs } = write.renew
        renew(subject, holds, now + expiresMs, now)
      } else reset(write.reset.subject, write.reset.limit, now)
      return []
    },
    /** In one transaction, so that no hold is counted twice. */
    read(subject: string, limits: readonly MeterLimit[], now: number): MeterState[] {
      return inTransaction(database, 'BEGIN', () => {
        const counters = open(subject, now, true)
        return limits.map((limit) => stateOf(limit, counters.get(limit), now))
      })
    },
    /** Charges lost holds of idle subjects, and deletes what has expired, among the next rows of each table. */
    sweep(now: number): void {
      inTransaction(database, 'BEGIN IMMEDIATE', () => {
        const holds = statements.holds.all(...sweptHold)
        const due = holds.filter((row) => row['lost'] === 0 && Number(row['expires']) <= now)
        for (const subject of new Set(due.map((row) => String(row['subject'])))) {
          open(subject, now).write()
        }
        const lastHold = endOf(holds, 'hold')
        if (lastHold) statements.dropHolds.run(...sweptHold, ...lastHold, now)
        sweptHold = nextOf(holds, lastHold)
        const counters = statements.counters.all(...sweptCounter)
        const lastCounter = endOf(counters, 'counter')
        if (lastCounter) statements.dropCounters.run(...sweptCounter, ...lastCounter, now)
        sweptCounter = nextOf(counters, lastCounter)
      })
    },
  }
}

type Row = Readonly<Record<string, unknown>>

function partsOf(row: Row): HeldPart[] {
  return JSON.parse(String(row['parts'])) as HeldPart[]
}

function endOf(rows: readonly Row[], name: string): [subject: string, name: string] | undefined {
  const last = rows.at(-1)
  return last && [String(last['subject']), String(last[name])]
}

function nextOf(rows: readonly Row[], last: readonly string[] = ['', '']): readonly string[] {
  return rows.length < sweepBatch ? ['', ''] : last
}

/** Does some work in a transaction of its own. */
export function inTransaction<T>(
  database: DatabaseSync,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: () => T,
): T {
  database.exec(begin)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function prepareStatements(database: DatabaseSync) {
  const one = 'WHERE subject = ? AND hold = ?'
  const page = (name: string) => `WHERE (subject, ${name}) > (?, ?)`
  return {
    counter: database.prepare(
      'SELECT spent, held FROM meter_counters WHERE subject = ? AND counter = ?',
    ),
    putCounter: database.prepare(`INSERT INTO meter_counters VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (subject, counter) DO UPDATE SET
        spent = excluded.spent, held = excluded.held, expires = excluded.expires`),
    dropCounter: database.prepare('DELETE FROM meter_counters WHERE subject = ? AND counter = ?'),
    due: database.prepare(`SELECT hold, parts FROM meter_holds
      WHERE subject = ? AND lost = 0 AND expires <= ? ORDER BY expires, hold LIMIT ${mostDue}`),
    hold: database.prepare(`SELECT parts FROM meter_holds ${one} AND (lost = 0 OR expires > ?)`),
    putHold: database.prepare(`INSERT INTO meter_holds VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (subject, hold) DO UPDATE SET
        lost = excluded.lost, expires = excluded.expires, parts = excluded.parts`),
    dropHold: database.prepare(`DELETE FROM meter_holds ${one}`),
    renew: database.prepare(`UPDATE meter_holds SET expires = ? ${one} AND lost = 0`),
    holds: database.prepare(`SELECT subject, hold, lost, expires FROM meter_holds
      ${page('hold')} ORDER BY subject, hold LIMIT ${sweepBatch}`),
    dropHolds: database.prepare(`DELETE FROM meter_holds ${page('hold')}
      AND (subject, hold) <= (?, ?) AND lost = 1 AND expires <= ?`),
    counters: database.prepare(`SELECT subject, counter FROM meter_counters
      ${page('counter')} ORDER BY subject, counter LIMIT ${sweepBatch}`),
    dropCounters: database.prepare(`DELETE FROM meter_counters ${page('counter')}
      AND (subject, counter) <= (?, ?) AND held = 0 AND expires <= ?`),
  }
}
