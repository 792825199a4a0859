import type { Spend } from '../contract/spend.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Objects } from '../jobs/objects.ts'
import type { EndedJob, OpenJobs } from '../jobs/open-jobs.ts'
import type { KnownBindings } from '../stores/bindings.ts'

/** What the limits of a process take part in, and its numbers for metrics. */
export interface LimitsPart {
  /** Charges what a job has used. `ordinaryCost`: at least so much if its cost is unknown, see `ordinaryCostOf`. */
  jobEnded(job: EndedJob, spend: Spend, ordinaryCost: number | undefined): void
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
  readonly objects?: Objects
  readonly openJobs?: OpenJobs
  readonly limits?: LimitsPart
}
