import { GraphQLError } from 'graphql'

import { GatewayError } from '../contract/errors.ts'
import { InvalidCursor } from '../stores/store.ts'
import { isUnavailable } from './unavailable.ts'

/** Turns the failures of a read into errors with a code: those of other kinds are defects. */
export async function readStore<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof InvalidCursor) throw badInput(error.message)
    if (!isUnavailable(error)) throw error
    throw new GraphQLError(messageOf(error), { extensions: { code: 'STORE_UNAVAILABLE' } })
  }
}

/** The error of arguments that the schema alone cannot refuse. */
export function badInput(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } })
}

/** The error of a store may name its address. */
function messageOf(error: unknown): string {
  return GatewayError.isInstance(error) ? error.message : 'The store does not answer.'
}
