import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import type { Principal } from './principal.ts'
import type { Role } from './roles.ts'

/** An admin token without its secret. */
export interface AdminToken {
  readonly id: string
  /** `sha256:<64 hex digits>` of the secret. */
  readonly hash: string
  readonly role: Role
  /** In milliseconds since 1970. Absent: never. */
  readonly expiresAt?: number
}

/** Finds the principal of a request; `undefined` if it proves nothing. */
export type Authenticate = (
  request: IncomingMessage,
) => Promise<Principal | undefined> | Principal | undefined

/** Authenticates by `authorization: Bearer <token>`. */
export function createAuthenticate(
  tokens: () => readonly AdminToken[],
  now: () => number,
): Authenticate {
  return ({ headers }) => {
    const secret = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
    if (secret === undefined) return undefined
    const digest = Buffer.from(hash('sha256', secret, 'hex'))
    const token = tokens().find((one) =>
      isEqual(Buffer.from(one.hash.slice('sha256:'.length)), digest),
    )
    if (!token || (token.expiresAt ?? Infinity) <= now()) return undefined
    const { id, role, expiresAt } = token
    return { kind: 'token', id, role, ...(expiresAt !== undefined && { expiresAt }) }
  }
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
