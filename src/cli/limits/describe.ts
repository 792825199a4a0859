import type { LimitNode } from '../remote/nodes.ts'

/** A limit and what is spent of it; times in ISO 8601. */
interface LimitDescription {
  readonly id: string
  readonly kind: string
  readonly window?: string
  readonly amount: number | string
  readonly extra?: { readonly amount: number | string; readonly until: string }
  readonly spent?: number | string
  readonly held?: number | string
  readonly remaining?: number | string
  readonly resetsAt?: string
  readonly action: string
  readonly from: 'store' | 'configuration'
}

/** Describes a limit as the admin API knows it. */
export function describeLimit(limit: LimitNode): LimitDescription {
  const { id, kind, window, amount, extra, spent, held, remaining, resetsAt } = limit
  return {
    id,
    kind: kind.toLowerCase().replace('_tokens', 'Tokens'),
    ...(window !== null && { window }),
    amount,
    ...(extra && { extra }),
    ...(spent !== null && { spent }),
    ...(held !== null && { held }),
    ...(remaining !== null && { remaining }),
    ...(resetsAt !== null && { resetsAt }),
    action: limit.action.toLowerCase(),
    from: limit.managedBy === 'FILE' ? 'configuration' : 'store',
  }
}

/** The columns of a table of limits. */
export const limitTitles = [
  'ID',
  'AMOUNT',
  'SPENT',
  'HELD',
  'REMAINING',
  'RESETS AT',
  'EXTRA',
  'ACTION',
  'FROM',
]

/** The row of a limit. */
export function limitRow(limit: LimitDescription): string[] {
  const { id, amount, extra, spent = '', held = '', remaining = '', resetsAt = '' } = limit
  const granted = extra ? `${extra.amount} until ${extra.until}` : ''
  return [id, amount, spent, held, remaining, resetsAt, granted, limit.action, limit.from].map(
    String,
  )
}
