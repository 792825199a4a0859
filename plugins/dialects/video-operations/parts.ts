import type { Files } from '../../../src/contract/files.ts'
import type { Jobs } from '../../../src/jobs/jobs.ts'
import type { PublicUrl } from '../../../src/kit/public-url.ts'

/** What the operations of this dialect share. */
export interface OperationsParts {
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where clients' uploads are. */
  readonly files?: Files
  /** For the URIs of videos. */
  readonly publicUrl: PublicUrl
}
