import type { OidcSetting } from '../configuration/settings.ts'
import { type Role, isAtLeast } from './roles.ts'
import type { Grant, Rights } from './sessions.ts'

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
  readonly findToken: FindToken
  /** The provider of OpenID Connect that is configured now. */
  readonly oidc: () => OidcSetting | undefined
}

/**
 * Creates what says which rights a session has now: those of its token, as long as this is the same, or
 * those that the configuration gives to its user's groups.
 */
export function createRightsOf({
  findToken,
  oidc,
}: RightsOptions): (grant: Grant) => Promise<Rights | undefined> {
  return async (grant) => {
    if (grant.kind === 'oidc') {
      const setting = oidc()
      if (setting?.issuer !== grant.issuer) return undefined
      const role = roleOfGroups(grant.groups, setting)
      return role && { role }
    }
    const token = await findToken(grant.id)
    if (token?.hash !== grant.hash) return undefined
    const { role, expiresAt } = token
    return { role, ...(expiresAt !== undefined && { expiresAt }) }
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
