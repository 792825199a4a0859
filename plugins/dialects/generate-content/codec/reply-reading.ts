import type { GenerateEvent } from '../../../../src/generate/events.ts'
import type { ToolNames } from './tool-names.ts'

/** What the candidates of a reply share while it is read. */
export interface ReplyParts {
  readonly emit: (event: GenerateEvent) => void
  /** The index of the next part. */
  next: number
  /** What calls without an id are named after. */
  origin: string
  /** Of the request: tells replies without an id apart. */
  readonly turns: number
  readonly names: ToolNames
}
