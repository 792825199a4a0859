import { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import { hashSecret } from '../stores/key-secret.ts'
import { defined, isObject } from '../lib/json/object.ts'
import { adminSchema, adminTokenSchema, sessionIdle } from './admin-schema.ts'
import { repeatedIds } from './check-names.ts'
import { checkHash, sameSecret, shortSecret } from './check-secret.ts'
import { configSchema } from './schema.ts'
import { type EnvironmentVariables, resolveSecret } from './secrets.ts'
import type { KeySetting } from './key-schema.ts'
import type { AdminAccessSetting, AdminTokenSetting } from './settings.ts'
import { checkShape } from './shape.ts'

/** The id of the admin token of the environment. */
export const environmentTokenId = 'environment'

/** The variable with an admin token. */
const variable = 'DRAGOMAN_ADMIN_TOKEN'

/** A shorter secret can be guessed. In characters. */
const shortestSecret = 32

// `checkAdminTokens` checks the tokens one by one.
const schema = adminSchema.extend({ tokens: z.unknown().optional() })

/** The settings of `admin` as the file has them, without its tokens. */
export function checkAdmin(
  value: unknown,
  problems: Problem[],
): Omit<z.output<typeof schema>, 'tokens'> | false {
  if (value === false) return false
  // The union of objects and false would hide which of the settings is invalid.
  const part = isObject(value) || value === undefined ? schema : configSchema.shape.admin
  return checkShape(part, value === undefined ? {} : value, 'admin', problems) || schema.parse({})
}

/** How the admin address is reached, and its provider of OpenID Connect; `undefined` if nothing is set. */
export function adminAccessOf(
  {
    allowedHosts,
    trustedProxies,
    console: hasConsole,
    traceUrl,
    sessions,
    oidc,
  }: z.output<typeof schema>,
  env: EnvironmentVariables,
  problems: Problem[],
): AdminAccessSetting | undefined {
  const { idleMs } = sessions
  const others = {
    ...(!hasConsole && { console: false as const }),
    ...(traceUrl !== undefined && { traceUrl }),
    ...(idleMs !== sessionIdle.usual && { sessionIdleMs: idleMs }),
  }
  const access = { allowedHosts, trustedProxies, ...others }
  const clientSecret =
    oidc && resolveSecret(oidc.clientSecret, 'admin.oidc.clientSecret', env, problems)
  if (oidc && clientSecret !== undefined) {
    const scopes = [...new Set(['openid', ...oidc.scopes])]
    return { ...access, oidc: defined({ ...oidc, clientSecret, scopes }) }
  }
  const count = allowedHosts.length + trustedProxies.length + Object.keys(others).length
  return oidc !== undefined || count > 0 ? access : undefined
}

/** The sources of admin tokens. */
interface AdminTokenSources {
  readonly env: EnvironmentVariables
  readonly problems: Problem[]
  /** The API keys, which must have other secrets. */
  readonly keys: readonly KeySetting[]
}

/**
 * Returns the valid admin tokens of `admin` of the file and of the environment, and adds the problems of
 * the others to `problems`.
 */
export function checkAdminTokens(admin: unknown, sources: AdminTokenSources): AdminTokenSetting[] {
  const { env, problems, keys } = sources
  const pathsOfHashes = new Map(keys.map(({ id, hash }) => [hash, `the API key "${id}"`]))
  const found = [...tokensOfFile(admin, env, problems), ...tokenOfEnvironment(env, problems)]
  return found.map(({ path, token }) => {
    const twin = pathsOfHashes.get(token.hash)
    if (twin) problems.push(sameSecret(path, twin, 'key and token'))
    pathsOfHashes.set(token.hash, path)
    return token
  })
}

interface Found {
  readonly path: string
  readonly token: AdminTokenSetting
}

function tokensOfFile(admin: unknown, env: EnvironmentVariables, problems: Problem[]): Found[] {
  const { tokens } = Object(admin) as { tokens?: unknown }
  if (tokens === undefined) return []
  if (!Array.isArray(tokens)) {
    checkShape(adminSchema.shape.tokens, tokens, 'admin.tokens', problems)
    return []
  }
  problems.push(...repeatedIds('admin.tokens', tokens))
  return tokens.flatMap((value, index) => {
    const path = `admin.tokens[${index}]`
    const input = checkShape(adminTokenSchema, value, path, problems)
    const hash = checkHash(value, path, {
      env,
      problems,
      example: 'OPS_TOKEN',
      shortest: shortestSecret,
    })
    if (input?.id === environmentTokenId) problems.push(reservedId(path))
    return input && hash !== undefined ? [{ path, token: toSetting(input, hash) }] : []
  })
}

function toSetting(
  { id, role, expiresAt }: z.output<typeof adminTokenSchema>,
  hash: string,
): AdminTokenSetting {
  return {
    id,
    hash,
    role,
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).getTime() }),
  }
}

function reservedId(path: string): Problem {
  return {
    path: `${path}.id`,
    message: `"${environmentTokenId}" is the id of the token in ${variable}`,
    fix: 'choose another id',
  }
}

/**
 * The token of the environment has the role admin. The variable has it, or names its place as a setting does:
 * commands read the same variable so. An empty variable counts as absent.
 */
function tokenOfEnvironment(env: EnvironmentVariables, problems: Problem[]): Found[] {
  const setting = env[variable]
  if (!setting) return []
  const secret = resolveSecret(setting, variable, env, problems)
  if (secret === undefined) return []
  if (secret.length < shortestSecret) {
    problems.push(shortSecret(variable, secret, shortestSecret))
    return []
  }
  return [
    {
      path: variable,
      token: { id: environmentTokenId, hash: hashSecret(secret), role: 'admin' },
    },
  ]
}
