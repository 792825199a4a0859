import type { AccountExclusion } from '../../src/contract/call.ts'

/** What keeps calls from an account or from one of its models: those of one key or of all, with the evidence. */
export interface Hold {
  readonly kind: Exclude<AccountExclusion['kind'], 'other'>
  /** The state and its evidence: `circuit open: 5 of 5 calls answered 500`. */
  readonly reason: string
  /** When it ends or is tried, in milliseconds on the plugin's clock. */
  readonly until: number
  /** The status of the reply behind it. */
  readonly status?: number | undefined
  /** The only key that it concerns. Absent: all keys. */
  readonly keyId?: string | undefined
}

/** Of two holds the one that ends last. */
export function laterOf<One extends Hold | undefined>(one: One, other: One): One {
  if (!one || !other) return one ?? other
  return one.until < other.until ? other : one
}
