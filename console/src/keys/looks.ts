import type { StateLook } from '../ui/State.tsx'

/** The states of keys. */
export type KeyState = 'ACTIVE' | 'DAMAGED' | 'DISABLED' | 'EXPIRED' | 'REVOKED'

const looks: Readonly<Record<KeyState, StateLook>> = {
  ACTIVE: { word: 'Active', shape: 'dot', tone: 'ok' },
  DISABLED: { word: 'Disabled', shape: 'ring', tone: 'none' },
  EXPIRED: { word: 'Expired', shape: 'ring', tone: 'none' },
  REVOKED: { word: 'Revoked', shape: 'cross', tone: 'none' },
  DAMAGED: { word: 'Damaged', shape: 'triangle', tone: 'bad' },
}

/** How the state of a key looks. */
export function keyLook(state: KeyState): StateLook {
  return looks[state]
}

/** All states, in the order of a choice. */
export const keyStates = Object.keys(looks) as readonly KeyState[]
