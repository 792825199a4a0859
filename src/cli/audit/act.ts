import { userInfo } from 'node:os'

import { type AuditRecord, createAuditLog } from '../../admin/audit.ts'
import { actorOf } from '../../admin/principal.ts'
import { defined } from '../../lib/json/object.ts'
import type { Store } from '../../stores/store.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { useStore } from '../use-store.ts'

/** An act of the command line, for the audit log of the store. */
interface CommandAct {
  /** The noun and the verb: `key.revoke`. */
  readonly action: string
  readonly target: AuditRecord['target']
  readonly after?: NonNullable<AuditRecord['after']>
  readonly before?: NonNullable<AuditRecord['before']>
  /** Why the operator does it, from `--reason`. */
  readonly reason?: string | undefined
}

/** The actor of a command: the user of the machine who called it. */
function commandActor(): NonNullable<AuditRecord['actor']> {
  return { kind: 'process', id: userName(), role: 'admin' }
}

/** See `KeyRecord.createdBy`. */
export function commandCreator(): string {
  return actorOf(commandActor())
}

/**
 * Opens the store and does `work`, with one audit record before and after. Rejects with `StoreUnavailable`
 * if the record cannot be written; then nothing is done.
 */
export async function actOnStore<R>(
  configuration: CommandConfiguration,
  act: CommandAct,
  work: (store: Store) => Promise<R>,
): Promise<R> {
  return await useStore(configuration, (store) => audited(store, act, () => work(store)))
}

/** Does `work` on an open store, like `actOnStore`. */
export async function audited<R>(
  store: Pick<Store, 'records'>,
  { action, target, after, before, reason }: CommandAct,
  work: () => Promise<R>,
): Promise<R> {
  const audit = createAuditLog({ store })
  const end = await audit.begin({
    actor: commandActor(),
    address: '',
    agent: 'command line',
    action,
    target,
    ...(reason !== undefined && { reason }),
  })
  let result
  try {
    result = await work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // The failure itself matters more than that of its record.
    await end({ result: 'FAILED', message }).catch(() => {})
    throw error
  }
  // The record of its beginning says that it may be done. A new secret must not be lost.
  await end({ result: 'DONE', ...defined({ before, after }) }).catch(() => {})
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
