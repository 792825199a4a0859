import { GraphQLError } from 'graphql'

import { GatewayError } from '../contract/errors.ts'
import { InvalidCursor, StoreUnavailable } from '../stores/store.ts'

/** The code of the error of a store that does not answer. */
const storeUnavailable = 'STORE_UNAVAILABLE'

/**
 * The error that a client gets for a failure of the store or for a cursor from elsewhere; `undefined` for
 * all other errors, which are defects.
 */
export function storeErrorOf(error: unknown): { code: string; message: string } | undefined {
  if (error instanceof InvalidCursor) return { code: badUserInput, message: error.message }
  return isUnavailable(error) ? { code: storeUnavailable, message: messageOf(error) } : undefined
}

const badUserInput = 'BAD_USER_INPUT'

/** The error of arguments that the schema alone cannot refuse. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: badUserInput } })
}

/** The error of a store may name its address. */
function messageOf(error: unknown): string {
  return GatewayError.isInstance(error) ? error.message : 'The store does not answer.'
}

/** Whether the store, or a look-up in it, has failed. */
export function isUnavailable(error: unknown): boolean {
  // The second is what plugins throw for it.
  if (GatewayError.isInstance(error))
    return ['lookup_unavailable', 'service_unavailable'].includes(error.code)
  return error instanceof StoreUnavailable
}

/** In characters. */
const longestQuote = 100

/** A text of a client in a message, cut off. */
export function quote(text: string): string {
  return `\`${text.length > longestQuote ? `${text.slice(0, longestQuote)}...` : text}\``
}
