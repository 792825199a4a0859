import type { Files } from '../../../src/files.ts'
import type { ChooseModel } from './models.ts'

/** What the operations of this dialect share. */
export interface ImageParts {
  /** Uploads that images can be named by. */
  readonly files: Files
  readonly chooseModel: ChooseModel
  /** Milliseconds since 1970. */
  readonly now: () => number
}
