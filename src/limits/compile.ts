import { compilePatterns } from '../accounts/patterns.ts'
import type { Problem } from '../contract/problems.ts'
import type { Limit, LimitSubject, QuotaSetting } from '../contract/quota.ts'
import { parseDecimal } from '../lib/decimal.ts'
import { canonicalWindow, isCalendar, isZone, lengthOf } from './windows.ts'

/** The longest window of a rate. Longer ones are budgets. */
const longestRateMs = 3_600_000

/** In characters: the id is a part of the names of counters. */
const longestId = 1_000

/** In USD, as nano-dollars a safe integer. */
const mostDollars = 9_000_000
const mostCounted = 1e15

/** Compiles the quotas of a subject. `quotaProblem` has found nothing about them. */
export function compileLimits(
  subject: LimitSubject,
  quotas: readonly QuotaSetting[],
  managedBy: Limit['managedBy'] = 'FILE',
): readonly Limit[] {
  return quotas.map((quota) => compileLimit(subject, quota, managedBy))
}

function compileLimit(
  subject: LimitSubject,
  quota: QuotaSetting,
  managedBy: Limit['managedBy'],
): Limit {
  const { kind, models, per, action = 'refuse', alerts = [0.8, 1], strict = false } = quota
  const window = windowOf(quota)
  const rateMs = rateOf(quota)
  const isBudget = window !== undefined && rateMs === undefined
  return {
    id: limitId(subject, quota),
    subject,
    kind,
    amount: amountOf(quota) ?? 0,
    window,
    rateMs,
    zone: quota.zone ?? 'UTC',
    models,
    appliesTo: models ? compilePatterns(models) : () => true,
    per,
    action,
    alerts: isBudget ? alerts.toSorted((one, other) => one - other) : [],
    strict,
    managedBy,
  }
}

/** The stable id of a limit: another amount leaves it. */
export function limitId({ type, id }: LimitSubject, quota: QuotaSetting): string {
  const { kind, models, per } = quota
  const window = windowOf(quota)
  const parts = [type, id, kind]
  if (window !== undefined) parts.push(window)
  if (models) parts.push(models.map(encodeURIComponent).toSorted().join(','))
  if (per) parts.push(per)
  return parts.join(':')
}

/** Nano-dollars of `cost`, otherwise a whole number; `undefined`: the kind cannot have such an amount. */
function amountOf({ kind, amount }: QuotaSetting): number | undefined {
  const parsed = parseDecimal(amount, kind === 'cost' ? 9 : 0)
  if (parsed === undefined) return undefined
  const most = kind === 'cost' ? mostDollars * 1e9 : mostCounted
  return parsed <= BigInt(most) ? Number(parsed) : undefined
}

function windowOf({ kind, window }: QuotaSetting): string | undefined {
  if (kind === 'concurrent') return undefined
  return canonicalWindow(window ?? (kind === 'cost' ? 'total' : '1m'))
}

function rateOf(quota: QuotaSetting): number | undefined {
  const window = windowOf(quota)
  if (quota.kind === 'cost' || window === undefined) return undefined
  const length = lengthOf(window)
  return length !== undefined && length <= longestRateMs ? length : undefined
}

/** The first reason why a quota cannot be. The path begins below the quota. */
export function quotaProblem(subject: LimitSubject, quota: QuotaSetting): Problem | undefined {
  const { kind, amount, window, zone, alerts, per, strict } = quota
  if (amountOf(quota) === undefined) {
    return kind === 'cost'
      ? {
          path: 'amount',
          message: `must be USD from 0 to ${mostDollars} with at most 9 decimals, but is ${amount}`,
          fix: 'for example amount: 12.50',
        }
      : {
          path: 'amount',
          message: `must be a whole number from 0 to ${mostCounted}, but is ${amount}: only cost has decimals`,
          fix: 'for example amount: 100',
        }
  }
  if (kind === 'concurrent' && window !== undefined)
    return {
      path: 'window',
      message: 'is the window of calls at once, which have none',
      fix: 'leave it out',
    }
  const effective = windowOf(quota)
  if (zone !== undefined) {
    if (effective === undefined || !isCalendar(effective))
      return {
        path: 'zone',
        message: 'concerns days, weeks and months only',
        fix: 'leave it out, or use the window day, week or month',
      }
    if (!isZone(zone))
      return {
        path: 'zone',
        message: `"${zone}" is no time zone that this process knows`,
        fix: 'use a name such as Europe/Berlin',
      }
  }
  if (alerts && (effective === undefined || rateOf(quota) !== undefined))
    return {
      path: 'alerts',
      message: 'concern budgets only',
      fix: 'leave them out, or use the window day, week, month or total',
    }
  if (strict && (effective === undefined || rateOf(quota) !== undefined))
    return {
      path: 'strict',
      message: 'concerns budgets only',
      fix: 'leave it out, or use the window day, week, month or total',
    }
  if (limitId(subject, quota).length > longestId)
    return {
      path: 'models',
      message: 'has too many names',
      fix: 'use patterns, or spread the names over several limits',
    }
  if (subject.type === 'account' && per)
    return {
      path: 'per',
      message: 'concerns limits of keys, teams and the gateway only',
      fix: 'leave it out',
    }
  return undefined
}
