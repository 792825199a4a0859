import type { Store } from '../../stores/store.ts'
import { type ProcessRecord, listProcesses, processRecords, processTtlMs } from './record.ts'

/** The time between two heartbeats, in milliseconds. */
const beatMs = 2_000

/** What is read of the others is shared by the queries of this time, in milliseconds. */
const viewMs = 500

/** How long the description of this process is used, in milliseconds. */
const describedMs = 20

/** A process as this one knows it. */
export interface KnownProcess extends ProcessRecord {
  /** The store does not answer, and this is what was known last. */
  readonly isStale: boolean
}

/** All processes on the store. */
export interface ProcessesView {
  /** This process first. It is always there. */
  readonly processes: readonly KnownProcess[]
  /** False if the store does not answer: then there may be other processes. */
  readonly isComplete: boolean
}

/** The options of `startHeartbeat`. */
interface HeartbeatOptions {
  readonly store: Pick<Store, 'records'>
  readonly describe: () => ProcessRecord
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called when the store fails, and when it works again. */
  readonly onStore: (isReachable: boolean, error?: unknown) => void
}

/** Writes the record of this process, and reads those of the others. */
interface Heartbeat {
  view(): Promise<ProcessesView>
  /** Makes the next `view` read the others again. */
  forget(): void
  /** Writes the record now. Never rejects. */
  beat(): Promise<void>
  readonly isReachable: boolean
  close(): Promise<void>
}

/** Starts the heartbeat of a process. Resolves after the first one, also if the store fails. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { store, describe, now, onStore } = options
  const records = processRecords(store)
  let isReachable = true
  let writing: Promise<void> | undefined
  let isClosed = false
  let others: readonly ProcessRecord[] = []
  let reading: { readonly at: number; readonly others: Promise<OthersView> } | undefined
  let described: { readonly at: number; readonly self: KnownProcess } | undefined
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
      const record = describe()
      id = record.id
      await records.set(record.id, record, { ttlMs: processTtlMs })
      note(true)
    } catch (error) {
      note(false, error)
    }
  }

  async function readOthers(): Promise<OthersView> {
    try {
      others = await listProcesses(records)
      note(true)
      return { others: others.map(fresh), isComplete: true }
    } catch (error) {
      note(false, error)
      const known = others.filter(({ at }) => now() - at < longestStaleMs)
      return { others: known.map(stale), isComplete: false }
    }
  }

  /** This process as it is now. The fields of one query share the description. */
  function describeSelf(): KnownProcess {
    const at = performance.now()
    if (!described || at - described.at > describedMs)
      described = { at, self: { ...describe(), isStale: false } }
    return described.self
  }

  await beat()
  const timer = setInterval(() => void beat(), beatMs).unref()
  return {
    beat,
    forget: () => void (reading = undefined),
    get isReachable() {
      return isReachable
    },
    async view() {
      const at = performance.now()
      if (!reading || at - reading.at > viewMs) reading = { at, others: readOthers() }
      const { others: known, isComplete } = await reading.others
      const self = describeSelf()
      return { processes: [self, ...known.filter((one) => one.id !== self.id)], isComplete }
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
interface OthersView {
  readonly others: readonly KnownProcess[]
  readonly isComplete: boolean
}

/** Processes that were seen so long ago are shown no more. */
const longestStaleMs = 60 * 60_000

function fresh(one: ProcessRecord): KnownProcess {
  return { ...one, isStale: false }
}

function stale(one: ProcessRecord): KnownProcess {
  return { ...one, isStale: true }
}
