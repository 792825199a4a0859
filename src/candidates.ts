import type { Candidate } from './accounts/account.ts'
import { GatewayError } from './errors.ts'
import type { Understood } from './exchange.ts'
import type { Hooks } from './compose.ts'
import type { Judgement } from './judgement.ts'
import { isThenable, type MaybePromise } from './maybe-promise.ts'
import type { Pin, Verdict } from './plugin.ts'

/** Why an account was not asked. */
export interface Exclusion {
  readonly account: string
  readonly by: string
  readonly reason: string
  readonly untilMs?: number
}

/** The candidates of a call in the order in which they are asked, and those left out. */
export interface Ranking {
  next(): Candidate | undefined
  readonly excluded: readonly Exclusion[]
  /** The rule that chose the account last taken. */
  readonly decidedBy: string
}

/** Collects the verdicts of all plugins, then removes and ranks: the one place that does. */
export function rankCandidates(exchange: Understood, hooks: Hooks): MaybePromise<Ranking> {
  const pool = exchange.snapshot.pool(exchange.model.name, exchange.dialect)
  const judgement = hooks.judge(exchange, pool)
  if (isThenable(judgement)) return judgement.then((known) => rank(exchange, pool, known))
  return rank(exchange, pool, judgement)
}

function rank(exchange: Understood, pool: readonly Candidate[], judgement: Judgement): Ranking {
  const { verdicts, pin } = judgement
  const excluded: Exclusion[] = []
  const ranked: Ranked[] = []
  for (let index = 0; index < pool.length; index++) {
    const candidate = pool[index] as Candidate
    const given = verdicts?.[index] ?? noVerdicts
    const exclusion = given.find((verdict) => verdict.excluded)?.excluded
    if (exclusion) excluded.push({ account: candidate.account.id, ...exclusion })
    else if (pin && candidate.account.id !== pin.pinnedTo) excluded.push(elsewhere(candidate, pin))
    else ranked.push({ candidate, rank: totalRank(given), why: given.find(isPreference)?.why })
  }
  const ranking = { excluded, decidedBy: pin?.by ?? 'priority and weight', next }
  function next(): Candidate | undefined {
    const chosen = takeNext(ranked)
    if (chosen?.why) ranking.decidedBy = chosen.why
    return chosen?.candidate
  }
  exchange.progress.ranking = ranking
  if (pin && ranked.length === 0) throw pin.unavailable(reasonAgainst(pin, excluded))
  return ranking
}

const noVerdicts: readonly Verdict[] = []

function isPreference({ rank: by }: Verdict): boolean {
  return by !== undefined && by < 0
}

function elsewhere({ account }: Candidate, { by }: Pin): Exclusion {
  return { account: account.id, by, reason: 'the call belongs to another account' }
}

function reasonAgainst({ pinnedTo }: Pin, excluded: readonly Exclusion[]): string {
  const own = excluded.find(({ account }) => account === pinnedTo)
  return own?.reason ?? 'it does not serve this model and operation any more'
}

/** The error of a call that nobody can serve just now. */
export function nobodyLeft(exchange: Understood, excluded: readonly Exclusion[]): GatewayError {
  if (excluded.length === 0) {
    return new GatewayError(
      'model_not_found',
      `The model \`${exchange.model.requested}\` is not served on this endpoint.`,
      { param: 'model' },
    )
  }
  const until = Math.min(...excluded.map((exclusion) => exclusion.untilMs ?? Infinity))
  const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1_000))
  return new GatewayError(
    'no_account_available',
    `No account can serve the model \`${exchange.model.requested}\` at the moment.`,
    Number.isFinite(until) ? { headers: { 'retry-after': String(seconds) } } : { retry: false },
  )
}

interface Ranked {
  readonly candidate: Candidate
  readonly rank: number
  readonly why: string | undefined
}

function totalRank(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((total, verdict) => total + (verdict.rank ?? 0), 0)
}

/** Takes one of the best out of the list: lowest rank, then lowest priority, then by weight. */
function takeNext(ranked: Ranked[]): Ranked | undefined {
  if (ranked.length < 2) return ranked.pop()
  const best = ranked.reduce<Ranked | undefined>(
    (first, one) => (!first || compare(one, first) < 0 ? one : first),
    undefined,
  )
  if (!best) return undefined
  const equals = ranked.filter((one) => compare(one, best) === 0)
  const chosen = chooseByWeight(equals)
  ranked.splice(ranked.indexOf(chosen), 1)
  return chosen
}

function compare(left: Ranked, right: Ranked): number {
  return (
    left.rank - right.rank || left.candidate.account.priority - right.candidate.account.priority
  )
}

function chooseByWeight(ranked: readonly Ranked[]): Ranked {
  const total = ranked.reduce((sum, one) => sum + one.candidate.account.weight, 0)
  let point = Math.random() * total
  for (const one of ranked) {
    point -= one.candidate.account.weight
    if (point < 0) return one
  }
  return ranked.at(-1) as Ranked
}
