import { poolOfCaller } from '../accounts/caller-pools.ts'
import { namedPoolOf } from '../accounts/named-pool.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { Routing, Understood } from '../contract/exchange.ts'
import { type AccountSlots, atLimit, slotRule } from '../accounts/slots.ts'
import type { Hooks } from '../hooks/compose.ts'
import type { Verdicts } from '../hooks/run-hooks.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { Account } from '../contract/account.ts'
import type { Declined } from '../contract/attempt.ts'
import type { Exclusion, Pin } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Verdict } from '../contract/plugin.ts'
import type { Relocation, Renamed } from '../contract/relocation.ts'
import type { StoredResource } from '../contract/stored.ts'
import type { AccountLack } from '../generate/account-lacks.ts'
import { ownerForNow, ownerGone, ownerUnreachable } from '../kit/owner-unreachable.ts'
import {
  CandidateQueue,
  type Chance,
  type Ranked,
  chancesOf,
  chooseFirst,
  findOwner,
} from './choose.ts'
import { noAccountError, unsupported } from './no-account-error.ts'
import { type Comparison, type Measures, comparisonFor } from './strategies.ts'
import { enterModel } from '../exchange/record.ts'
import { fallbackNamed } from '../kit/fallbacks.ts'

/** The parts that decide on candidates: the plugins, the slots of accounts, and what strategies compare. */
interface RouteParts extends Measures {
  readonly hooks: Hooks
  readonly slots: AccountSlots
}

/**
 * Finds the accounts that can serve a call: collects the verdicts of all plugins, then excludes and
 * ranks candidates. No other place excludes candidates.
 */
export function route(exchange: Understood, parts: RouteParts): MaybePromise<Ranking> {
  const pool = poolOf(exchange)
  const collected = parts.hooks.verdicts(exchange, pool)
  if (!isThenable(collected)) return rank(exchange, pool, collected, parts)
  return collected.then((verdicts) => {
    const { continues = exchange.model.name } = verdicts.pin ?? {}
    const isOther = continues !== exchange.model.name
    const other = isOther ? fallbackNamed(exchange, continues) : undefined
    if (!other) return rank(exchange, pool, verdicts, parts)
    enterModel(exchange, other)
    return route(exchange, parts)
  })
}

/** The candidates before any verdict. */
export function poolOf(exchange: Understood): readonly Candidate[] {
  const { snapshot, model, dialect, operation, call, caller } = exchange
  if (call.among) return namedPoolOf(exchange, call.among)
  const pool = snapshot.pool(model.name, dialect, operation.capability ?? '')
  if (model.name !== '' || call.refersTo.length > 0) return pool
  // A call without a model can create a resource, which then continues with models of the account.
  return keeping(poolOfCaller(pool, snapshot, caller), operation)
}

/** The candidates that can keep a resource that a call creates. The same pool object if all can. */
function keeping(
  pool: readonly Candidate[],
  { capability }: Understood['operation'],
): readonly Candidate[] {
  const canKeep = (candidate: Candidate) => !lacksOf(candidate).includes('stored-responses')
  if (capability !== 'stored-conversation' || pool.every(canKeep)) return pool
  return pool.filter(canKeep)
}

/** What an account lacks: as its configuration says, or else as its provider's accounts of the dialect do. */
export function lacksOf({
  account: { lacks, lacksIn },
  dialect: { id },
}: Pick<Candidate, 'account' | 'dialect'>): readonly AccountLack[] {
  return lacks ?? lacksIn?.[id] ?? nothing
}

const nothing: readonly AccountLack[] = []

function rank(
  exchange: Understood,
  pool: readonly Candidate[],
  collected: Verdicts,
  parts: RouteParts,
): Ranking {
  const ranking = new Ranking(exchange, pool, collected, parts)
  exchange.progress.routing = ranking
  exchange.progress.trace?.reached('routed')
  return ranking
}

/** Ranks the candidates of a call: those left for attempts, and those excluded. */
export class Ranking implements Routing {
  /** The rule that chose the last candidate. */
  decidedBy: string
  readonly #exchange: Understood
  readonly #pool: readonly Candidate[]
  readonly #verdicts: Verdicts['verdicts']
  readonly #pin: AccountPin | undefined
  readonly #slots: AccountSlots
  /** Absent: weights decide. */
  readonly #comparison: Comparison | undefined
  /** The resource that the call continues or refers to, if the gateway stores it. */
  readonly stored: StoredResource | undefined
  /** Set if the resource moves to the account of the call. */
  readonly relocation: Relocation | undefined
  #renamed: Renamed | undefined
  #isRelocated = false
  /** The first candidate, if it was chosen without sorting the pool. */
  #first: Candidate | undefined
  /** The last candidate, if the pool was sorted for it. */
  #last: Ranked | undefined
  #sorted: Sorted | undefined

  constructor(
    exchange: Understood,
    pool: readonly Candidate[],
    collected: Verdicts,
    parts: RouteParts,
  ) {
    const { verdicts, pin = exchange.call.pin } = collected
    this.#slots = parts.slots
    const { strategy } = exchange.model
    this.#comparison = strategy && comparisonFor(exchange, strategy, parts)
    this.decidedBy = this.#rule
    this.#exchange = exchange
    this.#pool = pool
    this.#verdicts = verdicts
    this.stored = pin?.stored
    this.relocation = pin?.relocation
    this.#renamed = pin?.renamed
    if (pin?.pinnedTo === undefined) return
    const { refersTo, names = [] } = exchange.call
    const isFree = refersTo.length === 0 && !names.some(({ isReference }) => isReference)
    this.#pin = { ...pin, pinnedTo: pin.pinnedTo, isFree }
    this.decidedBy = pin.by
  }

  /** The excluded accounts, each with the reason. */
  get excluded(): readonly Exclusion[] {
    return this.#sort().excluded
  }

  get excludedSoFar(): readonly Exclusion[] {
    return this.#sorted?.excluded ?? noExclusions
  }

  /** The candidates among which the last one was taken, the likeliest first. Takes a while for ten thousand. */
  chances(): readonly Chance[] {
    const { left } = this.#sort().queue
    const last = this.#last ?? (this.#first && this.#rankedFirst(this.#first))
    return chancesOf(last ? [...left, last] : left, this.#comparison)
  }

  #rankedFirst(candidate: Candidate): Ranked {
    return { candidate, place: this.#pool.indexOf(candidate), rank: 0, why: undefined }
  }

  /** The rule if no verdict prefers a candidate. */
  get #rule(): string {
    return this.#comparison?.rule ?? noRule
  }

  /** Takes the next candidate; `undefined` if none is left. */
  next(): Candidate | undefined {
    const isPlain = !this.#verdicts && (!this.#comparison || this.#pin !== undefined)
    if (isPlain && !this.#sorted && !this.#first) {
      const first = this.#pin ? owner(this.#pool, this.#pin) : chooseFirst(this.#pool)
      if (!first || !this.#slots.isFull(first.account)) return (this.#first = first)
    }
    const chosen = this.#sort().queue.take()
    if (chosen && !this.#pin) this.decidedBy = chosen.why ?? this.#rule
    this.#last = chosen
    return chosen?.candidate
  }

  /** Whether only one account can serve the call, so that the client gets that account's errors. */
  get pinned(): boolean {
    return this.#pin !== undefined || this.#isRelocated
  }

  get renamed(): Renamed | undefined {
    return this.#renamed
  }

  relocated(renamed: Renamed): void {
    this.#renamed = renamed
    this.#isRelocated = true
  }

  /** Excludes a candidate that was taken and then declined. */
  exclude({ account }: Candidate, { by, reason, untilMs, field, status, kind }: Declined): void {
    this.#sort().excluded.push({
      account: account.id,
      by,
      reason,
      ...(untilMs !== undefined && { untilMs }),
      ...(field !== undefined && { field }),
      ...(status !== undefined && { status }),
      ...(kind !== undefined && { kind }),
    })
  }

  /** Throws `GatewayError` if the call is pinned to an account that cannot serve it. */
  assertOwnerAvailable(): void {
    if (!this.#pin) return
    const hasOwner = this.#verdicts
      ? this.#sort().queue.left.length > 0
      : owner(this.#pool, this.#pin) !== undefined
    if (!hasOwner) throw this.unavailableError()
  }

  /** The error for a call that no account can serve. */
  unavailableError(): GatewayError {
    const pin = this.#pin
    if (!pin) return noAccountError(this.#exchange, this.excluded)
    const own = this.excluded.find(({ account }) => account === pin.pinnedTo)
    if (own?.field !== undefined) return unsupported(own)
    if (!own) return ownerGone(this.#exchange.snapshot, pin, whyNotInPool(this.#exchange, pin))
    const error = pin.unavailable(own.reason)
    return own.by === slotRule ? ownerForNow(error) : error
  }

  /** The error of a call to whose account no connection stood. `failure` is the connection's error. */
  unreachableError(failure: GatewayError): GatewayError {
    const pin = this.#pin
    return pin ? ownerUnreachable((reason) => pin.unavailable(reason), failure) : failure
  }

  /** Lazy, because it visits every candidate of the pool. */
  #sort(): Sorted {
    this.#sorted ??= sort(this.#pool, this.#verdicts, this.#pin, {
      taken: this.#first,
      isMoving: this.relocation !== undefined,
      slots: this.#slots,
      comparison: this.#comparison,
    })
    return this.#sorted
  }
}

/** A pin to an account. */
type AccountPin = Pin & {
  readonly pinnedTo: string
  /** The call refers to no resource and no stored data: a plugin chose the account. */
  readonly isFree: boolean
}

function owner(pool: readonly Candidate[], pin: AccountPin): Candidate | undefined {
  const candidate = findOwner(pool, pin.pinnedTo)
  return candidate && canServe(candidate, pin) ? candidate : undefined
}

/** An account resolves the ids of its own resources in their dialect only. */
function canServe({ native }: Candidate, { stored, isFree }: AccountPin): boolean {
  return native || stored !== undefined || isFree
}

const noExclusions: readonly Exclusion[] = []

interface Sorted {
  readonly queue: CandidateQueue
  readonly excluded: Exclusion[]
}

interface SortOptions {
  readonly taken: Candidate | undefined
  readonly isMoving: boolean
  readonly slots: AccountSlots
  readonly comparison: Comparison | undefined
}

function sort(
  pool: readonly Candidate[],
  verdicts: Verdicts['verdicts'],
  pin: AccountPin | undefined,
  { taken, isMoving, slots, comparison }: SortOptions,
): Sorted {
  const sorting: Sorting = { pin, slots, ranked: [], excluded: [] }
  // The loop makes no objects of its own: a pool may have ten thousand candidates.
  for (let place = 0; place < pool.length; place++) {
    const candidate = pool[place]!
    if (candidate === taken) continue
    if (isMoving && !candidate.native) {
      const { id: account } = candidate.account
      sorting.excluded.push({ account, by: 'bindings', reason: 'it cannot store the resource' })
    } else sortIn(sorting, candidate, place, verdicts?.[place] ?? noVerdicts)
  }
  return { queue: new CandidateQueue(sorting.ranked, comparison), excluded: sorting.excluded }
}

interface Sorting {
  readonly pin: AccountPin | undefined
  readonly slots: AccountSlots
  readonly ranked: Ranked[]
  readonly excluded: Exclusion[]
}

function sortIn(
  { pin, slots, ranked, excluded }: Sorting,
  candidate: Candidate,
  place: number,
  verdicts: readonly Verdict[],
): void {
  const { id: account } = candidate.account
  const exclusion = verdicts.find((verdict) => verdict.excluded)?.excluded
  if (exclusion) excluded.push({ account, ...exclusion })
  else if (pin && account !== pin.pinnedTo) {
    excluded.push({ account, by: pin.by, reason: 'the call belongs to another account' })
  } else if (pin && !canServe(candidate, pin)) {
    excluded.push({ account, by: pin.by, reason: dialectLost })
  } else if (slots.isFull(candidate.account)) excluded.push(atLimit(candidate.account))
  else ranked.push({ candidate, place, rank: totalRank(verdicts), why: preference(verdicts) })
}

/** The rule if no verdict prefers a candidate and its model has no strategy. */
export const noRule = 'priority and weight'

const dialectLost = 'it no longer speaks this dialect'

const noVerdicts: readonly Verdict[] = []

function totalRank(verdicts: readonly Verdict[]): number {
  return verdicts.reduce((total, verdict) => total + (verdict.rank ?? 0), 0)
}

function preference(verdicts: readonly Verdict[]): string | undefined {
  return verdicts.find(({ rank = 0 }) => rank < 0)?.why
}

/** Why the pinned account is not among the candidates. */
function whyNotInPool({ snapshot, dialect }: Understood, { pinnedTo, stored }: AccountPin): string {
  const account: Account | undefined = snapshot.accounts.find(({ id }) => id === pinnedTo)
  if (!account) return 'it is no longer configured'
  if (!account.enabled) return 'it is disabled'
  if (!stored && !account.speaks.includes(dialect.id)) return dialectLost
  return 'it no longer serves this model'
}
