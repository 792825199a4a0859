import { z } from 'zod'

import { everySeconds } from '../../lib/ticker.ts'
import type { MaybePromise } from '../../lib/maybe-promise.ts'
import type { Store } from '../../stores/store.ts'
import { processId } from './messages.ts'
import { bounded, count, problemsSchema, smallCount, text, time } from './values.ts'

/** The time between two heartbeats, in seconds. */
const beatSeconds = 2

/** How long a process is shown without a heartbeat, in milliseconds. */
const processTtlMs = 10_000

/** How long queries share one reading of the other processes, in milliseconds. */
const viewMs = 500

/** How long the description of this process is used, in milliseconds. */
const describedMs = 20

/** The heartbeats that a list examines, damaged ones included. */
const mostProcesses = 512

const processRecord = z.object({
  id: processId,
  version: text,
  startedAt: time,
  /** When the record was written, in milliseconds since 1970, by the clock of its process. */
  at: time,
  pid: smallCount,
  /** The number of the worker. Absent: the gateway has one process. */
  worker: smallCount.optional(),
  host: text,
  configuration: z.object({
    hash: text,
    loadedAt: time,
    problems: problemsSchema,
  }),
  draining: z.boolean(),
  ready: z.boolean(),
  inFlight: count,
  /** The longest delay of the event loop lately, in milliseconds. */
  loopLagMs: z.number().nonnegative(),
})

/** The record that a process writes about itself every two seconds. */
export type ProcessRecord = Readonly<z.infer<typeof processRecord>>

/** The configuration of a process. */
export type ConfigurationState = ProcessRecord['configuration']

/** A process as this one knows it. */
export interface KnownProcess extends ProcessRecord {
  /** The store does not answer, or the record no longer changes: this is what was known last. */
  readonly isStale: boolean
}

/** All processes on the store. */
export interface ProcessesView {
  /** This process first, if it has beaten. */
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

/** The options of `startPresence`. */
interface PresenceOptions {
  readonly store: Pick<Store, 'records'>
  readonly describe: () => MaybePromise<ProcessRecord>
  /** Called when the store fails, and when it works again. */
  readonly onStore: (isReachable: boolean, error?: unknown) => void
}

/** What this process knows of the store without asking it. */
export interface StoreState {
  /** Whether it has answered last: it is asked every two seconds at least. */
  readonly isReachable: boolean
}

/** Writes the record of this process, and reads the records of the others. */
interface Presence {
  view(options?: ViewOptions): Promise<ProcessesView>
  readonly storeState: StoreState
  /** Writes the record as it is now. Never rejects. */
  beat(): Promise<void>
  close(): Promise<void>
}

/** The processes but for this one. */
type OthersView = ProcessesView

/** Starts the presence of a process. The others do not see it before its first beat, which is the caller's. */
export function startPresence({ store, describe, onStore }: PresenceOptions): Presence {
  const records = store.records<ProcessRecord>('processes', { listed: true })
  const others = createOthers()
  const storeState = { isReachable: true }
  let writing: Promise<void> | undefined
  let isClosed = false
  let reading: { readonly at: number; readonly others: Promise<OthersView> } | undefined
  let view:
    | { readonly at: number; readonly of: OthersView; readonly all: Promise<ProcessesView> }
    | undefined
  let id: string | undefined

  function note(reachable: boolean, error?: unknown): void {
    if (reachable === storeState.isReachable || isClosed) return
    storeState.isReachable = reachable
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
      const all = await records.list({ limit: mostProcesses })
      note(true)
      return others.note(all)
    } catch (error) {
      note(false, error)
      return others.knownLast()
    }
  }

  async function withSelf(of: OthersView): Promise<ProcessesView> {
    const self = { ...(await describe()), isStale: false }
    return { ...of, processes: [self, ...of.processes.filter((one) => one.id !== self.id)] }
  }

  let stop: (() => void) | undefined
  return {
    storeState,
    async beat() {
      stop ??= everySeconds(beatSeconds, () => void beat())
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
      stop?.()
      await writing
      if (id !== undefined) await records.delete(id).catch(() => {})
    },
  }
}

/** A heartbeat, and when this process read it. By its own clock: the clocks of others may differ. */
interface Heard {
  readonly record: ProcessRecord
  /** When it was read last and, before, with other values. Milliseconds of `performance.now()`. */
  readonly readAt: number
  readonly changedAt: number
}

/** Processes that were seen so long ago are shown no more. */
const longestStaleMs = 60 * 60_000

/** Remembers the processes that were read. */
function createOthers() {
  let heard = new Map<string, Heard>()

  return {
    note(entries: readonly { readonly id: string; readonly value: unknown }[]): OthersView {
      const readAt = performance.now()
      const before = heard
      const unreadable: string[] = []
      heard = new Map()
      for (const { id, value } of entries) {
        const { data: record } = processRecord.safeParse(value)
        if (record?.id !== id) unreadable.push(bounded(id))
        else {
          const known = before.get(id)
          const changedAt = known?.record.at === record.at ? known.changedAt : readAt
          heard.set(id, { record, readAt, changedAt })
        }
      }
      return {
        // The store removes a record that its process does not renew, unless the record has no time to live.
        processes: [...heard.values()].map(({ record, changedAt }) => ({
          ...record,
          isStale: readAt - changedAt > processTtlMs,
        })),
        isComplete: unreadable.length === 0 && entries.length < mostProcesses,
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

/** The ids of processes whose present state is not known; `unknown` for some that were never seen. */
export function unreachableProcesses({
  processes,
  unreadable,
  isReachable,
}: ProcessesView): string[] {
  const stale = processes.filter(({ isStale }) => isStale).map(({ id }) => id)
  const silent = [...stale, ...unreadable]
  return isReachable || silent.length > 0 ? silent : ['unknown']
}
