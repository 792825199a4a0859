import { listAll } from '../stores/list-all.ts'
import type { Sealer } from '../stores/sealing.ts'
import type { Store } from '../stores/store.ts'
import { accountRecords, credentialSubject } from '../stores/stored-accounts.ts'
import { readStoredAccount } from './stored-accounts.ts'

/** The result for each sealed credential of a store, by account id. */
export interface Resealed {
  /** Sealed with the newest key now. */
  readonly resealed: readonly string[]
  /** Sealed with it before. */
  readonly current: readonly string[]
  /** Accounts whose secrets no key opens, or whose records are damaged. They stay as they are. */
  readonly closed: readonly string[]
  /** Accounts that other processes, which run with former keys, seal again and again with another key. */
  readonly contested: readonly string[]
}

/** Records that change meanwhile are looked at again, this often at most. */
const mostPasses = 5

/**
 * Seals every credential of a store with the newest key. Accounts stay the same, with their versions. It
 * looks until every credential has the newest key, since a gateway without that key seals with a former one.
 * Rejects with `StoreUnavailable`; accounts sealed by then stay sealed, and a repetition does the rest.
 */
export async function resealAccounts(
  store: Pick<Store, 'records'>,
  sealer: Sealer,
): Promise<Resealed> {
  const resealed = new Set<string>()
  let now: Pass | undefined
  for (let passes = 0; passes < mostPasses && (now?.changed.length ?? 1) > 0; passes++) {
    now = await reseal(store, sealer)
    for (const id of now.changed) resealed.add(id)
  }
  const { current = [], closed = [], changed = [] } = now ?? {}
  return {
    resealed: current.filter((id) => resealed.has(id)),
    current: current.filter((id) => !resealed.has(id)),
    closed,
    contested: changed,
  }
}

/** The result of one pass over all records. */
interface Pass {
  readonly current: string[]
  readonly closed: string[]
  /** Accounts that were not sealed with the newest key when they were read. They may be now. */
  readonly changed: string[]
}

async function reseal(store: Pick<Store, 'records'>, sealer: Sealer): Promise<Pass> {
  const records = accountRecords(store)
  // Named places have nothing to seal.
  const places = { permits: () => false, forbidden: [] }
  const newest = sealer.newest()
  const pass: Pass = { current: [], closed: [], changed: [] }
  for (const { id, value } of await listAll(records)) {
    const { record } = readStoredAccount(id, value, { env: {}, sealer, places })
    const { sealed, changedAt } = record?.credential ?? {}
    if (record && !sealed) continue
    if (!record || !sealed || changedAt === undefined) pass.closed.push(id)
    else if (sealed.key === newest) pass.current.push(id)
    else {
      const subject = credentialSubject(record.account)
      const { secret } = sealer.open(sealed, subject)
      if (secret === undefined) pass.closed.push(id)
      else {
        const again = sealer.seal(secret, subject)
        await records.update(id, (present) => {
          // The next pass looks at a record that was changed meanwhile.
          if (JSON.stringify(present) !== JSON.stringify(value)) return undefined
          return { ...record, credential: { changedAt, sealed: again } }
        })
        pass.changed.push(id)
      }
    }
  }
  return pass
}
