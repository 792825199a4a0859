import type { Files } from '../../../src/contract/files.ts'
import type { Jobs } from '../../../src/jobs/jobs.ts'

/** Dependencies of the operations of this dialect. */
export interface VideosDependencies {
  readonly jobs: Jobs
  /** Returns milliseconds since 1970. */
  readonly now: () => number
  /** Uploads that requests may refer to. */
  readonly files?: Files
}
