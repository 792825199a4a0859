import { type ShownToken, showConfigured, showStored } from '../../admin/tokens.ts'
import type { Role } from '../../contract/roles.ts'
import { type IssuedAdminToken, listAdminTokens } from '../../stores/admin-tokens.ts'
import type { Invocation } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { mayContainRecords, useStore } from '../use-store.ts'

/** An admin token without its secret and hash; times in ISO 8601. */
export interface TokenDescription {
  id: string
  state: 'active' | 'expired' | 'revoked' | 'unreadable'
  role?: Role
  from: 'store' | 'configuration' | 'environment'
  expires?: string
  created?: string
  createdBy?: string
  /** To the minute. */
  lastUsed?: string
  revoked?: string
}

/** The places of tokens by `AdminToken.origin` of the admin API. */
export const tokenOrigins = {
  FILE: 'configuration',
  ENVIRONMENT: 'environment',
  STORE: 'store',
} as const

/** Describes an admin token. */
export function describeToken(token: ShownToken): TokenDescription {
  const { id, state, role, origin, createdBy } = token
  return {
    id,
    state: state.toLowerCase() as TokenDescription['state'],
    ...(role && { role }),
    from: tokenOrigins[origin],
    ...timeOf('expires', token.expiresAt),
    ...timeOf('created', token.createdAt),
    ...(createdBy !== undefined && { createdBy }),
    ...timeOf('lastUsed', token.lastUsedAt),
    ...timeOf('revoked', token.revokedAt),
  }
}

function timeOf(name: string, time: number | undefined): Record<string, string> {
  return time === undefined ? {} : { [name]: new Date(time).toISOString() }
}

/** The tokens of the configuration and the environment. */
export function configuredTokens({ settings }: CommandConfiguration): TokenDescription[] {
  const { adminTokens = [] } = settings
  return adminTokens.map((token) => describeToken(showConfigured(token, Date.now())))
}

/** The tokens of the configuration, the environment and the store. Does not create a missing store. */
export async function allTokens(configuration: CommandConfiguration): Promise<TokenDescription[]> {
  const stored = mayContainRecords(configuration)
    ? await useStore(configuration, listAdminTokens)
    : []
  const described = stored.map((token) => describeToken(showStored(token, Date.now())))
  return [...configuredTokens(configuration), ...described]
}

/** Prints a new secret to standard output, alone or in JSON, so that scripts can capture it. */
export function showIssuedToken({ token, secret }: IssuedAdminToken, invocation: Invocation): void {
  showTokenSecret(describeToken(showStored(token, Date.now())), secret, invocation)
}

/** A token of which only the id may be known: the act is done, but the gateway cannot say what became of it. */
type KnownToken = Pick<TokenDescription, 'id'> & Partial<TokenDescription>

/** Does the same for a token that is described already. */
export function showTokenSecret(
  token: KnownToken,
  secret: string,
  { terminal, options }: Invocation,
): void {
  const { id, role, expires } = token
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ ...token, secret }))
  else terminal.out(secret)
  const what = `${role ? ` of role ${role}` : ''} is created${expires ? `, until ${expires}` : ''}`
  terminal.say(
    `The admin token "${id}"${what}. It is not shown again; running gateways accept it within two seconds.`,
  )
}

/** Says that a token is revoked. */
export function sayRevoked(token: KnownToken, { terminal, options }: Invocation): void {
  if (options['json'] !== undefined) terminal.out(JSON.stringify(token))
  terminal.say(
    `The admin token "${token.id}" is revoked. Running gateways reject it within two seconds.`,
  )
}
