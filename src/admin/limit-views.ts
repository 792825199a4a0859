import type { Limit, LimitSubject } from '../contract/quota.ts'
import { formatUsd } from '../lib/usd.ts'
import { nameOf } from '../limits/limit-set.ts'
import { meterLimitOf } from '../limits/meter-limit.ts'
import type { MeterState } from '../stores/meter.ts'
import type { AdminServices } from './services.ts'

/** A number of calls or tokens; USD as a decimal text. */
export type Amount = number | string

/** A limit for operators. Times are milliseconds since 1970. */
export interface LimitView extends Omit<Limit, 'amount'> {
  readonly amount: Amount
  /** What it is granted besides, until a time. */
  readonly extra?: { readonly amount: Amount; readonly until: number }
  /** Absent: it counts each end user apart. */
  readonly spent?: Amount
  readonly held?: Amount
  readonly remaining?: Amount
  readonly resetsAt?: number
  readonly version?: number
  readonly changedAt?: number
  readonly changedBy?: string
}

/** The part of a list of limits behind an id. */
interface LimitPage {
  readonly subject?: LimitSubject | undefined
  readonly after?: string | undefined
  readonly first: number
}

/** The limits of a subject or of all, in the order of their ids. Rejects with `StoreUnavailable`. */
export async function listLimitViews(
  services: AdminServices,
  { subject, after = '', first }: LimitPage,
): Promise<LimitView[]> {
  const { limits } = services.running
  const all = subject ? limits.of(subject) : limits.all
  const page = all
    .filter(({ id }) => id > after)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, first)
  return await viewsOf(services, page)
}

/** The limit of an id, with its spent amount. Rejects with `StoreUnavailable`. */
export async function findLimitView(
  services: AdminServices,
  id: string,
): Promise<LimitView | undefined> {
  const limit = services.running.limits.get(id)
  return limit && (await viewsOf(services, [limit]))[0]
}

/** Limits that a search of the fullest ones examines, and reads at once. */
const mostExamined = 1_000
const batchSize = 100

/**
 * The limits that have used the largest shares of their amounts, the fullest first, of the first 1,000 in the order of
 * ids. Rejects with `StoreUnavailable`.
 */
export async function nearestLimits(
  services: AdminServices,
  most: number,
  signal: AbortSignal,
): Promise<LimitView[]> {
  const sorted = services.running.limits.all.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const examined = sorted.slice(0, mostExamined)
  let nearest: { readonly limit: LimitView; readonly share: number }[] = []
  for (let from = 0; from < examined.length; from += batchSize) {
    signal.throwIfAborted()
    const views = await viewsOf(services, examined.slice(from, from + batchSize))
    nearest = [...nearest, ...views.map((limit) => ({ limit, share: usedShare(limit) }))]
      .filter(({ share }) => share > 0)
      .toSorted((one, other) => other.share - one.share)
      .slice(0, most)
  }
  return nearest.map(({ limit }) => limit)
}

/** The share of a limit that is spent or held. 0: it counts each end user apart, or refuses all calls anyway. */
function usedShare({ amount, extra, remaining }: LimitView): number {
  const whole = Number(amount) + Number(extra?.amount ?? 0)
  return remaining === undefined || whole <= 0 ? 0 : 1 - Number(remaining) / whole
}

/** Reads the spent amounts, with one question for each subject. */
export async function viewsOf(
  services: AdminServices,
  limits: readonly Limit[],
): Promise<LimitView[]> {
  const { running, now } = services
  const at = now()
  const meter = running.store.meter()
  const states = new Map<Limit, MeterState>()
  const counted = limits.filter(({ per }) => !per)
  const reads = [...Map.groupBy(counted, ({ subject }) => nameOf(subject))].map(
    async ([name, some]) => {
      const asked = some.map((limit) => meterLimitOf(limit, at, running.limits))
      for (const [index, state] of (await meter.read(name, asked)).entries()) {
        states.set(some[index]!, state)
      }
    },
  )
  await Promise.all(reads)
  return limits.map((limit) => viewOf(services, limit, states.get(limit), at))
}

function viewOf(
  { running }: AdminServices,
  limit: Limit,
  state: MeterState | undefined,
  at: number,
): LimitView {
  const { kind } = limit
  const extra = running.extras.records.get(limit.id)
  const record =
    limit.managedBy === 'STORE' ? running.storedLimits.records.get(limit.id) : undefined
  return {
    ...limit,
    amount: shown(kind, limit.amount),
    ...(extra &&
      extra.until > at &&
      extra.amount > 0 && { extra: { amount: shown(kind, extra.amount), until: extra.until } }),
    ...(state && {
      spent: shown(kind, state.spent),
      held: shown(kind, state.held),
      remaining: shown(kind, state.remaining),
      ...(state.resetsAt !== undefined && { resetsAt: state.resetsAt }),
    }),
    ...(record && {
      version: record.version,
      changedAt: record.changedAt,
      changedBy: record.changedBy,
    }),
  }
}

export function shown(kind: Limit['kind'], amount: number): Amount {
  return kind === 'cost' ? formatUsd(amount) : amount
}
