import type { Routed } from '../contract/exchange.ts'
import { Declined } from '../contract/attempt.ts'
import type { Account } from '../contract/account.ts'
import type { Loss } from '../contract/call.ts'
import type { RecordLoss } from '../contract/codec.ts'
import type { AdaptedRequest, Adaptation, BodyChanges } from '../contract/adaptation.ts'
import type { LossPolicy } from '../generate/unsupported.ts'
import { applyEdits } from '../lib/json/edit.ts'
import { type ByteRange, skipSpace } from '../lib/json/scan.ts'
import { type Member, Members, isNothing, ownValue } from './members.ts'
import { turnsEdits } from './adapt-turns.ts'

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
  const request = { method: 'GET', path, query, model: '', stream: false, headers: {} }
  return target(request, account) !== undefined
}

/**
 * Changes members of a JSON body, and leaves all other bytes. `drop` learns what is lost. Throws `Declined` for a member
 * that the provider lacks.
 */
export function changeBody(bytes: Buffer, changes: BodyChanges, drop: RecordLoss): Buffer {
  const members = new Members(bytes, skipSpace(bytes, 0))
  for (const member of members.all) changeMember(bytes, members, member, changes, drop)
  for (const [name, value] of Object.entries(changes.set ?? {}))
    if (!members.has(name)) members.add(name, JSON.stringify(value))
  for (const [name, reason] of Object.entries(changes.lost ?? {})) drop(name, reason)
  const changed = applyEdits(bytes, members.edits())
  return changes.wrap?.(changed) ?? changed
}

/** Makes the first change that concerns a member. */
function changeMember(
  bytes: Buffer,
  members: Members,
  member: Member,
  changes: BodyChanges,
  drop: RecordLoss,
): void {
  const { name, value } = member
  const { set = {}, roles, turns } = changes
  if (changes.move?.includes(name)) return members.remove(member)
  if (Object.hasOwn(set, name)) return members.write(member, JSON.stringify(set[name]))
  const replaced = byValue(bytes, value, ownValue(changes.replace, name))
  if (replaced) return members.replace(member, replaced)
  const refusal = ownValue(changes.refuse, name)
  const lost = refusal ?? ownValue(changes.drop, name)
  if (lost !== undefined) {
    const isAsked = !isNothing(bytes, value)
    if (isAsked && refusal !== undefined) throw lacking(name, refusal)
    if (isAsked) drop(name, lost)
    return members.remove(member)
  }
  const renamed = ownValue(changes.rename, name)
  if (renamed !== undefined && members.has(renamed)) {
    drop(name, `\`${renamed}\` takes its place`)
    return members.remove(member)
  }
  const near = byValue(bytes, value, ownValue(changes.nearest, name))
  if (near !== undefined) {
    drop(name, `\`${near}\` is the nearest value that the provider has; it is sent instead`)
    members.write(member, JSON.stringify(near))
  }
  if (renamed !== undefined) members.rename(member, renamed)
  if (name === 'messages' && (turns || roles))
    members.edit(turnsEdits(bytes, value, { ...turns, roles }, drop))
  else if (name === 'input' && roles) members.edit(turnsEdits(bytes, value, { roles }, drop))
}

/** What a record has for a value: texts by themselves, others as JSON. Values in records are short. */
function byValue<Found>(
  bytes: Buffer,
  { start, end }: ByteRange,
  record: Readonly<Record<string, Found>> | undefined,
): Found | undefined {
  if (!record || end - start > longestInRecord) return undefined
  const value: unknown = JSON.parse(bytes.toString('utf8', start, end))
  return ownValue(record, typeof value === 'string' ? value : JSON.stringify(value))
}

const longestInRecord = 64

function lacking(field: string, reason: string): Declined {
  return new Declined('provider', `\`${field}\`: ${reason}; leave it out.`, { field })
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
