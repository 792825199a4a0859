import type { Files } from '../../../src/files.ts'
import type { Jobs } from '../../../src/jobs/jobs.ts'

/** What the operations of this dialect share. */
export interface OperationsParts {
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where clients' uploads are. */
  readonly files?: Files
  /** The gateway's own address, as far as it is known. */
  address(): string | undefined
}
