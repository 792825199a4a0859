/** The kinds of limits: what they count. */
export const limitKinds = [
  'requests',
  'tokens',
  'inputTokens',
  'outputTokens',
  'cost',
  'concurrent',
] as const

/** What a limit counts. */
export type LimitKind = (typeof limitKinds)[number]

/** A quota as the configuration has it: the setting of a limit. */
export interface QuotaSetting {
  readonly kind: LimitKind
  /** USD for `cost`, with at most 9 decimals; otherwise a whole number. */
  readonly amount: number | string
  /** `1m`, `90s`, `24h`, `day`, `week`, `month`, `total`. Absent: `total` for `cost`, otherwise `1m`. */
  readonly window?: string | undefined
  /** Names and patterns of models. Absent: all. */
  readonly models?: readonly string[] | undefined
  /** `endUser`: each end user that requests name has the amount. Absent: all of the subject together. */
  readonly per?: 'endUser' | undefined
  /** `warn`: counts and never refuses. Absent: `refuse`. */
  readonly action?: 'refuse' | 'warn' | undefined
  /** Shares of a budget at which operators are alerted. Absent: 0.8 and 1. */
  readonly alerts?: readonly number[] | undefined
  /** Whether no call begins that the rest of a budget does not cover. */
  readonly strict?: boolean | undefined
  /** The IANA zone of days, weeks and months. Absent: UTC. */
  readonly zone?: string | undefined
}

/** A team as the configuration has it. */
export interface TeamSetting {
  readonly id: string
  readonly name?: string | undefined
  /** Names and patterns of the models that its keys may use. Absent: all that the keys may. */
  readonly models?: readonly string[] | undefined
  readonly quotas?: readonly QuotaSetting[] | undefined
}

/** What a limit limits. The id of the gateway is empty. */
export interface LimitSubject {
  readonly type: 'key' | 'team' | 'gateway' | 'account'
  readonly id: string
}

/** A compiled quota of a subject. */
export interface Limit {
  /**
   * `<type>:<subject id>:<kind>:<window>[:<models>][:<per>]`: another amount leaves it, and so what was spent. A limit
   * of concurrent calls has no window.
   */
  readonly id: string
  readonly subject: LimitSubject
  readonly kind: LimitKind
  /** Calls, tokens or nano-dollars. */
  readonly amount: number
  /** In its canonical form: `60s` is `1m`. `undefined`: concurrent calls. */
  readonly window: string | undefined
  /** The length of the window of a rate, in milliseconds. `undefined`: a budget, or concurrent calls. */
  readonly rateMs: number | undefined
  readonly zone: string
  readonly models: readonly string[] | undefined
  /** Whether it counts a call of a platform model. */
  appliesTo(model: string): boolean
  readonly per: 'endUser' | undefined
  readonly action: 'refuse' | 'warn'
  /** Ascending. Empty for limits that are no budgets. */
  readonly alerts: readonly number[]
  readonly strict: boolean
  /** Where it comes from. */
  readonly managedBy: 'FILE' | 'STORE'
  /** Whether it stands for a record that cannot be read, and so refuses every call. */
  readonly isDamaged?: true
}
