import type { IncomingMessage } from 'node:http'

import { StoreUnavailable } from '../stores/store.ts'
import type { Principal } from './principal.ts'
import type { TokenRing } from './token-ring.ts'

/**
 * Finds the principal of a request; `undefined` if it proves nothing. `known` looks at the tokens in memory
 * only, `latest` reads tokens that are new in the store too. Rejects with `StoreUnavailable` if the store
 * cannot be read.
 */
export type Authenticate = (
  request: IncomingMessage,
  among: 'known' | 'latest',
) => Promise<Principal | undefined> | Principal | undefined

/** Authenticates by `authorization: Bearer <token>`. */
export function createAuthenticate(
  tokens: Pick<TokenRing, 'authenticate' | 'catchUp' | 'isStale'>,
): Authenticate {
  return async ({ headers }, among) => {
    const secret = bearerOf(headers.authorization)
    const known = tokens.authenticate(secret)
    if (known) return { kind: 'token', ...known }
    if (secret === undefined || among === 'known') return undefined
    // An unknown token may be a new one. Expired and revoked ones take the same way, and the same time.
    await tokens.catchUp()
    const token = tokens.authenticate(secret)
    if (token) return { kind: 'token', ...token }
    if (tokens.isStale) {
      throw new StoreUnavailable('Admin tokens cannot be looked up at the moment.')
    }
    return undefined
  }
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,512})$/i.exec(authorization ?? '')?.[1]
}
