import { isVersion } from './record-values.ts'
import { type Records, type Store, UnreadableRecord } from './store.ts'

/** A record that counts its changes. */
interface Versioned {
  readonly version: number
}

/**
 * Adds a record with a version that no former record of its id had, so that `expectedVersion` never means
 * another one; 1 for an id without a former record. `undefined` if the id exists.
 */
export async function addVersioned<T extends Versioned>(
  store: Pick<Store, 'records'>,
  records: Records<T>,
  { namespace, id, record }: { namespace: string; id: string; record: Omit<T, 'version'> },
): Promise<T | undefined> {
  const last = () => lastVersion(store, namespace, id)
  const added = { ...record, version: (await last()) + 1 } as T
  if (!(await records.add(id, added))) return undefined
  // A former record may have been deleted between the look at its version and the addition.
  const former = await last()
  if (former < added.version) return added
  const renumbered = { ...added, version: former + 1 }
  await records.update(id, (known) => (known.version === added.version ? renumbered : undefined))
  return renumbered
}

/** Deletes a record of this version; whether it did. Its id never has this version again. */
export async function deleteVersioned<T extends Versioned>(
  store: Pick<Store, 'records'>,
  records: Records<T>,
  { namespace, id, version }: { namespace: string; id: string; version: number },
): Promise<boolean> {
  const former = formerVersions(store, namespace)
  // Written first: a record without its deletion costs a number, the reverse would use one twice.
  if (!(await former.add(id, version))) {
    const change = (known: unknown) => (isFormer(known) && known >= version ? undefined : version)
    await former.update(id, change).catch(ifUnreadable)
  }
  return await records.deleteIf(id, (known) => Object(known).version === version)
}

/** The version of the last deleted record of an id; 0 for none, and for a damaged record of it. */
async function lastVersion(
  store: Pick<Store, 'records'>,
  namespace: string,
  id: string,
): Promise<number> {
  const known = await formerVersions(store, namespace).get(id).catch(ifUnreadable)
  return isFormer(known) ? known : 0
}

/** The greatest former version that counts: a record behind it may change a thousand million times. */
const greatestFormer = 1_000_000_000

function isFormer(value: unknown): value is number {
  return isVersion(value) && value <= greatestFormer
}

function ifUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableRecord)) throw error
}

/** The last versions of deleted records, by id. */
function formerVersions(store: Pick<Store, 'records'>, namespace: string): Records<unknown> {
  return store.records(`${namespace}-former-versions`)
}
