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
  admitted: readonly AdmittedBy[],
  format: RateHeaders,
  now: number,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const kind of ['requests', 'tokens'] as const) {
    const tightest = tightestOf(
      admitted.filter(
        ({ limit }) =>
          limit.action === 'refuse' &&
          limit.window !== undefined &&
          limit.subject.type !== 'gateway' &&
          nounOf(limit) === kind,
      ),
    )
    if (!tightest) continue
    const { amount, state } = tightest
    const { remaining, resetsAt = now } = state
    Object.assign(headers, format(kind, { limit: amount, remaining, resetsAt, now }))
  }
  return headers
}

function nounOf({ kind }: Limit): 'requests' | 'tokens' | undefined {
  if (kind === 'requests') return kind
  return kind === 'tokens' || kind === 'inputTokens' || kind === 'outputTokens'
    ? 'tokens'
    : undefined
}

function tightestOf(all: readonly AdmittedBy[]): AdmittedBy | undefined {
  const [first, ...others] = all
  if (!first) return undefined
  const share = ({ amount, state }: AdmittedBy) => state.remaining / Math.max(1, amount)
  return others.reduce((least, one) => (share(one) < share(least) ? one : least), first)
}

/** As OpenAI writes them. */
export const openAiRateHeaders: RateHeaders = (kind, { limit, remaining, resetsAt, now }) => ({
  [`x-ratelimit-limit-${kind}`]: String(limit),
  [`x-ratelimit-remaining-${kind}`]: String(remaining),
  [`x-ratelimit-reset-${kind}`]: durationOf(Math.max(0, resetsAt - now)),
})

/** `6m0s`, `1.5s`, `20ms`. */
function durationOf(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds}ms`
  const whole = Math.floor(milliseconds / 1_000)
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  const seconds = `${Math.round(milliseconds - (hours * 60 + minutes) * 60_000) / 1_000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
