import { findCallKey } from './call-key.ts'
import { quote } from './explain.ts'
import { isUnavailable } from './unavailable.ts'

/** API keys have such ids; plugins give their callers others, such as `@jwt:alice`. */
const idOfKey = /^[A-Za-z0-9]/

/**
 * Why a look-up for a key finds nothing: there is no such key. `undefined`: there is, the store cannot say it, or
 * the id is that of a caller that a plugin identifies.
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
