import type { StateLook } from '../ui/State.tsx'

/** The states of an account, as the API has them. */
export type AccountStateName =
  | 'CIRCUIT_HALF_OPEN'
  | 'CIRCUIT_OPEN'
  | 'COOLING'
  | 'DISABLED'
  | 'ENABLED'
  | 'EXCLUDED'
  | 'FULL'
  | 'INVALID'
  | 'REFUSED'

/** The fields of an account that its state is shown from. */
export interface AccountState {
  readonly id: string
  readonly provider: string
  readonly state: AccountStateName
  readonly serves: 'ALL' | 'SOME' | 'NOTHING'
  /** null: it is not known. */
  readonly standsBy: boolean | null
  readonly stateReason?: string | null
  readonly stateUntil?: string | null
  readonly exclusions: readonly AccountExclusion[]
}

/** What keeps calls from an account. */
export interface AccountExclusion {
  readonly kind: 'CIRCUIT' | 'COOLING' | 'OTHER' | 'REFUSED'
  readonly by: string
  readonly reason: string
  readonly status?: number | null
  readonly until?: string | null
  readonly dialect?: string | null
  readonly models: readonly string[]
  readonly keyId?: string | null
  readonly isProbing: boolean
}

const looks: Readonly<Record<AccountStateName, StateLook>> = {
  INVALID: { word: 'Invalid', shape: 'triangle', tone: 'bad' },
  REFUSED: { word: 'Refused', shape: 'cross', tone: 'bad' },
  CIRCUIT_OPEN: { word: 'Circuit open', shape: 'broken', tone: 'bad' },
  COOLING: { word: 'Cooling', shape: 'pause', tone: 'warn' },
  CIRCUIT_HALF_OPEN: { word: 'Probing', shape: 'quarter', tone: 'warn' },
  EXCLUDED: { word: 'Kept out', shape: 'dash', tone: 'warn' },
  FULL: { word: 'Full', shape: 'half', tone: 'warn' },
  ENABLED: { word: 'Serving', shape: 'dot', tone: 'ok' },
  DISABLED: { word: 'Disabled', shape: 'ring', tone: 'none' },
}

const partly: StateLook = { word: 'Partly', shape: 'half', tone: 'warn' }
const nothing: StateLook = { word: 'Serves nothing', shape: 'cross', tone: 'bad' }

/** An account that could serve all its calls, and is the first choice for none of them. */
export const standby: StateLook = { word: 'Standby', shape: 'dot', tone: 'none' }

/** The word and the shape of an account's state. */
export function lookOf({
  state,
  serves,
  standsBy,
}: Pick<AccountState, 'state' | 'serves' | 'standsBy'>): StateLook {
  if (state === 'ENABLED' && serves === 'ALL' && standsBy) return standby
  if (state !== 'ENABLED' || serves === 'ALL') return looks[state]
  return serves === 'SOME' ? partly : nothing
}

/** Whether an operator has to look: it lacks calls without being disabled. */
export function isInTrouble({ state, serves }: Pick<AccountState, 'state' | 'serves'>): boolean {
  return serves !== 'ALL' && state !== 'DISABLED'
}

const order = Object.keys(looks) as AccountStateName[]

/** Sorts accounts: the gravest trouble first, disabled ones last, otherwise by their ids. */
export function byTrouble(a: AccountState, b: AccountState): number {
  return rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1)
}

function rankOf(account: AccountState): number {
  if (account.state !== 'ENABLED') return order.indexOf(account.state)
  const rank = {
    NOTHING: order.indexOf('REFUSED'),
    SOME: order.indexOf('EXCLUDED'),
    ALL: order.indexOf('ENABLED'),
  }
  return rank[account.serves] + (account.serves === 'ALL' ? 0 : 0.5)
}
