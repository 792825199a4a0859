import type { RateHeaders } from '../../src/contract/dialect-info.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { MeterState } from '../../src/stores/meter.ts'

/** A limit that has admitted a call, and its state. */
export interface AdmittedBy {
  readonly limit: Limit
  readonly amount: number
  readonly state: MeterState
}

/**
 * The headers of a reply: the tightest limit of requests, and of tokens, of the key and its team. Limits that only warn
 * are not for clients, nor are the limits of the gateway, whose remaining amounts show the use of other keys.
 */
export function headersOf(
  { admitted, isStale }: { readonly admitted: readonly AdmittedBy[]; readonly isStale: boolean },
  format: RateHeaders,
  now: number,
): Readonly<Record<string, string>> {
  const of = (noun: 'requests' | 'tokens') => {
    const tightest = tightestOf(admitted, noun)
    if (!tightest) return undefined
    const { remaining, resetsAt = now } = tightest.state
    return format(noun, { limit: tightest.amount, remaining, resetsAt, now })
  }
  return { ...of('requests'), ...of('tokens'), ...(isStale && { 'x-dragoman-stale': 'limits' }) }
}

function tightestOf(
  all: readonly AdmittedBy[],
  noun: 'requests' | 'tokens',
): AdmittedBy | undefined {
  let tightest: AdmittedBy | undefined
  for (const one of all) {
    const { action, window, subject } = one.limit
    const isShown = action === 'refuse' && window !== undefined && subject.type !== 'gateway'
    if (!isShown || nounOf(one.limit) !== noun) continue
    if (!tightest || shareOf(one) < shareOf(tightest)) tightest = one
  }
  return tightest
}

function nounOf({ kind }: Limit): 'requests' | 'tokens' | undefined {
  if (kind === 'requests') return kind
  return kind === 'cost' || kind === 'concurrent' ? undefined : 'tokens'
}

function shareOf({ amount, state }: AdmittedBy): number {
  return state.remaining / Math.max(1, amount)
}

/** As OpenAI writes them. Written out: an object with computed names took 6 % of a call's time. */
export const openAiRateHeaders: RateHeaders = (noun, { limit, remaining, resetsAt, now }) => {
  const values = [`${limit}`, `${remaining}`, durationOf(Math.max(0, resetsAt - now))] as const
  return noun === 'requests'
    ? {
        'x-ratelimit-limit-requests': values[0],
        'x-ratelimit-remaining-requests': values[1],
        'x-ratelimit-reset-requests': values[2],
      }
    : {
        'x-ratelimit-limit-tokens': values[0],
        'x-ratelimit-remaining-tokens': values[1],
        'x-ratelimit-reset-tokens': values[2],
      }
}

/** `6m0s`, `1.5s`, `20ms`. */
function durationOf(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds}ms`
  const whole = Math.floor(milliseconds / 1_000)
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  const seconds = `${Math.round(milliseconds - (hours * 60 + minutes) * 60_000) / 1_000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
