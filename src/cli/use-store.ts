import { ConfigurationError } from '../contract/problems.ts'
import { openStore, storeExists } from '../stores/open.ts'
import type { Store } from '../stores/store.ts'
import { type CommandConfiguration, concernsStore } from './command-configuration.ts'

/** Throws `ConfigurationError` where there is no telling which store is meant. */
export function assertStoreValid({ problems }: Pick<CommandConfiguration, 'problems'>): void {
  const inTheWay = problems.filter((problem) => concernsStore(problem))
  if (inTheWay.length > 0) throw new ConfigurationError(inTheWay)
}

/** Opens the store for one piece of work. Rejects with `StoreUnavailable`. */
export async function useStore<R>(
  { settings, storeBase }: CommandConfiguration,
  work: (store: Store) => Promise<R>,
): Promise<R> {
  const store = await openStore(settings.store, { cwd: storeBase })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Whether anything may be in the store. A directory that is not there yet is not to be made for a look. */
export function mayContainRecords({ settings, storeBase }: CommandConfiguration): boolean {
  if (settings.store === 'memory:') return false
  return !settings.store.startsWith('file:') || storeExists(settings.store, { cwd: storeBase })
}

/** Throws where a change would be lost with the command; `instead` is how to get it all the same. */
export function assertStorePersists(
  { settings }: Pick<CommandConfiguration, 'settings'>,
  instead: string,
): void {
  if (settings.store !== 'memory:') return
  throw new ConfigurationError([
    {
      path: 'store',
      message: 'memory: is forgotten with this command, and no gateway would see the change',
      fix: `use file:DIR, or ${instead}`,
    },
  ])
}
