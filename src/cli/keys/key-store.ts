import { ConfigurationError } from '../../configuration/problems.ts'
import { openStore } from '../../stores/open.ts'
import type { Store } from '../../stores/store.ts'
import type { Invocation } from '../command.ts'
import { CommandError } from '../command.ts'
import { concernsStore, readConfigured, type Configured } from '../configured.ts'

/**
 * The configuration, as far as keys need it: other problems are `check`'s and `serve`'s. Throws
 * `ConfigurationError` where there is no telling which store is meant.
 */
export async function readForKeys(invocation: Invocation): Promise<Configured> {
  const configured = await readConfigured(invocation)
  const problems = configured.problems.filter((problem) => concernsStore(problem))
  if (problems.length > 0) throw new ConfigurationError(problems)
  return configured
}

/** Opens the store for one piece of work. Rejects with `StoreUnavailable`. */
export async function useStore<R>(
  { settings, storeBase }: Configured,
  work: (store: Store) => Promise<R>,
): Promise<R> {
  const store = await openStore(settings.store, { cwd: storeBase })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Throws where a change to a key of the store would be lost, or would not be what was meant. */
export function assertChangeable({ settings, file }: Configured, id: string): void {
  if (settings.keys.some((key) => key.id === id)) {
    throw new CommandError(`The key "${id}" is in the configuration: change it in ${file}.`)
  }
  if (settings.store !== 'memory:') return
  throw new ConfigurationError([
    {
      path: 'store',
      message: 'memory: is forgotten with this command, and no gateway would see the change',
      fix: 'use file:DIR, or put the key under keys in the configuration',
    },
  ])
}
