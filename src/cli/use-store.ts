import { ConfigurationError } from '../contract/problems.ts'
import { shownUrl } from '../configuration/shown-url.ts'
import { openStore, storeExists } from '../stores/open.ts'
import { type Store, StoreUnavailable } from '../stores/store.ts'
import type { Invocation } from './command.ts'
import { type CommandConfiguration, concernsStore } from './command-configuration.ts'
import { readOrDeriveConfiguration } from './first-run.ts'

/**
 * Reads the configuration for commands on records, which ignore problems outside of the store's setting.
 * Rejects with `ConfigurationError` if the setting of the store is invalid.
 */
export async function readForStore(invocation: Invocation): Promise<CommandConfiguration> {
  const configuration = await readOrDeriveConfiguration(invocation)
  const problems = configuration.problems.filter(concernsStore)
  if (problems.length > 0) throw new ConfigurationError(problems)
  return configuration
}

/** Opens the store, runs `work` and closes the store. Rejects with `StoreUnavailable`. */
export async function useStore<R>(
  { settings, storeBase }: CommandConfiguration,
  work: (store: Store) => Promise<R>,
): Promise<R> {
  const store = await openStore(settings.store, { cwd: storeBase })
  try {
    return await work(store)
  } catch (error) {
    throw namingStore(error, settings.store)
  } finally {
    await store.close()
  }
}

/** An error of a store with its address, without a login. Errors of other kinds and of a file stay as they are. */
export function namingStore(error: unknown, store: string): unknown {
  if (!(error instanceof StoreUnavailable) || !store.startsWith('redis')) return error
  return new StoreUnavailable(`${error.message} It is ${shownUrl(store)}.`, { cause: error })
}

/** Whether the store may contain records. Reading must not create a missing directory. */
export function mayContainRecords({ settings, storeBase }: CommandConfiguration): boolean {
  if (settings.store === 'memory:') return false
  return !settings.store.startsWith('file:') || storeExists(settings.store, { cwd: storeBase })
}

/** Throws `ConfigurationError` for a store in memory. `instead` describes an alternative. */
export function assertStorePersists(
  { settings }: Pick<CommandConfiguration, 'settings'>,
  instead: string,
): void {
  if (settings.store !== 'memory:') return
  throw new ConfigurationError([
    {
      path: 'store',
      message: 'memory: ends with this command, so no gateway would see the change',
      fix: `use file:DIR, or ${instead}`,
    },
  ])
}
