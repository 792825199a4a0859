import type { PlaygroundDialect } from './dialect.ts'
import { measureDialects } from './measure-dialects.ts'
import { mediaDialects } from './media-dialects.ts'
import { textDialects } from './text-dialects.ts'

/** The dialects, in the order of the choice. */
export const playgroundDialects: readonly PlaygroundDialect[] = [
  ...textDialects,
  ...measureDialects,
  ...mediaDialects,
]
