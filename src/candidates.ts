import type { Account, Candidate } from './accounts/account.ts'
import { type Ranked, takeNext } from './choose.ts'
import type { Hooks } from './compose.ts'
import { capabilityOf } from './dialect.ts'
import { GatewayError } from './errors.ts'
import type { Understood } from './exchange.ts'
import type { Judgement } from './judgement.ts'
import { isThenable, type MaybePromise } from './maybe-promise.ts'
import { nobodyLeft } from './nobody-left.ts'
import type { Declined, Pin, Verdict } from './plugin.ts'

/** Why an account was not asked. */
export interface Exclusion {
  readonly account: string
  readonly by: string
  readonly reason: string
  readonly untilMs?: number
  /** The status of the upstream's answer that caused it. */
  readonly status?: number
  /** What the client asked for in its words, where the account cannot be asked for it. */
  readonly field?: string
}

/** Collects the verdicts of all plugins, then removes and ranks: the one place that does. */
export function rankCandidates(exchange: Understood, hooks: Hooks): MaybePromise<Ranking> {
  const pool = poolOf(exchange)
  const judgement = hooks.judge(exchange, pool)
  if (isThenable(judgement)) return judgement.then((known) => rank(exchange, pool, known))
  return rank(exchange, pool, judgement)
}

/** The accounts that could serve the call, before anybody has been heard on it. */
export function poolOf({ snapshot, model, dialect, operation }: Understood): readonly Candidate[] {
  return snapshot.pool(model.name, dialect, capabilityOf(operation))
}

function rank(exchange: Understood, pool: readonly Candidate[], judgement: Judgement): Ranking {
  const ranking = new Ranking(exchange, pool, judgement)
  exchange.progress.ranking = ranking
  ranking.refuseIfPinnedToNobody()
  return ranking
}

/** The candidates of a call in the order in which they are asked, and those left out. */
export class Ranking {
  readonly excluded: Exclusion[] = []
  /** The rule that chose the account last taken. */
  decidedBy = noRule
  readonly #exchange: Understood
  readonly #pin: Pin | undefined
  readonly #ranked: Ranked[] = []

  constructor(exchange: Understood, pool: readonly Candidate[], { verdicts, pin }: Judgement) {
    this.#exchange = exchange
    this.#pin = pin
    if (pin) this.decidedBy = pin.by
    for (let index = 0; index < pool.length; index++) {
      this.#place(pool[index] as Candidate, verdicts?.[index] ?? noVerdicts)
    }
  }

  #place(candidate: Candidate, verdicts: readonly Verdict[]): void {
    const { id: account } = candidate.account
    const exclusion = verdicts.find((verdict) => verdict.excluded)?.excluded
    if (exclusion) this.excluded.push({ account, ...exclusion })
    else if (this.#pin && account !== this.#pin.pinnedTo) {
      this.excluded.push({
        account,
        by: this.#pin.by,
        reason: 'the call belongs to another account',
      })
    } else this.#ranked.push({ candidate, rank: totalRank(verdicts), why: preference(verdicts) })
  }

  /** Takes the next account to ask. */
  next(): Candidate | undefined {
    const chosen = takeNext(this.#ranked)
    if (chosen && !this.#pin) this.decidedBy = chosen.why ?? noRule
    return chosen?.candidate
  }

  /** Whether the call belongs to one account, whose own errors are then the answer. */
  get pinned(): boolean {
    return this.#pin !== undefined
  }

  /** An account that was taken could not be had after all. */
  exclude({ account }: Candidate, { by, reason, untilMs, field }: Declined): void {
    this.excluded.push({
      account: account.id,
      by,
      reason,
      ...(untilMs !== undefined && { untilMs }),
      ...(field !== undefined && { field }),
    })
  }

  refuseIfPinnedToNobody(): void {
    if (this.#pin && this.#ranked.length === 0) throw this.nobodyLeft()
  }

  /** The error of a call that no account can serve. */
  nobodyLeft(): GatewayError {
    const pin = this.#pin
    if (!pin) return nobodyLeft(this.#exchange, this.excluded)
    const own = this.excluded.find(({ account }) => account === pin.pinnedTo)
    if (own?.field !== undefined) return nobodyLeft(this.#exchange, [own])
    return pin.unavailable(own?.reason ?? whyNotInPool(this.#exchange, pin.pinnedTo))
  }
}

/** Nobody had a preference. */
const noRule = 'priority and weight'

const noVerdicts: readonly Verdict[] = []

function totalRank(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((total, verdict) => total + (verdict.rank ?? 0), 0)
}

function preference(verdicts: readonly Verdict[]): string | undefined {
  return verdicts.find(({ rank: by = 0 }) => by < 0)?.why
}

/** Why an account is not among the candidates at all. */
function whyNotInPool({ snapshot, dialect }: Understood, id: string): string {
  const account: Account | undefined = snapshot.accounts.find((one) => one.id === id)
  if (!account) return 'it is not configured any more'
  if (!account.enabled) return 'it is disabled'
  if (!account.speaks.includes(dialect.name)) return 'it does not speak this protocol any more'
  return 'it does not serve this model any more'
}
