import type { Files } from '../../../src/contract/files.ts'
import type { Log } from '../../../src/lib/log.ts'
import type { Results } from '../../../src/storage/results.ts'
import type { ModelChoice } from './models.ts'

/** What the operations of this dialect share. */
export interface ImageParts {
  /** Uploads that images can be named by. */
  readonly files: Files
  /** Where images are kept that clients await by a URL, and accounts give as base64. */
  readonly results: Results | undefined
  readonly log: Pick<Log, 'warn'>
  readonly models: ModelChoice
  /** Milliseconds since 1970. */
  readonly now: () => number
}
