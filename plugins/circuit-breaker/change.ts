import type { Gate } from './gate.ts'

/** Why a circuit opens. `others`: it was open for a key, and calls of others fail as well. */
export type OpeningReason = 'row' | 'share' | 'probe' | 'probation' | 'others'

/** A change of a circuit: a gate of it has closed, because the account works again, or has opened. */
export type CircuitChange =
  | { readonly closed: Gate }
  | { readonly opened: Gate; readonly reason: OpeningReason }
