import type { Files } from '../../../src/contract/files.ts'
import type { Log } from '../../../src/lib/log.ts'
import type { Results } from '../../../src/storage/results.ts'
import type { ModelChoice } from './models.ts'

/** Dependencies of the operations of this dialect. */
export interface ImageDependencies {
  /** Uploads that requests may refer to. */
  readonly files: Files
  /** Storage of images that clients request as URLs and accounts return as base64. */
  readonly results: Results | undefined
  readonly log: Pick<Log, 'warn'>
  readonly models: ModelChoice
  /** Returns milliseconds since 1970. */
  readonly now: () => number
}
