import { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import { adminAccessShape } from './admin-access-schema.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'
import type { AdminAccessSetting } from './settings.ts'

const { allowedHosts: hosts, trustedProxies: proxies, oidc: provider } = adminAccessShape
const schema = z.object({ allowedHosts: hosts, trustedProxies: proxies, oidc: provider })

/**
 * Reads how the admin address is reached; `undefined` if nothing is set. The shape is checked with `admin`
 * as a whole.
 */
export function checkAdminAccess(
  admin: unknown,
  environment: EnvironmentVariables,
  problems: Problem[],
): AdminAccessSetting | undefined {
  const access = schema.safeParse(admin ?? {}).data ?? {}
  if (Object.keys(access).length === 0) return undefined
  const { allowedHosts = [], trustedProxies = [], oidc } = access
  const clientSecret =
    oidc && resolveSecret(oidc.clientSecret, 'admin.oidc.clientSecret', environment, problems)
  if (!oidc || clientSecret === undefined) return { allowedHosts, trustedProxies }
  const { scopes = ['openid', 'profile', 'email'], groupsClaim = 'groups' } = oidc
  const { issuer, clientId, roles, redirectUrl } = oidc
  return {
    allowedHosts,
    trustedProxies,
    oidc: {
      issuer,
      clientId,
      clientSecret,
      scopes: scopes.includes('openid') ? scopes : ['openid', ...scopes],
      groupsClaim,
      roles,
      ...(redirectUrl !== undefined && { redirectUrl }),
    },
  }
}
