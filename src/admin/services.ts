import type { ConfigurationInUse } from '../configuration/in-use.ts'
import type { Settings } from '../configuration/settings.ts'
import type { Log } from '../lib/log.ts'
import type { RunningGateway } from '../runtime/start-gateway.ts'
import type { ActRates } from './act-rates.ts'
import type { ActRecords } from './act-records.ts'
import type { AuditLog } from '../audit/log.ts'
import type { DryRuns } from './dry-runs.ts'
import type { AccountCalls, Ended, ReadmitCommand } from './processes/account-acts.ts'
import type { Processes } from './processes/index.ts'
import type { Reads } from './reads.ts'
import type { DeniedActLog } from './denied-acts.ts'
import type { Sessions } from './sessions.ts'
import type { TokenRing } from './token-ring.ts'

/** The parts of the process that the admin API reads and changes. */
export interface AdminServices {
  readonly running: RunningGateway
  /** The configuration that is in use now. */
  readonly settings: () => Settings
  /** Where its values come from, and what became of its last reload. */
  readonly configuration: ConfigurationInUse
  readonly audit: AuditLog
  readonly actRecords: ActRecords
  /** All processes of the gateway: their states, and commands to them. */
  readonly processes: Processes
  /** The part of the store that queries may use at a time. */
  readonly reads: Reads
  readonly dryRuns: DryRuns
  readonly actRates: ActRates
  readonly tokens: TokenRing
  readonly sessions: Sessions
  /** Ends exclusions of accounts in every process. */
  readonly readmit: (command: ReadmitCommand) => Promise<Ended>
  /** The calls under way in all processes. */
  readonly calls: AccountCalls
  /** Writes requests and acts that lack a credential or a role to the audit log. */
  readonly deniedActs: DeniedActLog
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds of a clock that runs evenly, also while the other one is set. For durations. */
  readonly uptime: () => number
}
