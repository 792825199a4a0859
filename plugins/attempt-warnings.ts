import { type GatewayPlugin, type OutcomeInput, definePlugin } from '../src/contract/plugin.ts'
import { GatewayError } from '../src/contract/errors.ts'
import { credentialFailureIn } from '../src/contract/credential.ts'
import { cleanText } from '../src/kit/secrets/exchange-texts.ts'
import type { ExchangeTrace } from '../src/contract/trace.ts'
import type { Log } from '../src/lib/log.ts'
import { RecentMap } from '../src/lib/recent-map.ts'
import { proxyFailureIn } from '../src/upstream/proxy.ts'

/** The least time between two warnings about one account, in milliseconds. */
const everyMs = 1_000

/** Accounts that are remembered: reloads may name others for as long as the process runs. */
const mostAccounts = 10_000

/** In characters. */
const longestReason = 512

/** The options of `attemptWarnings`. */
interface AttemptWarningsOptions {
  readonly log: Log
  /** Returns milliseconds of a monotonic clock. */
  readonly elapsed?: () => number
}

/** The last warning about an account. */
interface Warned {
  readonly at: number
  /** Failures since then that have no warning. */
  omitted: number
}

/**
 * Logs a warning for a failed attempt that an account caused, at most once a second for each account: a
 * failure that another account made good is in no client's answer. At level `debug` each attempt has a line.
 */
export function attemptWarnings({
  log,
  elapsed = () => performance.now(),
}: AttemptWarningsOptions): GatewayPlugin {
  const warned = new RecentMap<Warned>(mostAccounts)

  function onOutcome(input: OutcomeInput): void {
    const { outcome } = input
    log.debug('an attempt ended', () => ({ ...factsOf(input), outcome: outcome.status }))
    if (outcome.status !== 'failed' || outcome.fault !== 'account') return
    // What keeps a credential from an account is logged once, where it is found.
    if (!credentialFailureIn(outcome.error)) warn(input)
  }

  function warn(input: OutcomeInput): void {
    const { id } = input.candidate.account
    const now = elapsed()
    const last = warned.get(id)
    if (last && now - last.at < everyMs) {
      last.omitted++
      return
    }
    warned.set(id, { at: now, omitted: 0 })
    const reason = proxyFailureIn(input.outcome.error)?.message ?? wordsOf(input.outcome)
    log.warn('an attempt failed', {
      ...factsOf(input),
      ...(reason !== undefined && { reason: cleanText(reason, input.exchange, longestReason) }),
      ...(last && last.omitted > 0 && { omitted: last.omitted }),
    })
  }

  return definePlugin({ name: 'attempt-warnings', onOutcome })
}

/** Refusals whose words no client gets, and which quote nothing of a request. */
const ofAccount: ReadonlySet<unknown> = new Set(['credential', 'credit', 'model'])

/** The account's own words, without its key and address, where they are about the account. */
function wordsOf({ about, error }: OutcomeInput['outcome']): string | undefined {
  const { cause } = error ?? {}
  return ofAccount.has(about) && GatewayError.isInstance(cause) ? cause.message : undefined
}

function factsOf({ exchange, candidate, attempt, outcome }: OutcomeInput) {
  return {
    request_id: exchange.id,
    ...idsOf(exchange.progress.trace),
    account: candidate.account.id,
    dialect: candidate.dialect.id,
    attempt: attempt.number,
    status: outcome.httpStatus ?? attempt.status,
    error: outcome.error?.code,
  }
}

function idsOf(trace: ExchangeTrace | undefined): Readonly<Record<string, string>> {
  return trace ? { trace_id: trace.traceId, span_id: trace.spanId } : {}
}
