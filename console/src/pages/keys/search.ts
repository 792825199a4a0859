import { type KeyState, keyStates } from '../../keys/looks.ts'

/** What the page Keys shows, in its address. */
export interface KeysSearch {
  readonly state?: KeyState | undefined
  readonly team?: string | undefined
  /** The cursor of the page. */
  readonly after?: string | undefined
}

/** Reads the search parameters of the page. */
export function readKeysSearch({ state, team, after }: Record<string, unknown>): KeysSearch {
  const known = keyStates.find((one) => one === state)
  return {
    ...(known && { state: known }),
    ...(typeof team === 'string' && team !== '' && { team }),
    ...(typeof after === 'string' && { after }),
  }
}
