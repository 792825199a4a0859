import type { DatabaseSync } from 'node:sqlite'

import type {
  MeterOperation,
  MeterReply,
  WireAnswer,
  WireCharge,
  WireLeasePart,
  WireLimit,
  WireState,
  WireTake,
} from './meter-wire.ts'
import { leaseShare, meterKeepsMs } from './meter.ts'
import {
  type HeldPart,
  type MeterCounter,
  chargedWith,
  counterExpiry,
  counterName,
  indexOfPart,
  leased,
  lost,
  lostPart,
  setBack,
  settled,
  stateOf,
  takeOf,
  withPart,
} from './meter-rules.ts'

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

/** The rows that a sweep reads in each table. */
const sweepBatch = 2_000

/** A hold as its row has it. */
interface Hold {
  /** Whether the hold has expired, or marks a call that was settled without a hold: the mark has no parts. */
  readonly isLost: boolean
  readonly expires: number
  readonly parts: readonly HeldPart[]
}

/** The rows that are known between transactions: about 10 MB. */
const mostKnown = 20_000

/** What is known of a subject, and what its rows do not have yet. */
interface Subject {
  readonly name: string
  readonly counters: Map<string, MeterCounter>
  readonly changedCounters: Map<string, WireLimit>
  /** `undefined`: there is no row. */
  readonly holds: Map<string, Hold | undefined>
  readonly changedHolds: Set<string>
  /** No hold expires before. */
  dueFrom: number
}

/**
 * Prepares the operations of meters on one connection. They throw the errors of SQLite. `flush` writes what they have
 * changed: calls of one subject that come together would write the same counters again and again. Rows are known until
 * another connection writes to the database.
 */
export function prepareMeter(database: DatabaseSync) {
  const statements = prepareStatements(database)
  const subjects = new Map<string, Subject>()
  let version: unknown
  let isCurrent = false
  let sweptHold: readonly string[] = ['', '']
  let sweptCounter: readonly string[] = ['', '']

  /** Forgets rows that may have changed since the last transaction. */
  function refresh(): void {
    if (isCurrent) return
    isCurrent = true
    const found = statements.version.get()?.['data_version']
    if (found !== version) subjects.clear()
    version = found
  }

  function counterOf(subject: Subject, limit: WireLimit): MeterCounter {
    const name = counterName(limit)
    let counter = subject.counters.get(name)
    if (!counter) {
      const row = statements.counter.get(subject.name, name)
      counter = { spent: Number(row?.['spent'] ?? 0), held: Number(row?.['held'] ?? 0) }
      subject.counters.set(name, counter)
    }
    return counter
  }

  function setCounter(subject: Subject, limit: WireLimit, counter: MeterCounter): void {
    const name = counterName(limit)
    subject.counters.set(name, counter)
    subject.changedCounters.set(name, limit)
  }

  function holdOf(subject: Subject, id: string, now: number): Hold | undefined {
    if (!subject.holds.has(id)) {
      subject.holds.set(id, toHold(statements.hold.get(subject.name, id)))
    }
    const hold = subject.holds.get(id)
    return hold && (!hold.isLost || hold.expires > now) ? hold : undefined
  }

  function setHold(subject: Subject, id: string, hold: Hold | undefined): void {
    subject.holds.set(id, hold)
    subject.changedHolds.add(id)
    if (hold && !hold.isLost) subject.dueFrom = Math.min(subject.dueFrom, hold.expires)
  }

  /** Charges the floors of holds that have expired. */
  function open(name: string, now: number): Subject {
    let subject = subjects.get(name)
    if (!subject) {
      const dueFrom = Number(statements.dueFrom.get(name)?.['expires'] ?? Infinity)
      const maps = { counters: new Map(), changedCounters: new Map(), holds: new Map() }
      subject = { name, ...maps, changedHolds: new Set(), dueFrom }
      subjects.set(name, subject)
    }
    if (subject.dueFrom > now) return subject
    for (const row of statements.due.all(name, now)) {
      const id = String(row['hold'])
      if (!subject.holds.has(id)) subject.holds.set(id, toHold(row))
    }
    subject.dueFrom = Number(statements.dueAfter.get(name, now)?.['expires'] ?? Infinity)
    for (const [id, hold] of subject.holds) {
      if (!hold || hold.isLost) continue
      if (hold.expires > now) subject.dueFrom = Math.min(subject.dueFrom, hold.expires)
      else lose(subject, id, hold, now)
    }
    return subject
  }

  function lose(subject: Subject, id: string, { parts }: Hold, now: number): void {
    for (const part of parts) setCounter(subject, part[0], lost(part, counterOf(subject, part[0])))
    setHold(subject, id, { isLost: true, expires: now + meterKeepsMs, parts: parts.map(lostPart) })
  }

  const stateIn = (subject: Subject, limit: WireLimit, now: number) =>
    stateOf(limit, counterOf(subject, limit), now)

  function admit(
    now: number,
    name: string,
    id: string,
    expiresMs: number,
    takes: readonly WireTake[],
  ): WireAnswer {
    const subject = open(name, now)
    const hold = holdOf(subject, id, now)
    let parts = hold?.parts ?? []
    const isSettled = hold?.parts.length === 0
    const takings = takes.map((take) => {
      const own = parts[indexOfPart(parts, take[0])]?.[1] ?? 0
      return takeOf(take, counterOf(subject, take[0]), own, now)
    })
    const refusedBy = isSettled
      ? 0
      : takings.findIndex(({ why }, index) => why && takes[index]![0][5])
    if (refusedBy >= 0) {
      const { why = 'held', retryAfterMs = false } = isSettled ? {} : takings[refusedBy]!
      for (const [limit] of takes) {
        const counter = setBack(limit, counterOf(subject, limit), now)
        if (counter) setCounter(subject, limit, counter)
      }
      return [
        refusedBy,
        why,
        retryAfterMs,
        [],
        takes.map(([limit]) => stateIn(subject, limit, now)),
      ]
    }
    const exceeded: number[] = []
    for (const [index, { spent, held, part, why }] of takings.entries()) {
      setCounter(subject, takes[index]![0], { spent, held })
      if (why) exceeded.push(index)
      parts = withPart(parts, part)
    }
    if (takes.length > 0) setHold(subject, id, { isLost: false, expires: now + expiresMs, parts })
    return [-1, '', false, exceeded, takes.map(([limit]) => stateIn(subject, limit, now))]
  }

  function settle(
    now: number,
    name: string,
    id: string,
    unheld: boolean,
    charges: readonly WireCharge[],
  ): WireState[] {
    const subject = open(name, now)
    const hold = holdOf(subject, id, now)
    if (hold?.parts.length !== 0 && (hold || unheld)) {
      const left = [...charges]
      for (const part of hold?.parts ?? []) {
        const index = left.findIndex(([limit]) => limit[0] === part[0][0])
        const amount = index < 0 ? 0 : left.splice(index, 1)[0]![1]
        setCounter(subject, part[0], settled(part, counterOf(subject, part[0]), amount, now))
      }
      for (const [limit, amount] of left) {
        const { spent, held } = counterOf(subject, limit)
        setCounter(subject, limit, { spent: chargedWith(limit, spent, amount, now), held })
      }
      const mark = { isLost: true, expires: now + meterKeepsMs, parts: [] }
      setHold(subject, id, unheld ? mark : undefined)
    }
    return charges.map(([limit]) => stateIn(subject, limit, now))
  }

  function lease(
    now: number,
    name: string,
    id: string,
    expiresMs: number,
    asked: readonly WireLeasePart[],
  ): WireAnswer {
    const subject = open(name, now)
    const hold = holdOf(subject, id, now)
    const states = () => asked.map(([limit]) => stateIn(subject, limit, now))
    if (hold?.parts.length === 0) return [0, '', false, [], states()]
    let parts = hold?.parts ?? []
    const change = (holds: (part: WireLeasePart) => number) => {
      for (const one of asked) {
        const [limit, used, charged] = one
        const index = indexOfPart(parts, limit)
        const known = parts[index] ?? [limit, 0, charged, 0]
        const amounts = [used, holds(one)] as const
        const { part, ...counter } = leased(limit, known, counterOf(subject, limit), amounts, now)
        setCounter(subject, limit, counter)
        parts = index < 0 ? [...parts, part] : parts.with(index, part)
      }
    }
    change(([, , , kept]) => kept)
    const refusedBy = states().findIndex(
      ([, , remaining], index) => remaining < leaseShare * asked[index]![4],
    )
    if (refusedBy < 0) change(([, , , kept, wanted]) => kept + wanted)
    if (parts.length > 0) setHold(subject, id, { isLost: false, expires: now + expiresMs, parts })
    return [refusedBy, '', false, [], states()]
  }

  function renew(now: number, name: string, ids: readonly string[], expiresMs: number): void {
    const subject = open(name, now)
    for (const id of ids) {
      const hold = holdOf(subject, id, now)
      if (hold && !hold.isLost) setHold(subject, id, { ...hold, expires: now + expiresMs })
    }
  }

  function flush(now: number): void {
    let known = 0
    for (const subject of subjects.values()) {
      writeCounters(subject, now)
      writeHolds(subject)
      known += 1 + subject.counters.size + subject.holds.size
    }
    isCurrent = false
    if (known > mostKnown) subjects.clear()
  }

  function writeCounters({ name, counters, changedCounters }: Subject, now: number): void {
    for (const [counter, limit] of changedCounters) {
      const { spent, held } = counters.get(counter)!
      if (spent === 0 && held === 0) statements.dropCounter.run(name, counter)
      else statements.putCounter.run(name, counter, spent, held, counterExpiry(limit, now))
    }
    changedCounters.clear()
  }

  function writeHolds({ name, holds, changedHolds }: Subject): void {
    for (const id of changedHolds) {
      const hold = holds.get(id)
      if (hold) {
        const { isLost, expires, parts } = hold
        statements.putHold.run(name, id, Number(isLost), expires, JSON.stringify(parts))
      } else statements.dropHold.run(name, id)
      // Of calls in flight, the settlement follows.
      if (!hold || hold.isLost) holds.delete(id)
    }
    changedHolds.clear()
  }

  function forget(): void {
    subjects.clear()
    isCurrent = false
  }

  return {
    /** Does an operation, whose changes `flush` writes. */
    apply(operation: MeterOperation): MeterReply {
      refresh()
      switch (operation[0]) {
        case 'admit': {
          const [, now, subject, hold, expiresMs, takes] = operation
          return admit(now, subject, hold, expiresMs, takes)
        }
        case 'settle': {
          const [, now, subject, hold, unheld, charges] = operation
          return settle(now, subject, hold, unheld, charges)
        }
        case 'lease': {
          const [, now, subject, hold, expiresMs, parts] = operation
          return lease(now, subject, hold, expiresMs, parts)
        }
        case 'renew': {
          const [, now, subject, holds, expiresMs] = operation
          renew(now, subject, holds, expiresMs)
          return []
        }
        case 'reset': {
          const [, now, name, limit] = operation
          const subject = open(name, now)
          setCounter(subject, limit, { ...counterOf(subject, limit), spent: 0 })
          return []
        }
        case 'read': {
          const [, now, name, limits] = operation
          const subject = open(name, now)
          return limits.map((limit) => stateIn(subject, limit, now))
        }
      }
    },
    /** Writes what operations have changed, in the transaction that they have read in. */
    flush,
    /** Forgets what operations have changed: reads, and a transaction that has failed. */
    forget,
    /** Charges lost holds of idle subjects, and deletes what has expired, among the next rows of each table. */
    sweep(now: number): void {
      inTransaction(database, 'BEGIN IMMEDIATE', () => {
        refresh()
        flush(now)
        const holds = statements.holds.all(...sweptHold)
        const due = holds.filter((row) => row['lost'] === 0 && Number(row['expires']) <= now)
        for (const row of due) open(String(row['subject']), now)
        flush(now)
        const lastHold = endOf(holds, 'hold')
        if (lastHold) statements.dropHolds.run(...sweptHold, ...lastHold, now)
        sweptHold = nextOf(holds, lastHold)
        const counters = statements.counters.all(...sweptCounter)
        const lastCounter = endOf(counters, 'counter')
        if (lastCounter) statements.dropCounters.run(...sweptCounter, ...lastCounter, now)
        sweptCounter = nextOf(counters, lastCounter)
      })
      forget()
    },
  }
}

type Row = Readonly<Record<string, unknown>>

function toHold(row: Row | undefined): Hold | undefined {
  if (!row) return undefined
  const parts = JSON.parse(String(row['parts'])) as HeldPart[]
  return { isLost: row['lost'] === 1, expires: Number(row['expires']), parts }
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
    version: database.prepare('PRAGMA data_version'),
    counter: database.prepare(
      'SELECT spent, held FROM meter_counters WHERE subject = ? AND counter = ?',
    ),
    putCounter: database.prepare(`INSERT INTO meter_counters VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (subject, counter) DO UPDATE SET
        spent = excluded.spent, held = excluded.held, expires = excluded.expires`),
    dropCounter: database.prepare('DELETE FROM meter_counters WHERE subject = ? AND counter = ?'),
    due: database.prepare(`SELECT hold, lost, expires, parts FROM meter_holds
      WHERE subject = ? AND lost = 0 AND expires <= ?`),
    dueFrom: database.prepare(
      'SELECT min(expires) AS expires FROM meter_holds WHERE subject = ? AND lost = 0',
    ),
    dueAfter: database.prepare(`SELECT min(expires) AS expires FROM meter_holds
      WHERE subject = ? AND lost = 0 AND expires > ?`),
    hold: database.prepare(`SELECT lost, expires, parts FROM meter_holds ${one}`),
    putHold: database.prepare(`INSERT INTO meter_holds VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (subject, hold) DO UPDATE SET
        lost = excluded.lost, expires = excluded.expires, parts = excluded.parts`),
    dropHold: database.prepare(`DELETE FROM meter_holds ${one}`),
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
