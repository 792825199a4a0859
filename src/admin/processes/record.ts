import { z } from 'zod'

import type { Records, Store } from '../../stores/store.ts'

/** How long a process is shown without a heartbeat, in milliseconds. */
export const processTtlMs = 10_000

/** Accounts of one heartbeat: those in trouble first, then those in use. */
export const mostAccounts = 200

/** Exclusions of one account in a heartbeat. */
export const mostExclusions = 10

/** The processes that a list shows. */
const mostProcesses = 256

/** Records of one turn of the event loop. */
const pageSize = 8

const text = z.string().max(512)
const id = z.string().regex(/^[\w.-]{1,64}$/)
const count = z.number().int().nonnegative()
/** A time as a `Date` can hold it. */
const time = z.number().nonnegative().max(8.64e15)

const exclusion = z.object({
  account: text,
  by: text,
  kind: z.enum(['circuit', 'refused', 'cooling', 'other']),
  reason: text,
  dialect: text.optional(),
  model: text.optional(),
  keyId: text.optional(),
  status: z.number().int().nonnegative().optional(),
  untilMs: time.optional(),
  isProbing: z.boolean().optional(),
})

const account = z.object({
  id: text,
  inFlight: count,
  calls: count,
  failures: count,
  exclusions: z.array(exclusion).max(mostExclusions),
})

const sample = z.object({
  at: time,
  calls: count,
  failures: count,
  outputs: count,
  outputMs: count,
  inFlight: count,
})

const problem = z.object({ path: text, message: text, fix: text })

const configuration = z.object({
  hash: text,
  loadedAt: time,
  problems: z.array(problem).max(20),
})

const processRecord = z.object({
  id,
  version: text,
  startedAt: time,
  /** When the record was written, in milliseconds since 1970. */
  at: time,
  pid: count,
  /** The number of the worker. Absent: the gateway has one process. */
  worker: count.optional(),
  host: text,
  configuration,
  draining: z.boolean(),
  ready: z.boolean(),
  inFlight: count,
  /** The longest delay of the event loop since the last heartbeat, in milliseconds. */
  loopLagMs: z.number().nonnegative(),
  accounts: z.array(account).max(mostAccounts),
  /** Accounts that did not fit. */
  moreAccounts: count,
  pulse: z.array(sample).max(200),
})

/** What a process writes about itself every two seconds. */
export type ProcessRecord = Readonly<z.infer<typeof processRecord>>

/** An account in the heartbeat of one process. */
export type ProcessAccount = ProcessRecord['accounts'][number]

/** The configuration of a process. */
export type ConfigurationState = ProcessRecord['configuration']

/** The heartbeats of all processes on a store. */
export function processRecords(store: Pick<Store, 'records'>): Records<ProcessRecord> {
  return store.records<ProcessRecord>('processes', { listed: true })
}

/**
 * The processes on a store by their heartbeats, without those that are damaged. Rejects with
 * `StoreUnavailable`.
 */
export async function listProcesses(
  records: Pick<Records<unknown>, 'list'>,
): Promise<ProcessRecord[]> {
  const found: ProcessRecord[] = []
  let after: string | undefined
  while (found.length < mostProcesses) {
    const page = await records.list({ limit: pageSize, ...(after !== undefined && { after }) })
    for (const entry of page) {
      const { success, data } = processRecord.safeParse(entry.value)
      if (success && data.id === entry.id) found.push(data)
    }
    after = page.at(-1)?.id
    if (page.length < pageSize) break
    // Large records must not make one long turn together.
    await new Promise(setImmediate)
  }
  return found
}

/** A text that fits a record. */
export function bounded(value: string): string {
  return value.length > 512 ? value.slice(0, 512) : value
}
