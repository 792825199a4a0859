import type { ToolResult } from '../../../../src/generate/content.ts'
import type { Notes } from '../../../../src/generate/notes.ts'
import type { TurnList } from './turn-list.ts'

/** Where what items say is written down. */
export interface Reading {
  readonly turns: TurnList
  /** What the client calls each result. */
  readonly results: Map<ToolResult, string>
  readonly notes: Notes
}
