import type { ApiKey } from '../stores/key-ring.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { AdminServices } from './services.ts'

/**
 * The key of an id as calls know it, also one that another process has just created. Rejects with
 * `StoreUnavailable` if the store cannot say whether there is one.
 */
export async function findCallKey(
  { running: { keys } }: { readonly running: Pick<AdminServices['running'], 'keys'> },
  id: string,
): Promise<ApiKey | undefined> {
  if (!keys.get(id)) await keys.catchUp()
  const key = keys.get(id)
  if (!key && keys.isStale)
    throw new StoreUnavailable('API keys cannot be looked up at the moment.')
  return key
}
