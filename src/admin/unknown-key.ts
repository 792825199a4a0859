import { findCallKey } from './call-key.ts'
import { quote } from './explain.ts'
import { isUnavailable } from './unavailable.ts'

/** Why a look-up for a key finds nothing: there is no such key. `undefined`: there is, or the store cannot say it. */
export async function whyNoKey(
  services: Parameters<typeof findCallKey>[0],
  id: string,
): Promise<string | undefined> {
  try {
    return (await findCallKey(services, id)) ? undefined : `There is no key ${quote(id)}.`
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  }
}
