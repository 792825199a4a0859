import type { OidcSetting } from '../configuration/settings.ts'
import { StoreUnavailable } from '../stores/store.ts'
import { type Role, isAtLeast } from './roles.ts'
import type { Grant, Rights } from './sessions.ts'
import type { TokenRing } from './token-ring.ts'

/** A token that is valid now, without its secret. */
interface KnownToken {
  /** `sha256:<64 hex digits>` of the secret. */
  readonly hash: string
  readonly role: Role
  /** In milliseconds since 1970. Absent: never. */
  readonly expiresAt?: number | undefined
}

/** Finds a token that is valid now by its id: neither revoked nor expired. */
export type FindToken = (id: string) => Promise<KnownToken | undefined> | KnownToken | undefined

/** Options of `createRightsOf`. */
interface RightsOptions {
  readonly tokens: Pick<TokenRing, 'find' | 'stored' | 'catchUp' | 'isStale'>
  /** The provider of OpenID Connect that is configured now. */
  readonly oidc: () => OidcSetting | undefined
}

/**
 * Creates the function that returns the rights of a session now: the rights of its token, as long as the token is
 * unchanged and valid, or the rights that the configuration gives to its user's groups. Another process may know a
 * token or a configuration that this process does not know: such a session is not over. Rejects with
 * `StoreUnavailable` if the store cannot say whether there is the token.
 */
export function createRightsOf({
  tokens,
  oidc,
}: RightsOptions): (grant: Grant) => Promise<Rights | 'none' | 'over'> {
  async function rightsOfToken({ id, hash }: Grant & { kind: 'token' }): Promise<Rights | 'none'> {
    // Another process may have created the token just now.
    if (tokens.find(id)?.hash !== hash) await tokens.catchUp()
    const token = tokens.find(id)
    if (token?.hash === hash) {
      const { role, expiresAt } = token
      return { role, ...(expiresAt !== undefined && { expiresAt }) }
    }
    if (tokens.isStale)
      throw new StoreUnavailable('Admin tokens cannot be looked up at the moment.')
    return 'none'
  }

  /** The store's record of a token is the same for all processes, and stays. */
  function isOver({ id, hash }: Grant & { kind: 'token' }): boolean {
    const stored = tokens.stored.find((token) => token.id === id)
    if (!stored || 'unreadable' in stored) return false
    return stored.revokedAt !== undefined || stored.hash !== hash
  }

  return async (grant) => {
    if (grant.kind === 'oidc') {
      const setting = oidc()
      if (setting?.issuer !== grant.issuer) return 'none'
      const role = roleOfGroups(grant.groups, setting)
      return role ? { role } : 'none'
    }
    const rights = await rightsOfToken(grant)
    return rights === 'none' && isOver(grant) ? 'over' : rights
  }
}

/** The greatest role that the configuration gives to one of these groups. */
export function roleOfGroups(
  groups: readonly string[],
  { roles }: Pick<OidcSetting, 'roles'>,
): Role | undefined {
  return groups
    .filter((group) => Object.hasOwn(roles, group))
    .map((group) => roles[group]!)
    .reduce<Role | undefined>(
      (most, role) => (most === undefined || isAtLeast(role, most) ? role : most),
      undefined,
    )
}
