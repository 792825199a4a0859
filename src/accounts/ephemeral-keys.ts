import { randomBytes } from 'node:crypto'

import { GatewayError } from '../contract/errors.ts'
import type { Caller, RefusedKey } from '../contract/request.ts'
import type { ApiKey, KeyRing } from '../stores/key-ring.ts'
import { hashSecret } from '../stores/key-secret.ts'
import { type SealedSecret, createSealer } from '../stores/sealing.ts'
import type { Records } from '../stores/store.ts'
import { callerOfKey, refusedKeyOf } from './caller-of-key.ts'
import type { Teams } from './teams.ts'

/** The record of an ephemeral key, under the hash of its secret. */
interface EphemeralKey {
  /** The API key that has made it. */
  readonly keyId: string
  /** The model of its sessions, as the client of the API key has named it. */
  readonly model: string
  /** The other models that its session names. */
  readonly others: readonly string[]
  readonly accountId: string
  /** The account's own ephemeral key. Only the secret of this one opens it: the store alone cannot. */
  readonly upstream: SealedSecret
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The namespace of the records of ephemeral keys. */
export const ephemeralKeysNamespace = 'ephemeral-keys'

/** The session that an ephemeral key opens. */
export interface PreparedSession extends Pick<EphemeralKey, 'model' | 'accountId'> {
  /** The account's own ephemeral key, which no client learns. */
  readonly upstreamSecret: string
}

/** The ephemeral keys that clients of API keys make for others, such as browsers. */
export interface EphemeralKeys {
  /** Whether a caller has an API key, whose ephemeral keys end with it. */
  hasKey(caller: Caller): boolean
  /** Stores a key; resolves with its secret. Rejects with `GatewayError` 503. */
  create(key: Omit<EphemeralKey, 'upstream'>, upstreamSecret: string): Promise<string>
  /** The caller of an ephemeral key. `undefined`: the credential is no ephemeral key. Rejects with `GatewayError` 503. */
  find(credential: string): Promise<Caller | RefusedKey | undefined> | undefined
  /** The same caller with what its API key may use now: a session outlasts its ephemeral key, and no API key. */
  callerNow(caller: Caller): Caller | RefusedKey | undefined
  /** The session that a caller's ephemeral key opens. `undefined`: the caller has an API key. */
  sessionOf(caller: Caller): PreparedSession | undefined
}

/** The options of `createEphemeralKeys`. */
interface EphemeralKeysOptions {
  readonly keys: Partial<Pick<KeyRing, 'get' | 'isStale' | 'catchUp'>>
  /** Absent: there are no teams. */
  readonly teams?: Pick<Teams, 'get'> | undefined
  readonly records: Pick<Records<EphemeralKey>, 'get' | 'set'>
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

const prefix = 'ek_'
const form = /^ek_[\w-]{43}$/

/** What a key is sealed for: a key of another secret does not open it. */
const subject = 'realtime'

/** Ephemeral keys in the store, so that each replica knows them. */
export function createEphemeralKeys(options: EphemeralKeysOptions): EphemeralKeys {
  const { keys, teams, records, now = Date.now } = options
  const sessions = new WeakMap<Caller, PreparedSession>()

  async function find(credential: string): Promise<Caller | RefusedKey | undefined> {
    const record = await orUnavailable(() => records.get(hashSecret(credential)))
    if (!record) return undefined
    const { keyId, model, others, accountId, upstream, expiresAt } = record
    const key = await keyOf(keyId)
    const parent = key && callerOfKey(key, teams)
    if (!key || !parent) return key && refusedKeyOf(key)
    if (expiresAt <= now()) return { refused: 'expired', keyId }
    const { secret } = createSealer([credential]).open(upstream, subject)
    if (secret === undefined) return undefined
    const caller = boundTo(parent, [model, ...others])
    sessions.set(caller, { model, accountId, upstreamSecret: secret })
    return caller
  }

  /** The API key of an id, which may be so new that this process has not heard of it. */
  async function keyOf(id: string): Promise<ApiKey | undefined> {
    const known = keys.get?.(id)
    if (known) return known
    if (!keys.isStale) await keys.catchUp?.()
    const key = keys.get?.(id)
    if (!key && keys.isStale) throw unavailable()
    return key
  }

  return {
    hasKey: ({ keyId }) => keys.get?.(keyId) !== undefined,
    async create(key, upstreamSecret) {
      const secret = prefix + randomBytes(32).toString('base64url')
      const upstream = createSealer([secret]).seal(upstreamSecret, subject)
      const ttlMs = Math.max(1, key.expiresAt - now())
      await orUnavailable(() => records.set(hashSecret(secret), { ...key, upstream }, { ttlMs }))
      return secret
    },
    find: (credential) => (form.test(credential) ? find(credential) : undefined),
    callerNow(caller) {
      const key = keys.get?.(caller.keyId)
      const parent = key && callerOfKey(key, teams)
      return parent ? boundTo(parent, caller.models ?? []) : key && refusedKeyOf(key)
    },
    sessionOf: (caller) => sessions.get(caller),
  }
}

/** The caller of an API key, with a few of its models alone. */
function boundTo(parent: Caller, names: readonly string[]): Caller {
  const bound = new Set(names)
  const mayUse = (name: string) => bound.has(name) && parent.mayUse(name)
  return { ...parent, mayUse, models: [...bound], mayExplain: false }
}

async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw unavailable(cause)
  }
}

function unavailable(cause?: unknown): GatewayError {
  const message = 'Ephemeral keys cannot be looked up at the moment.'
  return new GatewayError('lookup_unavailable', message, {
    headers: { 'retry-after': '1' },
    ...(cause !== undefined && { cause }),
  })
}
