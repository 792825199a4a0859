import type { ShownToken } from '../../admin/tokens.ts'
import type { Role } from '../../contract/roles.ts'
import type { AdminTokenNode } from '../remote/nodes.ts'
import { isoTimes } from '../table.ts'

/** An admin token without its secret and hash; times in ISO 8601. */
interface TokenDescription {
  readonly id: string
  readonly state: 'active' | 'expired' | 'revoked' | 'unreadable'
  readonly role?: Role
  readonly from: 'store' | 'configuration' | 'environment'
  readonly expires?: string
  readonly created?: string
  readonly createdBy?: string
  /** To the minute. */
  readonly lastUsed?: string
  readonly revoked?: string
}

/** The places of tokens by `AdminToken.origin` of the admin API. */
const origins = { FILE: 'configuration', ENVIRONMENT: 'environment', STORE: 'store' } as const

/** Describes an admin token as the admin API knows it. */
export function describeToken(token: ShownToken | AdminTokenNode): TokenDescription {
  const { id, state, role, origin, createdBy } = token
  return {
    id,
    state: state.toLowerCase() as TokenDescription['state'],
    ...(role && { role: role.toLowerCase() as Role }),
    from: origins[origin],
    ...isoTimes({ expires: token.expiresAt, created: token.createdAt }),
    ...(createdBy && { createdBy }),
    ...isoTimes({ lastUsed: token.lastUsedAt, revoked: token.revokedAt }),
  }
}

/** The titles of `tokenRow`. */
export const tokenTitles = ['ID', 'STATE', 'ROLE', 'EXPIRES', 'CREATED', 'LAST USED', 'FROM']

/** A token as the cells of a line. */
export function tokenRow(token: TokenDescription): string[] {
  const { id, state, role = '', from, expires = 'never', created = '', lastUsed = '' } = token
  return [id, state, role, expires, created, lastUsed, from]
}
