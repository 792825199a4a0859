import type { ApiKey } from '../stores/key-ring.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { AdminServices } from './services.ts'
import { isUnavailable, quote } from './store-errors.ts'

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

/** API keys have such ids; plugins give their callers others, such as `@jwt:alice`. */
const idOfKey = /^[A-Za-z0-9]/

/**
 * Why a look-up for a key finds nothing: the key does not exist. `undefined`: the key exists, the store cannot say
 * it, or the id belongs to a caller that a plugin identifies.
 */
export async function whyNoKey(
  services: Parameters<typeof findCallKey>[0],
  id: string,
): Promise<string | undefined> {
  if (!idOfKey.test(id)) return undefined
  try {
    return (await findCallKey(services, id)) ? undefined : `There is no key ${quote(id)}.`
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  }
}
