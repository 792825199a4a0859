import type { Notes } from '../../../../src/generate/notes.ts'
import type { TurnList } from './turn-list.ts'

/** Where what items say is written down. */
export interface Reading {
  readonly turns: TurnList
  readonly notes: Notes
}
