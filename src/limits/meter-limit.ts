import type { Limit } from '../contract/quota.ts'
import type { MeterLimit } from '../stores/meter.ts'
import type { LimitSet } from './limit-set.ts'
import { type Period, periodAt } from './windows.ts'

/** A limit as the meter counts it at a time, in milliseconds since 1970. */
export function meterLimitOf(
  limit: Limit,
  at: number,
  amounts: Pick<LimitSet, 'amountOf'>,
): MeterLimit {
  const { id, kind, action, strict } = limit
  return {
    id,
    amount: amounts.amountOf(limit, at),
    counts: kind === 'concurrent' ? { kind } : countsOf(limit, at),
    refuses: action === 'refuse',
    strict,
  }
}

function countsOf({ window = 'total', rateMs, zone }: Limit, at: number): MeterLimit['counts'] {
  if (rateMs !== undefined) return { kind: 'rate', windowMs: rateMs }
  const { name, endsAt } = currentPeriod(window, zone, at)
  return { kind: 'budget', period: name, endsAt }
}

/** The last period of each window and zone: calendars of zones take time. */
const periods = new Map<string, Period>()

function currentPeriod(window: string, zone: string, at: number): Period {
  const key = `${window} ${zone}`
  const known = periods.get(key)
  if (known && known.startsAt <= at && at < (known.endsAt ?? Infinity)) return known
  const period = periodAt(window, zone, at)
  periods.set(key, period)
  return period
}
