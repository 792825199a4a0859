import type { AccountSlots } from '../accounts/slots.ts'
import type { Teams } from '../accounts/teams.ts'
import type { SpoolState } from '../body/spool/spool.ts'
import type { Account } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { PassthroughRoute } from '../contract/passthrough.ts'
import type { GatewayPlugin } from '../contract/plugin.ts'
import type { AccountCheck } from '../contract/refusal.ts'
import type { ProbeResults } from '../hooks/probes.ts'
import type { LineWriter, Log } from '../lib/log.ts'
import type { LimitSet } from '../limits/limit-set.ts'
import type { ImageModels } from '../media/image.ts'
import type { UploadsOptions } from '../storage/uploads.ts'
import type { KeyRing } from '../stores/key-ring.ts'
import type { Store } from '../stores/store.ts'
import type { ListedModels } from '../upstream/list-models.ts'
import type { SharedParts } from './shared-parts.ts'

/** Creates the plugins of a gateway, in order of execution. `dragoman/config` exports one by default. */
export type Pipeline = (services: PipelineServices) => GatewayPlugin[]

/** The services that the shipped plugins use. */
export interface PipelineServices {
  readonly keys: Pick<KeyRing, 'find'> &
    Partial<Pick<KeyRing, 'get' | 'isStale' | 'catchUp' | 'unreadable'>>
  /** Absent: there are no teams. */
  readonly teams?: Pick<Teams, 'get'>
  /** Absent: there are no limits. */
  readonly limits?: {
    readonly limits: LimitSet
    /** The directory of settlements that wait for the store. */
    readonly spool: string
    /** Names the store among others. */
    readonly storeUrl: string
    /** Where alerts are sent. Absent: nowhere. */
    readonly webhook?: { readonly url: string; readonly secret: string } | undefined
  }
  readonly log: Log
  /** The access log's lines. */
  readonly lines: LineWriter
  readonly health: HealthState
  /** Checks an account by a free call. Absent: no account can be checked. */
  readonly checkAccount?: (
    candidate: Pick<Candidate, 'account' | 'dialect'>,
  ) => Promise<AccountCheck>
  /** Lists the models of an account by a free call. Absent: only the names of the configuration are listed. */
  readonly listModels?: (account: Account) => Promise<ListedModels | undefined>
  /** The slots of accounts with a `maxConcurrent`. Absent: no account has one. */
  readonly slots?: AccountSlots
  /** For bindings, affinities and jobs. */
  readonly store: Pick<Store, 'records' | 'meter'>
  /** Returns milliseconds since 1970. Default: the system clock, and for pauses and circuits a clock that never goes back. */
  readonly now?: () => number
  /** Storage for uploads. Default: a directory of the gateway. */
  readonly uploads?: UploadsOptions
  /** See `Config.imageModels`. */
  readonly imageModels?: ImageModels
  /** See `Config.passthrough`. */
  readonly passthrough?: readonly PassthroughRoute[]
  /** Gives parts of the plugins to the admin API. Absent: nothing uses them. */
  readonly share?: (parts: SharedParts) => void
  /** Plugins of the user's configuration. */
  readonly plugins?: readonly GatewayPlugin[]
}

/** The state of the process, for `/livez` and `/readyz`. */
export interface HealthState {
  /** Whether the process is shutting down. */
  readonly draining: boolean
  /** The number of running exchanges. */
  inflight(): number
  /** The number of enabled accounts. Without one the gateway is not ready. */
  accounts(): number
  /** The number of stored accounts with problems. Absent: unknown. */
  invalidAccounts?(): number
  /** The state of the spool. Absent: unknown. */
  spool?(): Promise<SpoolState>
  /** The states of plugins' parts. Absent: no plugin has any. */
  probes?(): Promise<ProbeResults>
  /** The number of errors that belonged to no call. Absent: unknown. */
  defects?: () => number
  /** The state of all processes, for `/readyz?verbose`. Absent without the admin API. */
  cluster?: (() => Promise<Readonly<Record<string, unknown>>>) | undefined
}
