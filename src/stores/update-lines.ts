import type { RecordsAdapter } from './adapter.ts'
import { openEnvelope, readEnvelope } from './envelopes.ts'
import { StoreUnavailable } from './store.ts'

type Change<T> = (value: T) => T | undefined

/** An update that waits for those before it. */
interface Waiting<T> {
  readonly change: Change<T>
  readonly resolve: (value: T | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The result of a change: the value after it, or its error. */
type Changed<T> = { readonly value: T } | { readonly error: unknown }

interface UpdateLinesOptions {
  /** See `RecordsOptions`. */
  readonly isPlain: boolean
  /** The number of attempts at an update that other processes may defeat. */
  readonly maxAttempts: number
}

/** The most updates of one record that wait: more fail at once. */
const mostWaiting = 1_000

/**
 * Updates records, one update of a record at a time: only updates of other processes can conflict with them.
 * Updates that wait for the same record with plain values are read and written together.
 */
export function createUpdateLines<T>(
  adapter: RecordsAdapter,
  { isPlain, maxAttempts }: UpdateLinesOptions,
): (id: string, change: Change<T>) => Promise<T | undefined> {
  const lines = new Map<string, Waiting<T>[]>()

  async function work(id: string, line: Waiting<T>[]): Promise<void> {
    while (line.length > 0) await settle(id, line.splice(0, isPlain ? line.length : 1))
    lines.delete(id)
  }

  async function settle(id: string, group: readonly Waiting<T>[]): Promise<void> {
    try {
      const changed = await update(id, group)
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = changed?.[index]
        if (result && 'error' in result) reject(result.error)
        else resolve(result?.value)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function update(
    id: string,
    group: readonly Waiting<T>[],
  ): Promise<readonly Changed<T>[] | undefined> {
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const found = await adapter.get(id)
      if (found === undefined) return undefined
      const envelope = await readEnvelope(found)
      const { value, isChanged, results } = changeAll(envelope.value as T, group)
      if (!isChanged && isPlain) return results
      // A change that leaves a value as it is may still have written into it.
      if (!isChanged) return results.map((one) => ('error' in one ? one : reopened(found)))
      const next = JSON.stringify({ ...envelope, value })
      if (await adapter.replace(id, found, next)) return results
    }
    throw tooBusy()
  }

  return (id, change) =>
    new Promise((resolve, reject) => {
      const waiting = { change, resolve, reject }
      const line = lines.get(id)
      if (!line) {
        const begun = [waiting]
        lines.set(id, begun)
        void work(id, begun)
      } else if (line.length < mostWaiting) line.push(waiting)
      else reject(tooBusy())
    })
}

/** Makes the changes in their order. One that throws changes nothing. */
function changeAll<T>(before: T, group: readonly Waiting<T>[]) {
  const results: Changed<T>[] = []
  let [value, isChanged] = [before, false]
  for (const { change } of group) {
    try {
      const changed = change(value)
      if (changed !== undefined) [value, isChanged] = [changed, true]
      results.push({ value })
    } catch (error) {
      results.push({ error })
    }
  }
  return { value, isChanged, results }
}

function reopened<T>(found: string): Changed<T> {
  return { value: openEnvelope(found).value as T }
}

/** The error of a change that others have defeated too often. */
export function tooBusy(): StoreUnavailable {
  return new StoreUnavailable('A change failed: other writers changed the record each time.')
}
