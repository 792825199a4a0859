import type { Account } from '../contract/account.ts'
import type { Declined } from '../contract/attempt.ts'
import type { Exclusion, Pin } from '../contract/call.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routing, Understood } from '../contract/exchange.ts'
import type { Verdict } from '../contract/plugin.ts'
import type { StoredResource } from '../contract/stored.ts'
import type { Verdicts } from '../hooks/verdicts.ts'
import { type Ranked, chooseFirst, findOwner, takeNext } from './choose.ts'
import { noAccountError } from './no-account-error.ts'

/** The candidates of a call in the order in which they are asked, and those left out. */
export class Ranking implements Routing {
  /** The rule that chose the account last taken. */
  decidedBy = noRule
  readonly #exchange: Understood
  readonly #pool: readonly Candidate[]
  readonly #verdicts: Verdicts['verdicts']
  readonly #pin: Owned | undefined
  /** What the call goes on from, or is about, where the gateway keeps it. */
  readonly stored: StoredResource | undefined
  /** Taken, or had by nobody else, before anything had to be sorted. */
  #first: Candidate | undefined
  #sorted: Sorted | undefined

  constructor(exchange: Understood, pool: readonly Candidate[], judgement: Verdicts) {
    const { verdicts, pin = exchange.call.pin } = judgement
    this.#exchange = exchange
    this.#pool = pool
    this.#verdicts = verdicts
    this.stored = pin?.stored
    if (pin?.pinnedTo === undefined) return
    const isFree = exchange.call.refersTo.length === 0
    this.#pin = { ...pin, pinnedTo: pin.pinnedTo, isFree }
    this.decidedBy = pin.by
  }

  /** Who is not asked, and why. */
  get excluded(): readonly Exclusion[] {
    return this.#sort().excluded
  }

  /** Takes the next account to ask. */
  next(): Candidate | undefined {
    if (!this.#sorted && !this.#verdicts && !this.#first) {
      this.#first = this.#pin ? owner(this.#pool, this.#pin) : chooseFirst(this.#pool)
      return this.#first
    }
    const chosen = takeNext(this.#sort().ranked)
    if (chosen && !this.#pin) this.decidedBy = chosen.why ?? noRule
    return chosen?.candidate
  }

  /** Whether the call belongs to one account, whose own errors are then the answer. */
  get pinned(): boolean {
    return this.#pin !== undefined
  }

  /** An account that was taken could not be had after all. */
  exclude({ account }: Candidate, { by, reason, untilMs, field }: Declined): void {
    this.#sort().excluded.push({
      account: account.id,
      by,
      reason,
      ...(untilMs !== undefined && { untilMs }),
      ...(field !== undefined && { field }),
    })
  }

  assertOwnerAvailable(): void {
    if (!this.#pin) return
    const hasOwner = this.#verdicts
      ? this.#sort().ranked.length > 0
      : owner(this.#pool, this.#pin) !== undefined
    if (!hasOwner) throw this.unavailableError()
  }

  /** The error of a call that no account can serve. */
  unavailableError(): GatewayError {
    const pin = this.#pin
    if (!pin) return noAccountError(this.#exchange, this.excluded)
    const own = this.excluded.find(({ account }) => account === pin.pinnedTo)
    if (own?.field !== undefined) return noAccountError(this.#exchange, [own])
    return pin.unavailable(own?.reason ?? whyNotInPool(this.#exchange, pin))
  }

  /** Not before somebody has to know: it looks at every account of the pool. */
  #sort(): Sorted {
    this.#sorted ??= sort(this.#pool, this.#verdicts, this.#pin, this.#first)
    return this.#sorted
  }
}

/** A call of one account's. */
type Owned = Pin & {
  readonly pinnedTo: string
  /** It goes on from nothing: a plugin wants it there. */
  readonly isFree: boolean
}

function owner(pool: readonly Candidate[], pin: Owned): Candidate | undefined {
  const candidate = findOwner(pool, pin.pinnedTo)
  return candidate && canGoOn(candidate, pin) ? candidate : undefined
}

/** What an account keeps itself it can be asked for in its own words only. */
function canGoOn({ native }: Candidate, { stored: kept, isFree }: Owned): boolean {
  return native || kept !== undefined || isFree
}

interface Sorted {
  readonly ranked: Ranked[]
  readonly excluded: Exclusion[]
}

function sort(
  pool: readonly Candidate[],
  verdicts: Verdicts['verdicts'],
  pin: Owned | undefined,
  taken: Candidate | undefined,
): Sorted {
  const sorted: Sorted = { ranked: [], excluded: [] }
  for (const [index, candidate] of pool.entries()) {
    if (candidate !== taken) place(candidate, verdicts?.[index] ?? noVerdicts, pin, sorted)
  }
  return sorted
}

function place(
  candidate: Candidate,
  verdicts: readonly Verdict[],
  pin: Owned | undefined,
  { ranked, excluded }: Sorted,
): void {
  const { id: account } = candidate.account
  const exclusion = verdicts.find((verdict) => verdict.excluded)?.excluded
  if (exclusion) excluded.push({ account, ...exclusion })
  else if (pin && account !== pin.pinnedTo) {
    excluded.push({ account, by: pin.by, reason: 'the call belongs to another account' })
  } else if (pin && !canGoOn(candidate, pin)) {
    excluded.push({ account, by: pin.by, reason: 'it does not speak this protocol any more' })
  } else ranked.push({ candidate, rank: totalRank(verdicts), why: preference(verdicts) })
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
function whyNotInPool(
  { snapshot, dialect }: Understood,
  { pinnedTo, stored: kept }: Owned,
): string {
  const account: Account | undefined = snapshot.accounts.find(({ id }) => id === pinnedTo)
  if (!account) return 'it is not configured any more'
  if (!account.enabled) return 'it is disabled'
  if (!kept && !account.speaks.includes(dialect.id)) {
    return 'it does not speak this protocol any more'
  }
  return 'it does not serve this model any more'
}
