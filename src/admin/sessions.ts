import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { sessionIdle } from '../configuration/admin-schema.ts'
import { type Records, type Store, UnreadableRecord } from '../stores/store.ts'
import { type SeenSession, createKnownSessions } from './known-sessions.ts'
import type { ListedNode } from './listed-node.ts'
import type { Principal, SessionUse } from './principal.ts'
import { type Role, roles } from './roles.ts'

/** The source of a session's rights: the session ends when the grant no longer holds. */
export type Grant =
  | { readonly kind: 'token'; readonly id: string; readonly hash: string }
  | {
      readonly kind: 'oidc'
      readonly issuer: string
      readonly subject: string
      /** The groups of the user to which the configuration gives a role. */
      readonly groups: readonly string[]
    }

/** The rights that a grant gives now. */
export interface Rights {
  readonly role: Role
  /** In milliseconds since 1970. Absent: never. */
  readonly expiresAt?: number
}

const text = z.string()
/** As a `Date` can hold it. */
const time = z.number().nonnegative().max(8.64e15)
const grantSchema = z.union([
  z.object({ kind: z.literal('token'), id: text, hash: text }),
  z.object({ kind: z.literal('oidc'), issuer: text, subject: text, groups: z.array(text) }),
])
const recordSchema = z.object({
  hash: z.string().regex(/^sha256:[\da-f]{64}$/),
  grant: grantSchema,
  // Former versions wrote none.
  use: z.enum(['console', 'graphiql']).optional(),
  role: z.enum(roles),
  beganAt: time,
  usedAt: time,
  endsAt: time,
  address: text,
  agent: text,
})

/** A session, as it is stored. */
interface SessionRecord {
  /** The hash of the secret in the cookie. */
  readonly hash: string
  readonly grant: Grant
  readonly use?: SessionUse
  /** The role when it began. */
  readonly role: Role
  readonly beganAt: number
  readonly usedAt: number
  readonly endsAt: number
  readonly address: string
  readonly agent: string
}

/** A session without its secret. All times are in milliseconds since 1970. */
export interface Session extends Omit<SessionRecord, 'hash' | 'grant'> {
  readonly id: string
  /** The id of the principal: a token's id, or `oidc/` and the user's id. */
  readonly principalId: string
  /** When it is over if it is not used until then. */
  readonly idleUntil: number
}

/** A session that has not begun. */
interface PreparedSession {
  readonly cookie: string
  readonly principal: Principal
  /** Begins it. Rejects with `StoreUnavailable`. */
  begin(): Promise<void>
}

/** The sessions of browsers. Every call rejects with `StoreUnavailable` when the store fails. */
export interface Sessions {
  /** Prepares a session. Its cookie is returned here and never again. */
  prepare(
    grant: Grant,
    rights: Rights,
    from: { readonly address: string; readonly agent: string; readonly use: SessionUse },
  ): PreparedSession
  /**
   * The principal of a cookie; `undefined` if the session is over. A session that is only watched does
   * not count as used.
   */
  find(cookie: string, as?: 'used' | 'watched'): Promise<Principal | undefined>
  /**
   * Whether this process knows a cookie, whose session may have ended elsewhere. To know the sessions of other processes
   * it reads a page of the sessions, at most one in two seconds.
   */
  knows(cookie: string): Promise<boolean>
  /** Ends a session; whether there was one. */
  end(id: string): Promise<boolean>
  get(id: string): Promise<Session | undefined>
  /**
   * The entries behind the id `after`: an entry of an ended or damaged session has no node. A page of fewer than
   * `limit` entries is the last.
   */
  positions(page: {
    after: string | undefined
    limit: number
  }): Promise<readonly ListedNode<Session>[]>
}

/** The longest session, in milliseconds. */
const longestMs = 12 * 60 * 60_000

/** Uses within this time are noted once, in milliseconds. */
const noteMs = 60_000

/** The sessions that a process learns at a time. */
const batchSize = 500

/** Options of `createSessions`. */
interface SessionsOptions {
  readonly store: Pick<Store, 'records'>
  /**
   * The rights that a grant gives now: `none` as far as this process knows, `over` if every process will say so.
   */
  readonly rightsOf: (grant: Grant) => Promise<Rights | 'none' | 'over'>
  /** How long a session may rest, in milliseconds. */
  readonly idleMs?: () => number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Opens the sessions in a store, so that every process knows them. */
export function createSessions({
  store,
  rightsOf,
  idleMs = () => sessionIdle.usual,
  now,
}: SessionsOptions): Sessions {
  const records: Records<SessionRecord> = store.records('admin-sessions', { listed: true })

  const known = createKnownSessions({
    async read(after) {
      const page = await records.list({
        limit: batchSize,
        ...(after !== undefined && { after }),
      })
      const sessions = page.flatMap(({ id, value }) =>
        isSession(value) && !isOver(value) ? [{ id, hash: value.hash }] : [],
      )
      return { sessions, next: page.length < batchSize ? undefined : page.at(-1)?.id }
    },
  })

  const idleUntil = ({ usedAt, endsAt }: SessionRecord) => Math.min(usedAt + idleMs(), endsAt)
  const isOver = (record: SessionRecord) => now() >= idleUntil(record)
  const sessionOf = (id: string, record: SessionRecord): Session => {
    const { hash: _hash, grant, ...rest } = record
    return { id, principalId: principalIdOf(grant), idleUntil: idleUntil(record), ...rest }
  }
  const principalOf = (id: string, record: SessionRecord, rights: Rights): Principal => ({
    kind: 'session',
    id: principalIdOf(record.grant),
    role: rights.role,
    sessionId: id,
    use: record.use ?? 'console',
    idleUntil: idleUntil(record),
    expiresAt: Math.min(record.endsAt, rights.expiresAt ?? Infinity),
  })

  async function read(id: string): Promise<SessionRecord | undefined> {
    try {
      const record = await records.get(id)
      return isSession(record) ? record : undefined
    } catch (error) {
      if (error instanceof UnreadableRecord) return undefined
      throw error
    }
  }

  async function findSeen(
    { id, hash: given }: SeenSession,
    as: 'used' | 'watched',
  ): Promise<Principal | undefined> {
    const record = await read(id)
    if (!record || !isEqual(record.hash, given)) return undefined
    const rights = isOver(record) ? 'over' : await rightsOf(record.grant)
    if (rights === 'over') await records.delete(id)
    if (typeof rights === 'string') return undefined
    const at = now()
    // It was used later than now if the clock was set back since.
    const isNoted = at >= record.usedAt && at - record.usedAt < noteMs
    if (as === 'watched' || isNoted) return principalOf(id, record, rights)
    const endsAt = Math.min(record.endsAt, at + longestMs)
    // `update` does not bring back a session that has just ended.
    const noted = await records.update(id, (current) =>
      isSession(current) ? { ...current, usedAt: at, endsAt } : undefined,
    )
    return isSession(noted) ? principalOf(id, noted, rights) : undefined
  }

  return {
    prepare(grant, { role, expiresAt = Infinity }, from) {
      const id = randomBytes(12).toString('hex')
      const secret = randomBytes(32).toString('base64url')
      const at = now()
      const endsAt = Math.min(at + longestMs, expiresAt)
      const record = { hash: hashOf(secret), grant, role, beganAt: at, usedAt: at, endsAt, ...from }
      return {
        cookie: `${id}.${secret}`,
        principal: principalOf(id, record, { role }),
        async begin() {
          await records.set(id, record, { ttlMs: Math.max(1, endsAt - at) })
          known.add({ id, hash: record.hash })
        },
      }
    },

    async knows(cookie) {
      const seen = seenIn(cookie)
      if (!seen) return false
      if (!known.has(seen)) await known.learn()
      return known.has(seen)
    },

    async find(cookie, as = 'used') {
      const seen = seenIn(cookie)
      const principal = seen && (await findSeen(seen, as))
      if (principal) known.add(seen)
      else if (seen && known.has(seen)) known.delete(seen.id)
      return principal
    },

    end(id) {
      known.delete(id)
      return records.delete(id)
    },

    async get(id) {
      const record = await read(id)
      return record && !isOver(record) ? sessionOf(id, record) : undefined
    },

    async positions({ after, limit }) {
      const page = await records.list({ limit, ...(after !== undefined && { after }) })
      return page.map(({ id, value }) => ({
        cursor: id,
        node: isSession(value) && !isOver(value) ? sessionOf(id, value) : undefined,
      }))
    },
  }
}

/** Whether a record is a session; a damaged one opens nothing, and is in no list. */
function isSession(value: SessionRecord | undefined): value is SessionRecord {
  return recordSchema.safeParse(value).success
}

function principalIdOf(grant: Grant): string {
  return grant.kind === 'token' ? grant.id : `oidc/${grant.subject}`
}

/** The session that a cookie names; `undefined` for a text that is no cookie of a session. */
function seenIn(cookie: string): SeenSession | undefined {
  const [, id, secret] = /^([\da-f]{24})\.([\w-]{43})$/.exec(cookie) ?? []
  return id === undefined || secret === undefined ? undefined : { id, hash: hashOf(secret) }
}

function hashOf(secret: string): string {
  return `sha256:${hash('sha256', secret, 'hex')}`
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
