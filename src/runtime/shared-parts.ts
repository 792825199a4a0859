import type { Jobs } from '../jobs/jobs.ts'
import type { KnownBindings } from '../stores/bindings.ts'

/** The parts of plugins that the admin API uses as the data path does. Each is absent without its plugin. */
export interface SharedParts {
  readonly bindings?: KnownBindings
  readonly jobs?: Jobs
}
