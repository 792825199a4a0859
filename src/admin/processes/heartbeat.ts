import type { MaybePromise } from '../../lib/maybe-promise.ts'
import type { Store } from '../../stores/store.ts'
import { shiftSamples } from './pulse.ts'
import {
  type ProcessList,
  type ProcessRecord,
  listProcesses,
  processRecords,
  processTtlMs,
} from './record.ts'

/** The time between two heartbeats, in milliseconds. */
const beatMs = 2_000

/** What is read of the others is shared by the queries of this time, in milliseconds. */
const viewMs = 500

/** How long the description of this process is used, in milliseconds. */
const describedMs = 20

/** A process as this one knows it. */
export interface KnownProcess extends ProcessRecord {
  /** The store does not answer, or the record no longer changes: this is what was known last. */
  readonly isStale: boolean
}

/** All processes on the store. */
export interface ProcessesView {
  /** This process first. It is always there. */
  readonly processes: readonly KnownProcess[]
  /** False if the store does not answer, or a record cannot be read: there may be other processes. */
  readonly isComplete: boolean
  /** Whether the store answers. */
  readonly isReachable: boolean
  /** The ids of records that cannot be read. */
  readonly unreadable: readonly string[]
}

/** The options of `view`. */
export interface ViewOptions {
  /** Reads the others again, whenever they were read last. */
  readonly afresh?: boolean
}

/** The options of `startHeartbeat`. */
interface HeartbeatOptions {
  readonly store: Pick<Store, 'records'>
  readonly describe: () => MaybePromise<ProcessRecord>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called when the store fails, and when it works again. */
  readonly onStore: (isReachable: boolean, error?: unknown) => void
}

/** Writes the record of this process, and reads those of the others. */
interface Heartbeat {
  view(options?: ViewOptions): Promise<ProcessesView>
  /** Writes the record as it is now. Never rejects. */
  beat(): Promise<void>
  close(): Promise<void>
}

/** Starts the heartbeat of a process. Its first beat is the caller's. */
export function startHeartbeat({ store, describe, now, onStore }: HeartbeatOptions): Heartbeat {
  const records = processRecords(store)
  const others = createOthers(now)
  let isReachable = true
  let writing: Promise<void> | undefined
  let isClosed = false
  let reading: { readonly at: number; readonly others: Promise<OthersView> } | undefined
  let view:
    | { readonly at: number; readonly of: OthersView; readonly all: Promise<ProcessesView> }
    | undefined
  let id: string | undefined

  function note(reachable: boolean, error?: unknown): void {
    if (reachable === isReachable || isClosed) return
    isReachable = reachable
    onStore(reachable, error)
  }

  /** A slow store must not collect writes, so that concurrent calls share one. */
  function beat(): Promise<void> {
    if (isClosed) return Promise.resolve()
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function write(): Promise<void> {
    try {
      const record = await describe()
      id = record.id
      await records.set(record.id, record, { ttlMs: processTtlMs })
      note(true)
    } catch (error) {
      note(false, error)
    }
  }

  async function readOthers(): Promise<OthersView> {
    try {
      const read = others.note(await listProcesses(records))
      note(true)
      return read
    } catch (error) {
      note(false, error)
      return others.knownLast()
    }
  }

  async function withSelf(of: OthersView): Promise<ProcessesView> {
    const self = { ...(await describe()), isStale: false }
    return { ...of, processes: [self, ...of.processes.filter((one) => one.id !== self.id)] }
  }

  let timer: NodeJS.Timeout | undefined
  return {
    async beat() {
      timer ??= setInterval(() => void beat(), beatMs).unref()
      // The write that is under way may have begun before a change.
      await writing
      await beat()
    },
    async view({ afresh = false } = {}) {
      const at = performance.now()
      if (afresh || !reading || at - reading.at > viewMs) reading = { at, others: readOthers() }
      const of = await reading.others
      if (view?.of !== of || performance.now() - view.at > describedMs) {
        // The fields of one query share the description.
        view = { at: performance.now(), of, all: withSelf(of) }
      }
      return view.all
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await writing
      if (id !== undefined) await records.delete(id).catch(() => {})
    },
  }
}

/** The processes but for this one. */
type OthersView = ProcessesView

/** A heartbeat, and when this process read it. By its own clock: those of others may differ. */
interface Heard {
  readonly record: ProcessRecord
  /** Its `at`, by the clock of its process. */
  readonly writtenAt: number
  /** When it was read last and, before, with other values. Milliseconds of `performance.now()`. */
  readonly readAt: number
  readonly changedAt: number
}

/** Processes that were seen so long ago are shown no more. */
const longestStaleMs = 60 * 60_000

/** Remembers the processes that were read. */
function createOthers(now: () => number) {
  let heard = new Map<string, Heard>()

  return {
    note({ processes, unreadable, isCut }: ProcessList): OthersView {
      const readAt = performance.now()
      const before = heard
      heard = new Map(
        processes.map((record) => {
          const known = before.get(record.id)
          const { at: writtenAt } = record
          const changedAt = known?.writtenAt === writtenAt ? known.changedAt : readAt
          return [record.id, { record: inOwnTime(record, now()), writtenAt, readAt, changedAt }]
        }),
      )
      return {
        // The store removes what is not renewed, unless it was written without an end.
        processes: [...heard.values()].map(({ record, changedAt }) => ({
          ...record,
          isStale: readAt - changedAt > processTtlMs,
        })),
        isComplete: unreadable.length === 0 && !isCut,
        isReachable: true,
        unreadable,
      }
    },
    knownLast(): OthersView {
      const oldest = performance.now() - longestStaleMs
      const known = [...heard.values()].filter(({ readAt }) => readAt > oldest)
      return {
        processes: known.map(({ record }) => ({ ...record, isStale: true })),
        isComplete: false,
        isReachable: false,
        unreadable: [],
      }
    },
  }
}

/** The pulse of a process whose clock differs is shown at the times of this one. */
function inOwnTime(record: ProcessRecord, now: number): ProcessRecord {
  const aheadMs = now - record.at
  return Math.abs(aheadMs) <= processTtlMs
    ? record
    : { ...record, pulse: shiftSamples(record.pulse, aheadMs) }
}
