import { createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * What the seal of a record says. `INTACT`: a key of this process has sealed it as it is. `CHANGED`: it is not
 * as it was sealed. `UNKNOWN_KEY`: this process does not have the key. `UNKEYED`: it is as it was written,
 * unless its digest was changed with it, which needs no key. `ABSENT`: it was written without a seal.
 */
export type SealState = (typeof sealStates)[number]

export const sealStates = ['INTACT', 'CHANGED', 'UNKNOWN_KEY', 'UNKEYED', 'ABSENT'] as const

/** Seals whole audit records, results and changes included. */
interface AuditSealer {
  /** `<id of the key>.<HMAC-SHA-256>`, or `sha256.<SHA-256>` without a key, in base64url. */
  seal(entry: SealedEntry): string
  check(entry: SealedEntry): SealState
}

/** What a seal covers of an audit record, and the seal. */
interface SealedEntry {
  readonly id: string
  readonly at: number
  readonly actor?: { readonly kind: string; readonly id: string; readonly role: string }
  readonly address: string
  readonly agent: string
  readonly action: string
  readonly target: { readonly type: string; readonly id: string }
  readonly reason?: string
  readonly requestId?: string
  readonly prev?: string
  readonly result: string
  readonly message?: string
  readonly before?: object
  readonly after?: object
  readonly count?: number
  readonly seal?: string
}

interface SealingKey {
  /** The id, from which nobody can derive the key. */
  readonly id: string
  readonly bytes: Buffer
}

const unkeyed = 'sha256'

/** Creates a sealer from the texts of its keys: the newest, which is the first, seals. */
export function createAuditSealer(keyTexts: readonly string[]): AuditSealer {
  const keys = keyTexts.map((text) => deriveKey(text))
  return {
    seal: (entry) => sealWith(keys[0], entry),
    check(entry) {
      const { seal } = entry
      if (seal === undefined) return 'ABSENT'
      const id = seal.slice(0, seal.indexOf('.'))
      const key = keys.find((one) => one.id === id)
      if (!key && id !== unkeyed) return 'UNKNOWN_KEY'
      if (!isEqual(seal, sealWith(key, entry))) return 'CHANGED'
      return key ? 'INTACT' : 'UNKEYED'
    },
  }
}

function deriveKey(text: string): SealingKey {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', 'dragoman: audit records', 32))
  const id = createHmac('sha256', bytes).update('id').digest('hex').slice(0, 12)
  return { id, bytes }
}

function sealWith(key: SealingKey | undefined, entry: SealedEntry): string {
  const text = textOf(entry)
  if (!key) return `${unkeyed}.${hash('sha256', text, 'base64url')}`
  return `${key.id}.${createHmac('sha256', key.bytes).update(text).digest('base64url')}`
}

/** The JSON list of all members but the seal, null where one is absent. */
function textOf(entry: SealedEntry): string {
  const { result, message, before, after, count } = entry
  const later = [result, message, before, after, count]
  return JSON.stringify([...firstMembersOf(entry), ...later].map((member) => member ?? null))
}

/** What a record says when it is first written, in the order of docs/admin-audit.md. */
export function firstMembersOf(entry: SealedEntry): readonly unknown[] {
  const { id, at, actor, address, agent, action, target, reason, requestId, prev } = entry
  const { kind, id: actorId, role } = actor ?? {}
  const who = [kind, actorId, role, address, agent]
  return [id, at, ...who, action, target.type, target.id, reason, requestId, prev]
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
