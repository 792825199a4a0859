import { GatewayError } from '../contract/errors.ts'
import { StoreUnavailable } from '../stores/store.ts'

/** Whether the store, or a look-up in it, has failed. */
export function isUnavailable(error: unknown): boolean {
  if (GatewayError.isInstance(error)) return error.code === 'lookup_unavailable'
  return error instanceof StoreUnavailable
}
