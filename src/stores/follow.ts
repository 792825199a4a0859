import { listAll } from './list-all.ts'
import type { Records } from './store.ts'

const pollInterval = 1000

/** A store that is away fails over and over: it is told of so often, in milliseconds. */
const outageMs = 60_000

export interface FollowRecordsOptions<T> {
  /** Of a listed namespace. */
  readonly records: Pick<Records<T>, 'list' | 'version'>
  /** Told of all records: at the start, and after every write of anybody. */
  readonly onRecords: (records: ReadonlyArray<{ id: string; value: T }>) => void
  /** Told when the store fails, and once a minute while it does. */
  readonly onError: (error: unknown) => void
}

/** Keeps up with the records of a namespace until it is closed. */
export interface Follower {
  /** The store cannot be read just now: there may be other records by now. */
  readonly isStale: boolean
  /** Looks for what was written since; whoever asks meanwhile shares the look. Never rejects. */
  catchUp(): Promise<void>
  close(): void
}

/**
 * Reads a namespace, and again within two seconds of every write to it. Resolves after the first
 * attempt, whether or not it succeeded: a store that is away is asked again.
 */
export async function followRecords<T>({
  records,
  onRecords,
  onError,
}: FollowRecordsOptions<T>): Promise<Follower> {
  let version: string | undefined
  let toldAt = -Infinity
  let stale = false
  let reading: Promise<void> | undefined
  let closed = false

  async function read(): Promise<void> {
    const now = await records.version()
    if (now !== version) {
      const all = await listAll(records)
      if (closed) return
      onRecords(all)
      // Only now: a failed list must be tried again.
      version = now
    }
    stale = false
  }

  function fail(error: unknown): void {
    if (closed) return
    stale = true
    // A store that was emptied while it was away may count its versions from the beginning.
    version = undefined
    if (performance.now() - toldAt < outageMs) return
    toldAt = performance.now()
    onError(error)
  }

  function catchUp(): Promise<void> {
    reading ??= read()
      .catch(fail)
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  await catchUp()
  const timer = setInterval(() => void catchUp(), pollInterval).unref()
  return {
    get isStale() {
      return stale
    },
    catchUp,
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}
