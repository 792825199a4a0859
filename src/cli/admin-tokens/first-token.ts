import type { Settings } from '../../configuration/settings.ts'
import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { showStored } from '../../admin/tokens.ts'
import {
  type IssuedAdminToken,
  type StoredAdminToken,
  createAdminToken,
  listAdminTokens,
} from '../../stores/admin-tokens.ts'
import { type Store, StoreUnavailable } from '../../stores/store.ts'
import { isLoopbackHost } from '../addresses.ts'
import { CommandError, type CommandOptions } from '../command.ts'
import { programName, sameGateway } from '../hints.ts'
import { audited, gatewayItself } from '../audit/act.ts'

/** The id of the admin token that a first start creates. */
const firstTokenId = 'bootstrap'

/**
 * Refuses an admin address that other machines can reach while no admin token exists. Throws
 * `ConfigurationError`.
 */
export async function assertTokenForPublicAddress(
  settings: Settings,
  store: Store,
  options: CommandOptions,
): Promise<void> {
  const stored = await storedTokens(store)
  // A store that is away may have one, and every request needs one anyway.
  if (stored === undefined) return
  const problems = problemsOfPublicAdmin(settings, stored, options)
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/**
 * The problem for which `assertTokenForPublicAddress` refuses, if there is one. A token that has expired
 * counts: its end must not prevent the restart of a gateway that serves clients.
 */
export function problemsOfPublicAdmin(
  { admin, adminTokens = [], store }: Settings,
  stored: readonly { readonly state: string }[],
  options: CommandOptions,
): Problem[] {
  if (!admin || isLoopbackHost(admin.host) || adminTokens.length > 0) return []
  if (stored.some(({ state }) => /active|expired/i.test(state))) return []
  return [
    {
      path: 'admin.host',
      message: `is ${admin.host}, which other machines can reach, but no admin token exists`,
      fix: `${creationHint(store, options)}, or listen on 127.0.0.1`,
    },
  ]
}

async function storedTokens(store: Store) {
  try {
    return (await listAdminTokens(store)).map((token) => showStored(token, Date.now()))
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined
    throw error
  }
}

function creationHint(store: string, options: CommandOptions): string {
  return store === 'memory:'
    ? 'set DRAGOMAN_ADMIN_TOKEN, or add a token to admin.tokens in the configuration'
    : `set DRAGOMAN_ADMIN_TOKEN, or create a token with \`${programName()} admin-tokens create${sameGateway(options)}\``
}

/**
 * Creates the first admin token of a gateway that has none, and returns the message that shows it. The
 * message is empty where tokens exist.
 */
export async function announceFirstToken(
  settings: Settings,
  store: Store,
  url: string,
  options: CommandOptions,
): Promise<string> {
  if ((settings.adminTokens ?? []).length > 0) return ''
  try {
    const stored = await listAdminTokens(store)
    if (stored.length > 0) return describeStored(stored, settings, options)
    const issued = await createFirstToken(store)
    return issued ? describeFirst(issued, url) : ''
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return `The store is unavailable, so whether an admin token exists is not known: ${error.message}`
  }
}

/** The creation of the token, for its audit record. */
const creation = {
  action: 'admin-token.create',
  target: { type: 'admin-token', id: firstTokenId },
  after: ({ token: { role, expiresAt } }: IssuedAdminToken) => ({
    role,
    expiresAt: new Date(expiresAt).toISOString(),
  }),
}

/** `undefined` if another process has created it in the meantime. */
async function createFirstToken(store: Store): Promise<IssuedAdminToken | undefined> {
  const wanted = {
    id: firstTokenId,
    role: 'admin',
    createdBy: `process:${gatewayItself.actor.id}`,
  } as const
  try {
    const create = async () => {
      const result = await createAdminToken(store, wanted)
      if (result) return result
      throw new CommandError(`The admin token "${firstTokenId}" already exists.`)
    }
    return await audited(store, creation, create, gatewayItself)
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

function describeFirst({ token, secret }: IssuedAdminToken, url: string): string {
  const query = `'{"query":"{ viewer { id role } }"}'`
  return [
    '',
    `This is your admin token, valid until ${new Date(token.expiresAt).toISOString()}. It is shown only once:`,
    '',
    `  ${secret}`,
    '',
    '# Admin API',
    `curl ${url}/graphql -H 'authorization: Bearer ${secret}' -H 'content-type: application/json' -d ${query}`,
    '',
    `In a browser: ${url}/graphiql`,
  ].join('\n')
}

function describeStored(
  stored: readonly StoredAdminToken[],
  { store }: Settings,
  options: CommandOptions,
): string {
  const now = Date.now()
  if (stored.some((token) => showStored(token, now).state === 'ACTIVE')) return ''
  return `No admin token is valid, so the admin API rejects every request: ${creationHint(store, options)}.`
}
