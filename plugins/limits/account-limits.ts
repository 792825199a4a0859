import { Declined } from '../../src/contract/attempt.ts'
import type { Received, Routed, Understood } from '../../src/contract/exchange.ts'
import type { OutcomeInput, Verdict } from '../../src/contract/plugin.ts'
import type { Account } from '../../src/contract/account.ts'
import type { AccountExclusion, Exclusion } from '../../src/contract/call.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Estimate, Estimator } from '../../src/limits/estimate.ts'
import type { LimitSet, SubjectLimits } from '../../src/limits/limit-set.ts'
import { isWork, opensSession } from '../../src/kit/spend.ts'
import type { Limit } from '../../src/contract/quota.ts'
import { type AttemptHold, limitedOf } from './call-holds.ts'
import type { CallMeter, Hold, Take } from './call-meter.ts'
import { amountUsed, usedBy } from './charges.ts'
import { forecast } from './forecast.ts'
import type { JobHolds } from './job-holds.ts'
import { heldBy, takesOf } from './takes.ts'

const by = 'limits'

/** After so long an account at a limit is asked for again: an operator may have set it back. In milliseconds. */
const recheckMs = 5_000

/** Where calls at once are at the limit, a slot may be free again after this time, in milliseconds. */
const slotMs = 1_000

const nothing = { amount: 0, floor: 0 }

/** Accounts whose limits a dry run reads. Of others it knows what this process knows. */
const mostForecasts = 100

/** Keeps calls from accounts that are at their limits. */
export interface AccountGate {
  /** Whether any account has limits. */
  readonly isActive: boolean
  /** Takes what an attempt will use. Rejects with `Declined` if the account is at a limit. */
  admit(exchange: Routed): Promise<void>
}

interface AtLimit {
  readonly verdict: Verdict & { readonly excluded: Omit<Exclusion, 'account'> }
  readonly until: number
}

/** Options of `AccountLimits`. */
interface AccountLimitOptions {
  readonly limits: LimitSet
  readonly meter: CallMeter
  readonly estimator: Pick<Estimator, 'estimate'>
  readonly jobs: JobHolds
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The limits of accounts: an attempt takes an estimate of the account's, and gives back what it has not used. */
export class AccountLimits implements Pick<AccountGate, 'admit'> {
  readonly #options: AccountLimitOptions
  readonly #atLimit = new Map<string, AtLimit>()

  constructor(options: AccountLimitOptions) {
    this.#options = options
  }

  /** The verdicts on accounts that were at a limit a moment ago; `undefined`: none was. */
  verdicts(candidates: readonly Candidate[]): (Verdict | undefined)[] | undefined {
    if (this.#atLimit.size === 0) return undefined
    const at = this.#options.now()
    for (const [id, { until }] of this.#atLimit) if (until <= at) this.#atLimit.delete(id)
    return candidates.map(({ account }) => this.#atLimit.get(account.id)?.verdict)
  }

  /** The accounts that were at a limit a moment ago, for operators. */
  exclusions(accounts: readonly Account[]): AccountExclusion[] {
    const at = this.#options.now()
    return accounts.flatMap(({ id: account }) => {
      const known = this.#atLimit.get(account)
      if (!known || known.until <= at) return []
      return [{ account, kind: 'other' as const, ...known.verdict.excluded }]
    })
  }

  async admit(exchange: Routed): Promise<void> {
    const { limits, meter, now } = this.#options
    const { candidate } = exchange
    const own = limits.ofAccount(candidate.account.id)
    if (!own || !isWork(exchange.operation)) return
    let estimate: Estimate | undefined
    const takes = this.#takesOf(
      exchange,
      own,
      () => (estimate ??= this.#options.estimator.estimate(exchange)),
    )
    if (takes.length === 0) return
    if (estimate) exchange.progress.needsUsage = true
    const hold = this.#holdOf(exchange, own, estimate)
    const answer = await meter.admit(hold, takes)
    // While the store cannot answer, no account is excluded: limits of accounts refuse no call.
    if (!answer || answer.admitted) return
    const { limit } = takes[answer.refusedBy]!
    const { reason, ...details } = this.#refusedBy(limit, answer.retryAfterMs)
    const { untilMs } = details
    // A limit of some models leaves the account to the others, and a call that is too large to smaller ones.
    const isOver = answer.states[answer.refusedBy]?.remaining === 0
    if (isOver && !limit.models && limit.kind !== 'concurrent') {
      const verdict = { excluded: { by, reason, ...details } }
      const until = Math.min(untilMs, now() + recheckMs)
      this.#atLimit.set(candidate.account.id, { verdict, until })
    }
    throw new Declined(by, reason, details)
  }

  /** The verdicts on candidates of a dry run, by what their limits would say now. Nothing is taken. */
  async forecasts(
    exchange: Understood,
    candidates: readonly Candidate[],
  ): Promise<(Verdict | undefined)[]> {
    const known = this.verdicts(candidates)
    const { limits, meter, now } = this.#options
    if (!isWork(exchange.operation)) return known ?? []
    let estimate: Estimate | undefined
    const estimated = () => (estimate ??= this.#options.estimator.estimate(exchange))
    const asked = new Map<string, Promise<Verdict | undefined>>()
    const ask = async (own: SubjectLimits) => {
      const takes = this.#takesOf(exchange, own, estimated)
      const wanted = { subject: own.name, takes }
      const refused = takes.length > 0 && (await forecast(wanted, meter, now()))
      if (!refused) return undefined
      return { excluded: { by, ...this.#refusedBy(refused.limit, refused.retryAfterMs) } }
    }
    const verdicts = candidates.map(async ({ account: { id } }, index) => {
      const own = known?.[index] ? undefined : limits.ofAccount(id)
      if (!own || (asked.size >= mostForecasts && !asked.has(id))) return known?.[index]
      const verdict = asked.get(id) ?? ask(own)
      asked.set(id, verdict)
      return verdict
    })
    return await Promise.all(verdicts)
  }

  #takesOf(
    { model, call, operation }: Understood,
    own: SubjectLimits,
    estimate: () => Estimate,
  ): Take[] {
    const { limits: amounts, now } = this.#options
    const isHeld = heldBy(operation)
    return takesOf(model.name, own, {
      call,
      amounts,
      now: now(),
      taken: () => nothing,
      estimate,
      isHeld,
    })
  }

  #refusedBy({ kind, window }: Limit, retryAfterMs: number | undefined) {
    const reason = `it is at its limit of ${kind}${window === undefined ? '' : ` per ${window}`}`
    return { reason, untilMs: this.#options.now() + (retryAfterMs ?? slotMs), status: 429 }
  }

  /** Settles an attempt that has ended. */
  ended({ exchange, attempt }: Pick<OutcomeInput, 'exchange' | 'attempt'>): void {
    // A session is among the calls at once until its socket closes, see `close`.
    if (!exchange.progress.limited || opensSession(exchange.operation)) return
    const { attempts } = limitedOf(exchange.progress)
    const index = attempts.findIndex((one) => one.attempt === attempt)
    const [held] = index < 0 ? [] : attempts.splice(index, 1)
    if (!held) return
    const { jobs } = this.#options
    const isCreation = jobs.isCreation(exchange, attempt)
    this.#settle(held, isCreation ? jobs.created(exchange, held.hold) : undefined)
  }

  /** Settles the holds that an exchange still has: attempts that another plugin declines leave theirs. */
  close({ progress }: Received): void {
    for (const one of limitedOf(progress).attempts.splice(0)) this.#settle(one)
  }

  #holdOf(
    exchange: Routed,
    { name: subject }: SubjectLimits,
    estimate: Estimate | undefined,
  ): Hold {
    const { attempt } = exchange
    const id = `${exchange.id}:${attempt.number}`
    const hold = { id, subject, takes: [], isUnheld: false }
    limitedOf(exchange.progress).attempts.push({ attempt, hold, estimate })
    return hold
  }

  #settle({ attempt, hold, estimate }: AttemptHold, kept?: Promise<void>): void {
    const used = usedBy([attempt], () => estimate)
    const charges = hold.takes.map(({ limit, meter }) => ({
      limit: meter,
      amount: amountUsed(limit.kind, used, attempt.isSent),
    }))
    this.#options.meter.settle(hold, charges, kept)
  }
}
