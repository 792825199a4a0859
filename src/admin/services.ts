import type { Settings } from '../configuration/settings.ts'
import type { Log } from '../lib/log.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import type { AuditLog } from './audit.ts'
import type { TokenRing } from './token-ring.ts'
import type { RefusalLog } from './refusals.ts'
import type { Sessions } from './sessions.ts'

/** The parts of the process that the admin API reads and changes. */
export interface AdminServices {
  readonly running: RunningGateway
  /** The configuration that is in use now. */
  readonly settings: () => Settings
  readonly audit: AuditLog
  readonly tokens: TokenRing
  readonly sessions: Sessions
  /** What is refused for lack of a credential or a role, in the audit log. */
  readonly refusals: RefusalLog
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
}
