import { z } from 'zod'

import { nextTurn } from '../../lib/turns.ts'
import type { Records, Store } from '../../stores/store.ts'
import { count, sampleSchema, smallCount, time } from './values.ts'

/** How long a process is shown without a heartbeat, in milliseconds. */
export const processTtlMs = 10_000

/** Accounts of one heartbeat: those in trouble first, then those in use. */
export const mostAccounts = 200

/** Exclusions of one account in a heartbeat: the gravest. */
export const mostExclusions = 10

/** The heartbeats that a list examines, damaged ones included. */
const mostProcesses = 512

/** Records of one read. */
const pageSize = 8

/** In characters. */
const longestText = 512

/** Cut off rather than refused: another version of the gateway may write more. */
const text = z.string().transform(bounded)
const id = z.string().regex(/^[\w.-]{1,64}$/)

/** A list of at most so many items; the others are not even examined. */
function upTo<Item extends z.ZodType>(most: number, item: Item) {
  const cut = (value: unknown) => (Array.isArray(value) ? value.slice(0, most) : value)
  return z.preprocess(cut, z.array(item))
}

const exclusion = z.object({
  account: text,
  by: text,
  kind: z.enum(['circuit', 'refused', 'cooling', 'other']).catch('other'),
  reason: text,
  dialect: text.optional(),
  model: text.optional(),
  keyId: text.optional(),
  status: smallCount.optional(),
  untilMs: time.optional(),
  isProbing: z.boolean().optional(),
})

const account = z.object({
  id: text,
  inFlight: count,
  calls: count,
  failures: count,
  exclusions: upTo(mostExclusions, exclusion),
  /** Exclusions that did not fit. Absent: an earlier version wrote it. */
  moreExclusions: count.optional(),
})

const problem = z.object({ path: text, message: text, fix: text })

const configuration = z.object({
  hash: text,
  loadedAt: time,
  problems: upTo(20, problem),
})

const processRecord = z.object({
  id,
  version: text,
  startedAt: time,
  /** When the record was written, in milliseconds since 1970, by the clock of its process. */
  at: time,
  pid: smallCount,
  /** The number of the worker. Absent: the gateway has one process. */
  worker: smallCount.optional(),
  host: text,
  configuration,
  draining: z.boolean(),
  ready: z.boolean(),
  inFlight: count,
  /** The longest delay of the event loop lately, in milliseconds. */
  loopLagMs: z.number().nonnegative(),
  accounts: upTo(mostAccounts, account),
  /** Accounts that did not fit. */
  moreAccounts: count,
  /** Those of them that are in trouble. Absent: an earlier version wrote it, and it may be all of them. */
  moreInTrouble: count.optional(),
  pulse: upTo(200, sampleSchema),
})

/** What a process writes about itself every two seconds. */
export type ProcessRecord = Readonly<z.infer<typeof processRecord>>

/** An account in the heartbeat of one process. */
export type ProcessAccount = ProcessRecord['accounts'][number]

/** The configuration of a process. */
export type ConfigurationState = ProcessRecord['configuration']

/** The heartbeats on a store. */
export interface ProcessList {
  readonly processes: readonly ProcessRecord[]
  /** The ids of records that cannot be read: there may be processes behind them. */
  readonly unreadable: readonly string[]
  /** There are more records than a list examines. */
  readonly isCut: boolean
}

/** The heartbeats of all processes on a store. */
export function processRecords(store: Pick<Store, 'records'>): Records<ProcessRecord> {
  return store.records<ProcessRecord>('processes', { listed: true })
}

/** The processes on a store by their heartbeats. Rejects with `StoreUnavailable`. */
export async function listProcesses(records: Pick<Records<unknown>, 'list'>): Promise<ProcessList> {
  const processes: ProcessRecord[] = []
  const unreadable: string[] = []
  let after: string | undefined
  for (let examined = 0; examined < mostProcesses; examined += pageSize) {
    const page = await records.list({ limit: pageSize, ...(after !== undefined && { after }) })
    for (const entry of page) {
      const { success, data } = processRecord.safeParse(entry.value)
      if (success && data.id === entry.id) processes.push(data)
      else unreadable.push(bounded(entry.id))
    }
    after = page.at(-1)?.id
    if (page.length < pageSize) return { processes, unreadable, isCut: false }
    // Large records must not make one long turn together.
    await nextTurn()
  }
  return { processes, unreadable, isCut: true }
}

/** A text that fits a record. */
export function bounded(value: string): string {
  return value.length > longestText ? value.slice(0, longestText) : value
}
