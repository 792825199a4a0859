import type { Jobs } from '../jobs/jobs.ts'
import type { KnownBindings } from '../stores/bindings.ts'

/** Numbers of a process about limits, for metrics. */
export interface LimitsState {
  /** Decisions without the store. */
  readonly degraded: number
  /** Settlements that wait for the store. */
  readonly waiting: number
  /** Settlements that found no room. */
  readonly lost: number
  readonly alerts: number
}

/** The parts of plugins that the admin API uses as the data path does. Each is absent without its plugin. */
export interface SharedParts {
  readonly bindings?: KnownBindings
  readonly jobs?: Jobs
  readonly limits?: LimitsState
}
