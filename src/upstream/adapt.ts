import type { Routed } from '../contract/exchange.ts'
import { Declined } from '../contract/attempt.ts'
import type { Account } from '../contract/account.ts'
import type { Loss } from '../contract/call.ts'
import type { RecordLoss } from '../contract/codec.ts'
import type { AdaptedRequest, Adaptation, BodyChanges } from '../contract/adaptation.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import { type ByteEdit, applyEdits, removeElements } from '../lib/json/edit.ts'
import {
  type ByteRange,
  decodeString,
  eachElement,
  eachMember,
  skipSpace,
} from '../lib/json/scan.ts'

/** The changes that an account's provider makes of a body. */
export function bodyChangesOf(
  { body }: Adaptation,
  request: AdaptedRequest,
  account: Account,
): BodyChanges | undefined {
  return typeof body === 'function' ? body(request, account) : body
}

/** Thrown for a request that a provider does not have: another account may serve the call. */
export function notAtProvider({ provider }: Account): Declined {
  return new Declined('provider', `its provider "${provider}" has no such request`)
}

/** Whether the provider of an account has a request of one of its dialects. */
export function providerHas(
  account: Account,
  { id }: { readonly id: string },
  { path, query }: { readonly path: string; readonly query?: string | undefined },
): boolean {
  const { target } = account.adaptations?.[id] ?? {}
  if (!target) return true
  return target({ method: 'GET', path, query, model: '', stream: false }, account) !== undefined
}

/** Changes the members at the top of a JSON body, and leaves all other bytes. `drop` learns what is lost. */
export function changeBody(bytes: Buffer, changes: BodyChanges, drop: RecordLoss): Buffer {
  const { drop: refused = {}, move = [], rename = {}, set = {}, roles } = changes
  const members = membersOf(bytes)
  const names = new Set(members.map(({ name }) => name))
  const removed = new Set<ByteRange>()
  const edits: ByteEdit[] = []
  for (const member of members) {
    const { name, key, value } = member
    const renamed = ownText(rename, name)
    if (move.includes(name)) removed.add(member)
    else if (Object.hasOwn(refused, name)) {
      drop(name, refused[name] ?? '')
      removed.add(member)
    } else if (Object.hasOwn(set, name)) edits.push({ ...value, text: JSON.stringify(set[name]) })
    else if (renamed !== undefined && names.has(renamed)) {
      drop(name, `\`${renamed}\` takes its place`)
      removed.add(member)
    } else if (renamed !== undefined) edits.push({ ...key, text: JSON.stringify(renamed) })
    else if (roles && (name === 'messages' || name === 'input'))
      eachElement(bytes, value.start, (turn) => edits.push(...roleEdits(bytes, turn, roles)))
  }
  const added = Object.entries(set).filter(([name]) => !names.has(name))
  const hasRest = removed.size < members.length
  const text = added.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const object = { start: skipSpace(bytes, 0), end: bytes.lastIndexOf('}') + 1 }
  const insertion = text.join(',') + (hasRest && text.length > 0 ? ',' : '')
  if (!hasRest && members.length > 0)
    return applyEdits(bytes, removeElements(object, members, removed, insertion))
  const at = object.start + 1
  return applyEdits(bytes, [
    ...(insertion === '' ? [] : [{ start: at, end: at, text: insertion }]),
    ...(removed.size === 0 ? [] : removeElements(object, members, removed, '')),
    ...edits,
  ])
}

interface Member extends ByteRange {
  readonly name: string
  readonly key: ByteRange
  readonly value: ByteRange
}

function membersOf(bytes: Buffer): Member[] {
  const members: Member[] = []
  eachMember(bytes, 0, (key, value) => {
    members.push({ start: key.start, end: value.end, name: decodeString(bytes, key), key, value })
  })
  return members
}

function ownText(map: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}

const quote = 0x22

function roleEdits(
  bytes: Buffer,
  turn: ByteRange,
  roles: Readonly<Record<string, string>>,
): ByteEdit[] {
  const edits: ByteEdit[] = []
  eachMember(bytes, turn.start, (key, value) => {
    if (bytes[value.start] !== quote || decodeString(bytes, key) !== 'role') return
    const role = ownText(roles, decodeString(bytes, value))
    if (role !== undefined) edits.push({ ...value, text: JSON.stringify(role) })
  })
  return edits
}

/** Records what a native request loses at its account. Throws `Declined` where the policy forbids losses. */
export function recordLosses(exchange: Routed, policy: LossPolicy): RecordLoss {
  const { attempt, caller } = exchange
  const losses: Loss[] = []
  attempt.losses = losses
  return (field, reason) => {
    if ((caller.losses ?? policy) !== 'drop')
      throw new Declined('provider', `\`${field}\`: ${reason}; leave it out.`, { field })
    losses.push({ field, reason })
  }
}
