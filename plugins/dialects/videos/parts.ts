import type { Files } from '../../../src/contract/files.ts'
import type { Jobs } from '../../../src/jobs/jobs.ts'

/** What the operations of this dialect share. */
export interface VideosParts {
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where clients' uploads are. */
  readonly files?: Files
}
