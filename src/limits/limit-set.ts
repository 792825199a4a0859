import type { AccountSetting } from '../contract/account.ts'
import type { Limit, LimitSubject, QuotaSetting, TeamSetting } from '../contract/quota.ts'
import type { Caller } from '../contract/request.ts'
import { greatestAmount } from '../stores/meter.ts'
import { compileLimits } from './compile.ts'

/** What a limit may have besides its amount for a while. */
interface Extra {
  /** Calls, tokens or nano-dollars. */
  readonly amount: number
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The limits of one subject that a caller belongs to, and of which of them a call is asked. */
export interface SubjectLimits {
  readonly subject: LimitSubject
  /** The name of the subject in the meter. */
  readonly name: string
  readonly limits: readonly Limit[]
  /** In the order in which a call takes of them: the first that refuses is the one that the client sees. */
  readonly inOrder: readonly Limit[]
  /** The limits that concern all models and users. */
  readonly ofAllCalls: readonly Limit[]
  /** Whether some limits concern each end user. */
  readonly hasUsers: boolean
  /** The limits that cannot count a model without a price. */
  readonly ofMoney: readonly Limit[]
}

/** The limits of the configuration and the store. */
export interface LimitSet {
  get(id: string): Limit | undefined
  /** Empty: the subject has no limits. */
  of(subject: LimitSubject): readonly Limit[]
  readonly all: readonly Limit[]
  /** The limits of a caller's key, of its team and of the gateway, in this order; `undefined`: there are none. */
  ofCaller(caller: Pick<Caller, 'keyId' | 'team'>): readonly SubjectLimits[] | undefined
  /** The limits of an account; `undefined`: it has none. */
  ofAccount(id: string): SubjectLimits | undefined
  /** Whether any account has limits. */
  readonly limitsAccounts: boolean
  /** The amount of a limit at a time, in milliseconds since 1970, with what it may have besides. */
  amountOf(limit: Limit, at: number): number
  /** Replaces the limits of the configuration or of the store. The configuration's override stored ones of the same id. */
  replace(origin: Limit['managedBy'], limits: readonly Limit[]): void
  /** Replaces what limits may have besides their amounts, by the ids of the limits. */
  replaceExtras(extras: ReadonlyMap<string, Extra>): void
}

/** Creates a set with the limits of a configuration. */
export function createLimitSet(configured: readonly Limit[] = []): LimitSet {
  const parts: Record<Limit['managedBy'], readonly Limit[]> = { FILE: configured, STORE: [] }
  let extras: ReadonlyMap<string, Extra> = new Map()
  let index = indexLimits(parts)
  return {
    get: (id) => index.byId.get(id),
    of: (subject) => index.bySubject.get(nameOf(subject))?.limits ?? [],
    get all() {
      return [...index.byId.values()]
    },
    ofCaller(caller) {
      return index.bySubject.size === 0 ? undefined : index.ofCaller(caller)
    },
    ofAccount: (id) => index.bySubject.get(`account:${id}`),
    get limitsAccounts() {
      return index.limitsAccounts
    },
    amountOf(limit, at) {
      const extra = extras.get(limit.id)
      if (!extra || extra.until <= at) return limit.amount
      // The limit may have been raised since.
      return Math.min(limit.amount + extra.amount, greatestAmount)
    },
    replace(origin, limits) {
      parts[origin] = limits
      index = indexLimits(parts)
    },
    replaceExtras: (next) => void (extras = next),
  }
}

/** The name of a subject in the meter. */
export function nameOf({ type, id }: LimitSubject): string {
  return `${type}:${id}`
}

interface Index {
  readonly byId: ReadonlyMap<string, Limit>
  readonly bySubject: ReadonlyMap<string, SubjectLimits>
  readonly limitsAccounts: boolean
  ofCaller(caller: Pick<Caller, 'keyId' | 'team'>): readonly SubjectLimits[] | undefined
}

function indexLimits(parts: Record<Limit['managedBy'], readonly Limit[]>): Index {
  const byId = new Map<string, Limit>()
  for (const limit of [...parts.FILE, ...parts.STORE])
    if (!byId.has(limit.id)) byId.set(limit.id, limit)
  const bySubject = new Map<string, SubjectLimits>()
  for (const [name, limits] of Map.groupBy(byId.values(), ({ subject }) => nameOf(subject)))
    bySubject.set(name, subjectLimits(name, limits))
  const ofGateway = bySubject.get('gateway:')
  const alone = ofGateway && [ofGateway]
  return {
    byId,
    bySubject,
    limitsAccounts: [...bySubject.values()].some(({ subject }) => subject.type === 'account'),
    ofCaller({ keyId, team }) {
      const ofKey = bySubject.get(`key:${keyId}`)
      const ofTeam = team === undefined ? undefined : bySubject.get(`team:${team}`)
      if (!ofKey && !ofTeam) return alone
      return [ofKey, ofTeam, ofGateway].filter((one) => one !== undefined)
    },
  }
}

const order: Readonly<Record<Limit['kind'], number>> = {
  concurrent: 0,
  requests: 1,
  tokens: 2,
  inputTokens: 2,
  outputTokens: 2,
  cost: 3,
}

function subjectLimits(name: string, limits: readonly Limit[]): SubjectLimits {
  const inOrder = limits.toSorted((one, other) => order[one.kind] - order[other.kind])
  return {
    subject: limits[0]!.subject,
    name,
    limits,
    inOrder,
    ofAllCalls: inOrder.filter(({ models, per }) => !models && !per),
    hasUsers: limits.some(({ per }) => per !== undefined),
    ofMoney: limits.filter(({ kind, action }) => kind === 'cost' && action === 'refuse'),
  }
}

/** The settings that have quotas. */
interface QuotaHolders {
  readonly keys: readonly { readonly id: string; readonly quotas?: readonly QuotaSetting[] }[]
  readonly teams?: readonly TeamSetting[]
  readonly accounts: readonly Pick<AccountSetting, 'id' | 'quotas'>[]
  /** The quotas of the gateway. */
  readonly quotas?: readonly QuotaSetting[]
}

/** Compiles all quotas of a configuration. */
export function limitsOf({
  keys,
  teams = [],
  accounts,
  quotas = [],
}: QuotaHolders): readonly Limit[] {
  const ofAll = (
    type: LimitSubject['type'],
    holders: readonly {
      readonly id: string
      readonly quotas?: readonly QuotaSetting[] | undefined
    }[],
  ) => holders.flatMap((one) => compileLimits({ type, id: one.id }, one.quotas ?? []))
  return [
    ...ofAll('key', keys),
    ...ofAll('team', teams),
    ...ofAll('gateway', [{ id: '', quotas }]),
    ...ofAll('account', accounts),
  ]
}
