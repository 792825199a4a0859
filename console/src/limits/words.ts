import { money } from '../format/money.ts'
import { count } from '../format/numbers.ts'

/** What the console shows of a limit. */
export interface LimitView {
  readonly id: string
  readonly subject: { readonly type: SubjectType; readonly id?: string | null }
  readonly kind: LimitKind
  /** Null: calls at once have none. */
  readonly window?: string | null
  readonly zone: string
  readonly models?: readonly string[] | null
  readonly per?: 'END_USER' | null
  readonly action: 'REFUSE' | 'WARN'
  readonly strict: boolean
  readonly alerts: readonly number[]
  readonly amount: Amount
  readonly extra?: { readonly amount: Amount; readonly until: string } | null
  /** Null: each end user is counted apart. */
  readonly spent?: Amount | null
  readonly held?: Amount | null
  readonly remaining?: Amount | null
  readonly resetsAt?: string | null
  readonly managedBy: 'FILE' | 'STORE'
  readonly version?: number | null
  readonly changedAt?: string | null
  readonly changedBy?: string | null
}

/** What a limit limits. */
export type SubjectType = 'ACCOUNT' | 'GATEWAY' | 'KEY' | 'TEAM'

/** What a limit counts. */
export type LimitKind =
  | 'CONCURRENT'
  | 'COST'
  | 'INPUT_TOKENS'
  | 'OUTPUT_TOKENS'
  | 'REQUESTS'
  | 'TOKENS'

type Amount = number | string

/** The kinds by their words, in the order of a form. */
export const kindNames: Readonly<Record<LimitKind, string>> = {
  COST: 'Cost',
  REQUESTS: 'Calls',
  TOKENS: 'Tokens',
  INPUT_TOKENS: 'Input tokens',
  OUTPUT_TOKENS: 'Output tokens',
  CONCURRENT: 'Calls at once',
}

const windowWords: Readonly<Record<string, string>> = {
  '1s': 'a second',
  '1m': 'a minute',
  '1h': 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  total: 'in total',
}

/** `Cost a day`, `Calls at once`, `Tokens in 5m`. */
export function limitName({ kind, window }: Pick<LimitView, 'kind' | 'window'>): string {
  if (!window) return kindNames[kind]
  return `${kindNames[kind]} ${windowWords[window] ?? `in ${window}`}`
}

/** An amount of a limit: `$12.34`, `1,000`. */
export function amountText({ kind }: Pick<LimitView, 'kind'>, amount: Amount): string {
  return kind === 'COST' ? money(amount) : count(Number(amount))
}

/** What a limit may spend in its period, with what was granted besides. */
export function wholeAmount({ amount, extra }: LimitView): number {
  return Number(amount) + Number(extra?.amount ?? 0)
}

/** The share of a limit that is spent or held; 0 where it is not known, or the limit refuses all calls anyway. */
export function usedShare(limit: LimitView): number {
  const most = wholeAmount(limit)
  return most > 0 ? (Number(limit.spent ?? 0) + Number(limit.held ?? 0)) / most : 0
}

/** `key batch`, `the gateway`. */
export function subjectText({ subject: { type, id } }: Pick<LimitView, 'subject'>): string {
  return type === 'GATEWAY' ? 'the gateway' : `${type.toLowerCase()} ${id ?? ''}`
}

/** How a limit differs from one that refuses all calls beyond it: `only gpt-*, each end user, only warns`. */
export function limitTerms({ models, per, action, strict }: LimitView): string {
  const terms = [
    models && `only ${models.join(', ')}`,
    per && 'each end user apart',
    action === 'WARN' && 'only warns',
    strict && 'strict',
  ]
  return terms.filter(Boolean).join(', ')
}
