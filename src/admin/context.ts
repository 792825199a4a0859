import type { AdminServices } from './services.ts'
import type { Principal } from './principal.ts'
import type { Refusal } from './refusals.ts'

/** What every resolver knows of its request. */
export interface AdminContext {
  readonly principal: Principal
  /** For the audit record and the log. */
  readonly requestId: string
  /** The address of the client. */
  readonly address: string
  /** The client's `user-agent`. */
  readonly agent: string
  readonly services: AdminServices
  /** The refused fields of the operation, which are recorded before its answer. */
  readonly refused: Refusal[]
  /** The ids of processes that did not answer: `extensions.unanswered` of the result. */
  readonly unanswered: Set<string>
  /** The mutations whose results are not in the audit log: `extensions.unrecorded` of the result. */
  readonly unrecorded: string[]
}
