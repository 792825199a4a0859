import { hash, timingSafeEqual } from 'node:crypto'

import type { AdminTokenSetting } from '../configuration/settings.ts'
import {
  type AdminTokenRecord,
  type StoredAdminToken,
  adminTokenRecords,
  readAdminToken,
  touchAdminToken,
} from '../stores/admin-tokens.ts'
import { type Work, runInTurns } from '../lib/turns.ts'
import { followRecords } from '../stores/follow.ts'
import type { ListedRecord, Store } from '../stores/store.ts'
import type { Role } from './roles.ts'

/** An admin token that is valid now. */
interface AdminToken {
  readonly id: string
  readonly role: Role
  /** In milliseconds since 1970. Absent: never. */
  readonly expiresAt?: number
}

/** The admin tokens in memory. Requests look tokens up here, never in the store. */
export interface TokenRing {
  /**
   * The token of a secret; `undefined` for a missing, unknown, expired and revoked one, after equal
   * work.
   */
  authenticate(secret: string | undefined): AdminToken | undefined
  /** The token of an id if it is valid now: a session ends with its token. */
  find(id: string): (AdminToken & { readonly hash: string }) | undefined
  /** The tokens of the configuration and the environment. */
  readonly configured: readonly AdminTokenSetting[]
  /** The tokens of the store as they were last read, in the order of their ids. */
  readonly stored: readonly StoredAdminToken[]
  /** The last read failed, so an unknown secret may belong to a new token. */
  readonly isStale: boolean
  /** Reads changes of the store. Never rejects; `isStale` is true after a failure. */
  catchUp(): Promise<void>
  close(): void
}

/** The options of `createTokenRing`. */
interface TokenRingOptions {
  /** The tokens of the current configuration. They override stored tokens of the same id. */
  readonly configured: () => readonly AdminTokenSetting[]
  readonly store: Store
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called when the store fails, and once a minute while it does. */
  readonly onError: (error: unknown) => void
  /** Called with the ids of tokens whose records are damaged, when these change. */
  readonly onUnreadable: (ids: readonly string[]) => void
}

/** The least time between two notes of a token's use, in milliseconds. */
const usePauseMs = 60_000

/**
 * Merges configured and stored tokens, and follows the store: a token that another process creates or
 * revokes is known within two seconds. While the store fails, the last known tokens stay in use.
 */
export async function createTokenRing(options: TokenRingOptions): Promise<TokenRing> {
  const { store, now, onError, onUnreadable } = options
  let stored: readonly StoredAdminToken[] = []
  let configured: readonly AdminTokenSetting[] = options.configured()
  let own = entriesOf(configured)
  let fromStore: readonly Entry[] = []
  let unreadable = ''
  const usedAt = new Map<string, number>()

  const follower = await followRecords({
    records: adminTokenRecords(store),
    async onRecords(records) {
      const read = await runInTurns(readTokens(records))
      stored = read.tokens
      fromStore = read.entries
      const ids = read.damaged
      if (ids.length > 0 && ids.join() !== unreadable) onUnreadable(ids)
      unreadable = ids.join()
    },
    onError,
  })

  /** A reload replaces the tokens of the configuration. */
  function current(): Entries {
    const latest = options.configured()
    if (latest !== configured) {
      configured = latest
      own = entriesOf(configured)
    }
    return { own, stored: fromStore }
  }

  function isValid({ token, revokedAt }: Entry): boolean {
    return revokedAt === undefined && (token.expiresAt ?? Infinity) > now()
  }

  function noteUse({ token: { id }, lastUsedAt }: Entry): void {
    const at = now()
    const last = Math.max(usedAt.get(id) ?? -Infinity, lastUsedAt ?? -Infinity)
    if (at - last < usePauseMs) return
    usedAt.set(id, at)
    touchAdminToken(store, id, at).catch(() => {})
  }

  return {
    authenticate(secret) {
      const entry = match(current(), secret)
      if (!entry || !isValid(entry)) return undefined
      if (entry.isStored) noteUse(entry)
      return entry.token
    },
    find(id) {
      const { own: configuredOnes, stored: storedOnes } = current()
      const hasId = ({ token }: Entry) => token.id === id
      // The tokens of the configuration override the tokens of the store.
      const entry = configuredOnes.find(hasId) ?? storedOnes.find(hasId)
      if (!entry || !isValid(entry)) return undefined
      return { ...entry.token, hash: `sha256:${entry.digest.toString('hex')}` }
    },
    get configured() {
      return options.configured()
    },
    get stored() {
      return stored
    },
    get isStale() {
      return follower.isStale
    },
    catchUp: () => follower.catchUp(),
    close: () => follower.close(),
  }
}

interface Entry {
  readonly digest: Buffer
  readonly token: AdminToken
  readonly isStored: boolean
  readonly revokedAt?: number | undefined
  readonly lastUsedAt?: number | undefined
}

/** Compares with every token, so that the time says nothing about which of them is alike. */
function match({ own, stored }: Entries, secret: string | undefined): Entry | undefined {
  const digest = hash('sha256', secret ?? '', 'buffer')
  let found: Entry | undefined
  for (const entries of [stored, own])
    for (const entry of entries) if (timingSafeEqual(entry.digest, digest)) found = entry
  if (found?.isStored && own.some(({ token }) => token.id === found.token.id)) return undefined
  return secret ? found : undefined
}

/** The tokens of the configuration override, by their ids, the tokens of the store. */
interface Entries {
  readonly own: readonly Entry[]
  readonly stored: readonly Entry[]
}

function entriesOf(configured: readonly AdminTokenSetting[]): readonly Entry[] {
  return configured.map((token) => toEntry(token, false))
}

/** Reads the tokens of the store, one at a step. */
function* readTokens(records: readonly ListedRecord<AdminTokenRecord>[]): Work<{
  readonly tokens: readonly StoredAdminToken[]
  readonly entries: readonly Entry[]
  /** The ids of damaged ones. */
  readonly damaged: readonly string[]
}> {
  const tokens: StoredAdminToken[] = []
  const entries: Entry[] = []
  const damaged: string[] = []
  for (const record of records) {
    const token = readAdminToken(record)
    tokens.push(token)
    if ('unreadable' in token) damaged.push(token.id)
    else entries.push(toEntry(token, true))
    yield
  }
  return { tokens, entries, damaged }
}

function toEntry(
  { id, role, expiresAt, hash: text, ...record }: AdminTokenSetting & Partial<AdminTokenRecord>,
  isStored: boolean,
): Entry {
  return {
    digest: Buffer.from(text.slice('sha256:'.length), 'hex'),
    token: { id, role, ...(expiresAt !== undefined && { expiresAt }) },
    isStored,
    revokedAt: record.revokedAt,
    lastUsedAt: record.lastUsedAt,
  }
}
