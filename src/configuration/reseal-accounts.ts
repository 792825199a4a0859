import { listAll } from '../stores/list-all.ts'
import type { Sealer } from '../stores/sealing.ts'
import type { Store } from '../stores/store.ts'
import { accountRecords, credentialSubject } from '../stores/stored-accounts.ts'
import { readStoredAccount } from './stored-accounts.ts'

/** What became of the sealed credentials of a store, by account id. */
interface Resealed {
  /** Sealed with the newest key now. */
  readonly resealed: readonly string[]
  /** Sealed with it before. */
  readonly current: readonly string[]
  /** They open with none of the keys, or their records are damaged. They stay as they are. */
  readonly closed: readonly string[]
}

/**
 * Seals every credential of a store with the newest key. Accounts stay the same, with their versions.
 * Rejects with `StoreUnavailable`; what was sealed by then stays sealed, and a repetition does the rest.
 */
export async function resealAccounts(
  store: Pick<Store, 'records'>,
  sealer: Sealer,
): Promise<Resealed> {
  const records = accountRecords(store)
  // Named places have nothing to seal.
  const places = { permits: () => false }
  const newest = sealer.newest()
  const ids: Record<keyof Resealed, string[]> = { resealed: [], current: [], closed: [] }
  for (const { id, value } of await listAll(records)) {
    const { record } = readStoredAccount(id, value, { env: {}, sealer, places })
    const { sealed, changedAt } = record?.credential ?? {}
    if (record && !sealed) continue
    if (!record || !sealed || changedAt === undefined) ids.closed.push(id)
    else if (sealed.key === newest) ids.current.push(id)
    else {
      const subject = credentialSubject(record.account)
      const { secret } = sealer.open(sealed, subject)
      if (secret === undefined) ids.closed.push(id)
      else {
        const again = sealer.seal(secret, subject)
        await records.update(id, (present) => {
          // Unless it was changed meanwhile, which has sealed it with the newest key.
          if (JSON.stringify(present) !== JSON.stringify(value)) return undefined
          return { ...record, credential: { changedAt, sealed: again } }
        })
        ids.resealed.push(id)
      }
    }
  }
  return ids
}
