import { environmentTokenId } from '../configuration/check-admin.ts'
import { identifier } from '../configuration/schema-nodes.ts'
import {
  type IssuedAdminToken,
  type StoredAdminToken,
  createAdminToken,
  getAdminToken,
  listAdminTokens,
  revokeAdminToken,
} from '../stores/admin-tokens.ts'
import { announceRevocation } from '../stores/revocations.ts'
import { type Store, UnreadableRecord } from '../stores/store.ts'
import { type ActFailure, conflict, invalid, managedByFile, notFound } from './failures.ts'
import { type Principal, actorOf } from './principal.ts'
import { type Role, isAtLeast } from './roles.ts'
import type { AdminServices } from './services.ts'

/** Where a token comes from: the API does not change tokens of the file and the environment. */
type TokenOrigin = 'FILE' | 'ENVIRONMENT' | 'STORE'

/** An admin token as operators see it: without its secret and hash. Times in milliseconds since 1970. */
export interface ShownToken {
  readonly id: string
  readonly origin: TokenOrigin
  readonly state: 'ACTIVE' | 'EXPIRED' | 'REVOKED' | 'UNREADABLE'
  /** Absent if the record is damaged. */
  readonly role?: Role | undefined
  readonly createdAt?: number | undefined
  readonly createdBy?: string | undefined
  /** Absent: never. */
  readonly expiresAt?: number | undefined
  readonly lastUsedAt?: number | undefined
  readonly revokedAt?: number | undefined
  /** The store has a valid token of this id too. */
  readonly problem?: string | undefined
}

type Services = Pick<AdminServices, 'tokens' | 'running' | 'now' | 'configuration'>

const clash = 'The store has an admin token of this id too, which has no effect.'

/** All tokens, in the order of their ids. One of the store with the id of another has no effect. */
export function listTokens({ tokens, now }: Services): ShownToken[] {
  const stored = new Map(tokens.stored.map((token) => [token.id, showStored(token, now())]))
  const configured = tokens.configured.map((token) => {
    const shown = showConfigured(token, now())
    const twin = stored.get(token.id)
    stored.delete(token.id)
    return twin?.state === 'ACTIVE' ? { ...shown, problem: clash } : shown
  })
  return [...configured, ...stored.values()].toSorted(byId)
}

/** A token of the store. */
export function showStored(token: StoredAdminToken, now: number): ShownToken {
  const { id } = token
  if ('unreadable' in token) return { id, origin: 'STORE', state: 'UNREADABLE' }
  const { role, createdAt, createdBy, expiresAt, lastUsedAt, revokedAt } = token
  const state = revokedAt !== undefined ? 'REVOKED' : expiresAt <= now ? 'EXPIRED' : 'ACTIVE'
  const times = { createdAt, expiresAt, lastUsedAt, revokedAt }
  return { id, origin: 'STORE', state, role, createdBy, ...times }
}

/** A token of the configuration or the environment. */
export function showConfigured(
  { id, role, expiresAt }: { id: string; role: Role; expiresAt?: number },
  now: number,
): ShownToken {
  const origin = id === environmentTokenId ? 'ENVIRONMENT' : 'FILE'
  const state = (expiresAt ?? Infinity) <= now ? 'EXPIRED' : 'ACTIVE'
  return { id, origin, state, role, expiresAt }
}

/** The settings of a new token. */
interface WantedToken {
  readonly id: string
  readonly role: Role
  /** In milliseconds since 1970. Absent: in 90 days. */
  readonly expiresAt?: number | null | undefined
}

/** Creates a token in the store. Its role is at most the role of its creator. */
export async function createToken(
  services: Services,
  creator: Principal,
  { id, role, expiresAt }: WantedToken,
): Promise<ActFailure | IssuedAdminToken> {
  const { tokens, running, now } = services
  if (!isAtLeast(creator.role, role)) {
    return conflict(`The role ${creator.role} cannot grant the role ${role}.`)
  }
  const problems = problemsOf({ id, expiresAt }, now())
  if (problems.length > 0) return invalid(problems)
  const owner = ownerOf(services, id)
  if (owner) return owner
  const wanted = { id, role, createdBy: actorOf(creator), expiresAt: expiresAt ?? undefined }
  const issued = await createAdminToken(running.store, wanted, now())
  await tokens.catchUp()
  return issued ?? conflict(await takenId(running.store, id, now()))
}

/** Why no token of this id is created: the audit log names tokens by their ids, so each is given once. */
async function takenId(store: Pick<Store, 'records'>, id: string, now: number): Promise<string> {
  const known = await getAdminToken(store, id)
  if (!known || 'unreadable' in known) {
    return `The id of the admin token "${id}" is taken by a record that cannot be read: choose another id.`
  }
  const { createdAt, revokedAt, expiresAt } = known
  if (revokedAt !== undefined) {
    return `The admin token "${id}" was revoked at ${isoTime(revokedAt)}, and the id of a revoked token is never used again: choose another id.`
  }
  if (expiresAt <= now) {
    return `The admin token "${id}" expired at ${isoTime(expiresAt)}, and its id is not used again: choose another id.`
  }
  return `The admin token "${id}" exists since ${isoTime(createdAt)}; its secret is not shown again: choose another id, and revoke this one if its secret is lost. It is valid until ${isoTime(expiresAt)}.`
}

function isoTime(time: number): string {
  return new Date(time).toISOString()
}

function problemsOf({ id, expiresAt }: Omit<WantedToken, 'role'>, now: number) {
  const hasForm = identifier.safeParse(id).success
  const isPast = typeof expiresAt === 'number' && expiresAt <= now
  const expected = '1 to 128 letters, digits and ._:@-, beginning with a letter or digit'
  return [
    ...(hasForm ? [] : [{ path: 'input.id', message: `must be ${expected}`, fix: 'such as "ci"' }]),
    ...(isPast
      ? [{ path: 'input.expiresAt', message: 'is in the past', fix: 'name a later time' }]
      : []),
  ]
}

/** The failure of an act on a token that the store does not own. */
function ownerOf({ tokens, configuration }: Services, id: string): ActFailure | undefined {
  const index = tokens.configured.findIndex((token) => token.id === id)
  if (id === environmentTokenId) {
    return {
      failure: 'ManagedByFile',
      message: `The admin token "${id}" comes from DRAGOMAN_ADMIN_TOKEN.`,
      fix: 'change or unset DRAGOMAN_ADMIN_TOKEN, and restart the gateway',
    }
  }
  if (index < 0) return undefined
  const path = `admin.tokens[${index}]`
  return managedByFile({ type: 'admin token', id, path }, configuration.file)
}

/**
 * Revokes a token of the store. The last token of the role admin stays, unless the configuration or the
 * environment has another: without one, no operator could create the next. A command on the store (`kind` is
 * `process`) may revoke it, since it can also create the next. Of two revocations at once the
 * later one counts the token of the other as revoked. Rejects with `StoreUnavailable`.
 */
export async function revokeToken(
  services: Services,
  { kind }: Pick<Principal, 'kind'>,
  id: string,
): Promise<ActFailure | { readonly token: ShownToken }> {
  const owner = ownerOf(services, id)
  if (owner) return owner
  const { earlier, end } = await announceRevocation(services.running.store, id, services.now())
  // Not ended if the store fails: it may revoke the token yet.
  const result = await revokeUnlessLast(services, id, { earlier, mayBeLast: kind === 'process' })
  await end()
  return result
}

async function revokeUnlessLast(
  services: Services,
  id: string,
  { earlier, mayBeLast }: { readonly earlier: ReadonlySet<string>; readonly mayBeLast: boolean },
): Promise<ActFailure | { readonly token: ShownToken }> {
  const { tokens, running, now } = services
  // From the store: memory may lag behind another process.
  const all = await listAdminTokens(running.store)
  const known = all.find((token) => token.id === id)
  if (!known) return notFound('admin token', id)
  const others = all.filter((token) => token.id !== id && !earlier.has(token.id))
  if (!mayBeLast && isLastAdmin(services, known, others)) {
    return conflict(
      `"${id}" is the last admin token of the role admin. Create another one first, or use \`dragoman admin-tokens revoke\`.`,
    )
  }
  try {
    const token = await revokeAdminToken(running.store, id, now())
    await tokens.catchUp()
    return token ? { token: showStored(token, now()) } : notFound('admin token', id)
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error
    return conflict(`The record of the admin token "${id}" is damaged, so it is never accepted.`)
  }
}

function isLastAdmin(
  { tokens, now }: Services,
  token: StoredAdminToken,
  stored: readonly StoredAdminToken[],
): boolean {
  const isAdmin = ({ role, state }: ShownToken) => role === 'admin' && state === 'ACTIVE'
  if (!isAdmin(showStored(token, now()))) return false
  // A stored token with the id of another has no effect.
  const taken = new Set(tokens.configured.map(({ id }) => id))
  const others = [
    ...tokens.configured.map((one) => showConfigured(one, now())),
    ...stored.filter(({ id }) => !taken.has(id)).map((one) => showStored(one, now())),
  ]
  return !others.some(isAdmin)
}

function byId(one: ShownToken, other: ShownToken): number {
  return one.id < other.id ? -1 : 1
}
