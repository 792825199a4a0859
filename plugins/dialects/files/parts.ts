import type { Dialect } from '../../../src/contract/dialect.ts'
import type { Objects } from '../../../src/jobs/objects.ts'
import type { OpenJobs } from '../../../src/jobs/open-jobs.ts'

/** Dependencies of the operations of this dialect. */
export interface FilesDependencies {
  readonly objects: Objects
  readonly openJobs: Pick<OpenJobs, 'look'>
  /** The dialects whose requests a batch can have, by the paths of their operations. */
  readonly dialects: () => readonly Dialect[]
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}
