import type { GatewayPlugin } from '../contract/plugin.ts'
import type { SpoolState } from '../gateway.ts'
import type { LineWriter } from '../lib/line-writer.ts'
import type { Log } from '../lib/log.ts'
import type { ImageModels } from '../media/image.ts'
import type { UploadsOptions } from '../storage/uploads.ts'
import type { KeyRing } from '../stores/key-ring.ts'
import type { Store } from '../stores/store.ts'

/** Makes the plugins of a gateway, in order of execution: the default export of `dragoman/config`. */
export type Pipeline = (services: PipelineServices) => GatewayPlugin[]

/** The services of a process that the shipped plugins need. */
export interface PipelineServices {
  readonly keys: Pick<KeyRing, 'find'> & Partial<Pick<KeyRing, 'isStale' | 'catchUp'>>
  readonly log: Log
  /** The access log's lines. */
  readonly lines: LineWriter
  readonly health: HealthState
  /** Bindings, affinities and jobs are records in it. */
  readonly store: Pick<Store, 'records'>
  /** Milliseconds since 1970; the machine's clock where absent. */
  readonly now?: () => number
  /** See `Config.samplingFields`. */
  readonly samplingFields?: 'adapt' | 'client'
  /** Where uploaded files go; into a directory of the gateway's own where absent. */
  readonly uploads?: UploadsOptions
  /** See `Config.imageModels`. */
  readonly imageModels?: ImageModels
  /** Plugins of the user's configuration. */
  readonly plugins?: readonly GatewayPlugin[]
}

/** The state of the process, for `/livez` and `/readyz`. */
export interface HealthState {
  /** The process has been asked to end. */
  readonly draining: boolean
  /** Exchanges under way. */
  inflight(): number
  /** Enabled accounts; without one the gateway is not ready. */
  accounts(): number
  /** The spool of large uploads. Absent: not known. */
  spool?(): Promise<SpoolState>
}
