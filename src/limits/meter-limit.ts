import type { Limit } from '../contract/quota.ts'
import type { MeterLimit } from '../stores/meter.ts'
import type { LimitSet } from './limit-set.ts'
import { type Period, periodAt } from './windows.ts'

/** A limit as the meter counts it in a period. */
interface Counted {
  readonly meter: MeterLimit
  /** Absent: a rate, or calls at once. */
  readonly period: Period | undefined
}

/** The last of each limit: one amount and period of a limit are one object, by which leases know it. */
const counted = new WeakMap<Limit, Counted>()

/** A limit as the meter counts it at a time, in milliseconds since 1970. */
export function meterLimitOf(
  limit: Limit,
  at: number,
  amounts: Pick<LimitSet, 'amountOf'>,
): MeterLimit {
  const amount = amounts.amountOf(limit, at)
  const last = counted.get(limit)
  if (last?.meter.amount === amount && isIn(last.period, at)) return last.meter
  const { id, kind, rateMs, window = 'total', zone, action, strict } = limit
  const isBudget = kind !== 'concurrent' && rateMs === undefined
  const period = isBudget ? currentPeriod(window, zone, at) : undefined
  const counts = period
    ? ({ kind: 'budget', period: period.name, endsAt: period.endsAt } as const)
    : rateMs === undefined
      ? ({ kind: 'concurrent' } as const)
      : ({ kind: 'rate', windowMs: rateMs } as const)
  const meter = { id, amount, counts, refuses: action === 'refuse', strict }
  counted.set(limit, { meter, period })
  return meter
}

/** The last period of each window and zone: calendars of zones take time. */
const periods = new Map<string, Period>()

function currentPeriod(window: string, zone: string, at: number): Period {
  const key = `${window} ${zone}`
  const known = periods.get(key)
  if (known && isIn(known, at)) return known
  const period = periodAt(window, zone, at)
  periods.set(key, period)
  return period
}

function isIn(period: Period | undefined, at: number): boolean {
  return !period || (period.startsAt <= at && at < (period.endsAt ?? Infinity))
}
