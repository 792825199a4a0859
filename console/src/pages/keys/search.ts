import { textsOf } from '../../app/search-texts.ts'
import { type KeyState, keyStates } from '../../keys/looks.ts'

/** What the page Keys shows, in its address. */
export interface KeysSearch {
  readonly state?: KeyState | undefined
  /** A part of an id or a label. */
  readonly search?: string | undefined
  readonly team?: string | undefined
  /** The cursor of the page. */
  readonly after?: string | undefined
}

/** Reads the search parameters of the page. */
export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const state = keyStates.find((one) => one === search['state'])
  return { ...(state && { state }), ...textsOf(search, ['search', 'team', 'after']) }
}
