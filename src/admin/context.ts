import type { AuditRecord } from '../audit/log.ts'
import type { Incomplete } from './incomplete.ts'
import type { AdminServices } from './services.ts'
import type { Principal } from './principal.ts'
import type { DeniedAct } from './denied-acts.ts'

/**
 * The principal as of now: `over` if the token or session has ended, and `unknown` if the store cannot say whether it
 * has.
 */
export type AuthState = Principal | 'over' | 'unknown'

/** The context of a request, for every resolver. */
export interface AdminContext {
  /** The principal that began the operation. */
  readonly principal: Principal
  /** The principal as of a second ago at most. */
  readonly authState: () => Promise<AuthState>
  /** For the audit record and the log. */
  readonly requestId: string
  /** The address of the client. */
  readonly address: string
  /** The client's `user-agent`. */
  readonly agent: string
  readonly services: AdminServices
  /** Whether the document is one of the console's, whose cost its build has counted. */
  readonly isPersisted?: boolean
  /**
   * Aborts when the operation is over: answered, too slow, or left by its client; of a subscription, when its
   * answer ends.
   */
  signal?: AbortSignal
  /** Resolves when the last of its dry runs in turn has ended. Absent: there was none. */
  lastDryRun?: Promise<unknown>
  /** The refused fields of the operation, which are recorded before its answer. */
  readonly deniedFields: DeniedAct[]
  /** The parts that the answer lacks: `extensions.incomplete` of the result. */
  readonly incomplete: Incomplete[]
}

/** The context of an operation that begins. */
export function newContext(
  begun: Pick<
    AdminContext,
    'principal' | 'authState' | 'requestId' | 'address' | 'agent' | 'services' | 'isPersisted'
  >,
): AdminContext {
  return { ...begun, deniedFields: [], incomplete: [] }
}

/** Whose act it is, for an audit record. */
export function describeActor({
  principal: { kind, id, role },
  address,
  agent,
  requestId,
}: Pick<AdminContext, 'principal' | 'address' | 'agent' | 'requestId'>): Pick<
  AuditRecord,
  'actor' | 'address' | 'agent'
> & { requestId: string } {
  return { actor: { kind, id, role }, address, agent, requestId }
}
