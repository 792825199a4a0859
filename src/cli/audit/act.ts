import { userInfo } from 'node:os'
import { basename } from 'node:path'

import { type AuditRecord, type AuditTarget, createAuditLog } from '../../audit/log.ts'
import { defined } from '../../lib/json/object.ts'
import type { Store } from '../../stores/store.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { CommandError } from '../command.ts'
import { mayContainRecords, useStore } from '../use-store.ts'

/** Changed fields, without secrets. */
type Changes = NonNullable<AuditRecord['after']>

/** An act of this process, for the audit log of the store. */
interface AuditedAct<R> {
  /** The noun and the verb: `key.revoke`. */
  readonly action: string
  readonly target: AuditTarget
  readonly before?: Changes
  /** A function gets what `work` resolves with. */
  readonly after?: Changes | ((result: R) => Changes)
  /** Why the operator does it, from `--reason`. */
  readonly reason?: string | undefined
  /** Why a result of `work` counts as a failure that changed nothing. */
  readonly failure?: (result: R) => string | undefined
}

/** An act that may be refused before it begins. */
type RefusableAct = Pick<AuditedAct<unknown>, 'action' | 'target' | 'reason'>

/** Whose act it is, for an audit record. */
type Acting = Required<Pick<AuditRecord, 'actor' | 'address' | 'agent'>>

/** The gateway itself, which acts for no user. */
export const gatewayItself: Acting = {
  actor: { kind: 'process', id: 'gateway', role: 'admin' },
  address: '',
  agent: '',
}

/** The user of the machine who has called a command. */
export function commandLine(): Acting {
  const actor = { kind: 'process', id: userName(), role: 'admin' } as const
  return { actor, address: '', agent: 'command line' }
}

/** Opens the store and does `work` as `audited` does. */
export async function actOnStore<R>(
  configuration: CommandConfiguration,
  act: AuditedAct<R>,
  work: (store: Store) => Promise<R>,
): Promise<R> {
  return await useStore(configuration, (store) => audited(store, act, () => work(store)))
}

/**
 * Does the look-ups before an act on the store. A refusal of theirs, a `CommandError`, is a failed act in the
 * audit log, unless there is no store yet.
 */
export async function beforeActing<R>(
  configuration: CommandConfiguration,
  act: RefusableAct,
  lookUp: () => R | Promise<R>,
): Promise<R> {
  try {
    return await lookUp()
  } catch (error) {
    // A mistyped directory must not become a store.
    if (error instanceof CommandError && mayContainRecords(configuration)) {
      const { file } = configuration
      const message = file ? error.message.replaceAll(file, basename(file)) : error.message
      const recorded = useStore(configuration, (store) => recordRefusal(store, act, message))
      // The refusal itself matters more than its record.
      await recorded.catch(() => {})
    }
    throw error
  }
}

/** Like `beforeActing`, for a store that is open. */
export async function beforeActingOn<R>(
  store: Pick<Store, 'records'>,
  act: RefusableAct,
  lookUp: () => Promise<R>,
): Promise<R> {
  try {
    return await lookUp()
  } catch (error) {
    if (error instanceof CommandError)
      await recordRefusal(store, act, error.message).catch(() => {})
    throw error
  }
}

async function recordRefusal(
  store: Pick<Store, 'records'>,
  { action, target, reason }: RefusableAct,
  message: string,
): Promise<void> {
  const begun = { ...commandLine(), action, target, ...(reason !== undefined && { reason }) }
  const end = await createAuditLog({ store }).begin(begun)
  await end({ result: 'FAILED', message })
}

/**
 * Does `work` with one audit record before and after. Rejects with `StoreUnavailable` if the record cannot
 * be written; then nothing is done. `by` is by default the user of a command.
 */
export async function audited<R>(
  store: Pick<Store, 'records'>,
  { action, target, before, after, reason, failure }: AuditedAct<R>,
  work: () => Promise<R>,
  by: Acting = commandLine(),
): Promise<R> {
  const begun = { ...by, action, target, ...(reason !== undefined && { reason }) }
  const end = await createAuditLog({ store }).begin(begun)
  let result
  try {
    result = await work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // The failure itself matters more than that of its record.
    await end({ result: 'FAILED', message }).catch(() => {})
    throw error
  }
  const changed = typeof after === 'function' ? after(result) : after
  const message = failure?.(result)
  const ended = message === undefined ? ('DONE' as const) : ('FAILED' as const)
  // The record of its beginning says that it may be done. A new secret must not be lost.
  await end({ result: ended, ...defined({ message, before, after: changed }) }).catch(() => {})
  return result
}

/** A user without an entry in the system's list has no name. */
function userName(): string {
  try {
    return userInfo().username || 'command line'
  } catch {
    return 'command line'
  }
}
