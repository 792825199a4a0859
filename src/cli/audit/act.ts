import { userInfo } from 'node:os'

import { type AuditRecord, type AuditTarget, createAuditLog } from '../../audit/log.ts'
import { defined } from '../../lib/json/object.ts'
import type { Store } from '../../stores/store.ts'

/** Changed fields, without secrets. */
type Changes = NonNullable<AuditRecord['after']>

/** An act outside of the admin schema, for the audit log of the store. */
interface AuditedAct<R> {
  /** The noun and the verb: `key.revoke`. */
  readonly action: string
  readonly target: AuditTarget
  readonly after?: (result: R) => Changes
  /** Why the operator does it, from `--reason`. */
  readonly reason?: string | undefined
  /** Why a result of `work` counts as a failure that changed nothing. */
  readonly failure?: (result: R) => string | undefined
}

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

/**
 * Does `work` with one audit record before and after. Rejects with `StoreUnavailable` if the record cannot
 * be written; then nothing is done.
 */
export async function audited<R>(
  store: Pick<Store, 'records'>,
  { action, target, after, reason, failure }: AuditedAct<R>,
  work: () => Promise<R>,
  by: Acting,
): Promise<R> {
  const begun = { ...by, action, target, ...(reason !== undefined && { reason }) }
  const end = await createAuditLog({ store }).begin(begun)
  let result
  try {
    result = await work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // The failure itself matters more than its record.
    await end({ result: 'FAILED', message }).catch(() => {})
    throw error
  }
  const message = failure?.(result)
  const ended = message === undefined ? ('DONE' as const) : ('FAILED' as const)
  // The record of its beginning says that it may be done. A new secret must not be lost.
  await end({ result: ended, ...defined({ message, after: after?.(result) }) }).catch(() => {})
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
