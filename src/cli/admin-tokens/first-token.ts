import type { Settings } from '../../configuration/settings.ts'
import { showStored } from '../../admin/tokens.ts'
import {
  type IssuedAdminToken,
  type StoredAdminToken,
  createAdminToken,
  listAdminTokens,
} from '../../stores/admin-tokens.ts'
import { type Store, StoreUnavailable } from '../../stores/store.ts'
import { CommandError, type CommandOptions, type Invocation } from '../command.ts'
import { audited, gatewayItself } from '../audit/act.ts'
import { createTokenHint } from '../public-addresses.ts'

/** The id of the admin token that a first start creates. */
const firstTokenId = 'bootstrap'

/**
 * Creates the first admin token of a gateway without tokens, and returns the message that shows it. Off a terminal,
 * where output ends in logs, the message names the command that creates one. Where tokens exist, it says how to get
 * another, because the first one is shown only once. Each message has the address of the console.
 */
export async function announceFirstToken(
  settings: Settings,
  store: Store,
  url: string,
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
): Promise<string> {
  if ((settings.adminTokens ?? []).length > 0) return describeUsable(settings, url, options)
  try {
    const stored = await listAdminTokens(store)
    const isAttended = terminal.stderr.isTTY === true
    if (stored.length > 0 || !isAttended) return describeStored(stored, settings, url, options)
    const issued = await createFirstToken(store)
    return issued ? describeFirst(issued, url, settings) : describeUsable(settings, url, options)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return `${pagesAt(url, settings)}. The store is unavailable, so whether an admin token exists is not known: ${error.message}`
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

function describeFirst(
  { token, secret }: IssuedAdminToken,
  url: string,
  settings: Settings,
): string {
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
    pagesAt(url, settings),
  ].join('\n')
}

function describeStored(
  stored: readonly StoredAdminToken[],
  settings: Settings,
  url: string,
  options: CommandOptions,
): string {
  const now = Date.now()
  if (stored.some((token) => showStored(token, now).state === 'ACTIVE'))
    return describeUsable(settings, url, options)
  return `${pagesAt(url, settings)}. No admin token is valid, so the admin API rejects every request: ${createTokenHint(settings.store, options)}.`
}

function describeUsable(settings: Settings, url: string, options: CommandOptions): string {
  return `${pagesAt(url, settings)}. Without a token at hand, ${createTokenHint(settings.store, options)}.`
}

/** Where a browser goes: the configuration may leave the console out. */
function pagesAt(url: string, { adminAccess }: Settings): string {
  return adminAccess?.console === false
    ? `GraphiQL: ${url}/graphiql`
    : `The console: ${url}/console/`
}
