import { GatewayError } from '../contract/errors.ts'
import { StoreUnavailable } from '../stores/store.ts'

/** Whether the store, or a look-up in it, has failed. */
export function isUnavailable(error: unknown): boolean {
  // The second is what plugins throw for it.
  if (GatewayError.isInstance(error))
    return ['lookup_unavailable', 'service_unavailable'].includes(error.code)
  return error instanceof StoreUnavailable
}
