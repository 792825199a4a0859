import type { AccountExclusion } from '../../src/contract/call.ts'

/** The rule of all exclusions by this plugin. */
export const by = 'account-health'

/** The reason, with its evidence, why calls of one key or of all keys do not go to an account or one of its models. */
export interface Hold {
  readonly kind: Exclude<AccountExclusion['kind'], 'other'>
  /** The evidence as a sentence: `5 of 5 calls got 500`. */
  readonly cause: string
  /** When it ends or is tried, in milliseconds on the plugin's clock. */
  readonly until: number
  /** The status of the reply behind it. */
  readonly status?: number | undefined
  /** The only key that it concerns. Absent: all keys. */
  readonly keyId?: string | undefined
  /** Whether a circuit is half-open: one call at a time probes the account. */
  readonly isProbing?: boolean
}

/** The reason that callers and operators see: `circuit open: 5 of 5 calls got 500`. */
export function reasonOf({ kind, cause, isProbing }: Hold): string {
  if (kind === 'circuit') return `circuit ${isProbing ? 'half-open' : 'open'}: ${cause}`
  return `${kind === 'cooling' ? 'cooling down' : kind}: ${cause}`
}

/** Returns the hold that ends last. */
export function laterOf<One extends Hold | undefined>(one: One, other: One): One {
  if (!one || !other) return one ?? other
  return one.until < other.until ? other : one
}
