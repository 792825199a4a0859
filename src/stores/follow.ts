import { everySeconds } from '../lib/ticker.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { listAll } from './list-all.ts'
import type { ListedRecord, Records } from './store.ts'

const pollSeconds = 1

/** An unreachable store fails again and again. Errors are reported once in this time. */
const reportMs = 60_000

/** The options of `followRecords`. */
interface FollowRecordsOptions<T> {
  /** The records of a listed namespace. */
  readonly records: Pick<Records<T>, 'list' | 'version'>
  /**
   * Called with all records: at the start, and after every write of any process; not again before the
   * promise of the last call is resolved.
   */
  readonly onRecords: (records: readonly ListedRecord<T>[]) => MaybePromise<void>
  /** Called when the store fails, and once a minute while it does. */
  readonly onError: (error: unknown) => void
}

/** Follows the records of a namespace until it is closed. */
interface Follower {
  /** The last read failed, so the records may have changed since. */
  readonly isStale: boolean
  /** Reads the changes. Concurrent calls share one read. Never rejects. */
  catchUp(): Promise<void>
  close(): void
}

/**
 * Reads a namespace, and reads it again within two seconds of every write to it. Resolves after the
 * first attempt, also if it fails: an unreachable store is tried again.
 */
export async function followRecords<T>({
  records,
  onRecords,
  onError,
}: FollowRecordsOptions<T>): Promise<Follower> {
  let version: string | undefined
  let reportedAt = -Infinity
  let stale = false
  let reading: Promise<void> | undefined
  let closed = false

  async function read(): Promise<void> {
    const now = await records.version()
    if (now !== version) {
      const all = await listAll(records)
      if (closed) return
      await onRecords(all)
      // Set after the list: a failed list must be read again.
      version = now
    }
    stale = false
  }

  function fail(error: unknown): void {
    if (closed) return
    stale = true
    // A store that was emptied during an outage may count its versions from the beginning.
    version = undefined
    if (performance.now() - reportedAt < reportMs) return
    reportedAt = performance.now()
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
  const stop = everySeconds(pollSeconds, () => void catchUp())
  return {
    get isStale() {
      return stale
    },
    catchUp,
    close() {
      closed = true
      stop()
    },
  }
}
