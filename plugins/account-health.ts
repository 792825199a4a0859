import type { Account, Candidate } from '../src/accounts/account.ts'
import type { Outcome, Routed } from '../src/exchange.ts'
import type { Log } from '../src/log.ts'
import { definePlugin, type GatewayPlugin, type Verdict } from '../src/plugin.ts'

/** An account never stays away longer than this because of a `retry-after`, in milliseconds. */
const longestCoolDown = 10 * 60_000

/**
 * Leaves accounts alone that asked for it or that cannot work. A refused credential or credit takes
 * the account out until its configuration changes, a refused model takes out that model only, and
 * `retry-after` is its cool-down.
 */
export function accountHealth({ log }: { log: Log }): GatewayPlugin {
  const refusedAccounts = new WeakMap<Account, string>()
  const refusedModels = new WeakMap<Account, Map<string, string>>()
  const coolUntil = new WeakMap<Account, number>()
  /** Most of the time nothing is wrong anywhere, and nobody has to be judged. */
  let anythingWrong = false

  function refusalOf({ account, upstreamModel }: Candidate): string | undefined {
    return refusedAccounts.get(account) ?? refusedModels.get(account)?.get(upstreamModel)
  }

  function judge(candidate: Candidate): Verdict | undefined {
    const reason = refusalOf(candidate)
    if (reason) return { excluded: { by: 'account-health', reason } }
    const until = coolUntil.get(candidate.account) ?? 0
    if (until <= Date.now()) return undefined
    return { excluded: { by: 'account-health', reason: 'cooling down', untilMs: until } }
  }

  function refuse(candidate: Candidate, status: number): void {
    // Several requests may have been under way; one line is enough.
    if (refusalOf(candidate)) return
    const { account, upstreamModel } = candidate
    if (status === 403) {
      const models = refusedModels.get(account) ?? new Map<string, string>()
      refusedModels.set(account, models.set(upstreamModel, 'upstream answered 403'))
    } else {
      refusedAccounts.set(account, `upstream answered ${status}`)
    }
    log.error('account taken out: the upstream refuses it', {
      account: account.id,
      provider: account.provider,
      status,
      ...(status === 403 && { model: upstreamModel }),
      fix: 'check its apiKey, credit and permissions, then reload the configuration',
    })
  }

  function onOutcome({ exchange, outcome }: { exchange: Routed; outcome: Outcome }): void {
    const { candidate } = exchange
    const { httpStatus, retryAfterMs, fault } = outcome
    if (fault !== 'account') return
    anythingWrong = true
    if (httpStatus === 401 || httpStatus === 402 || httpStatus === 403)
      refuse(candidate, httpStatus)
    else if (retryAfterMs) {
      const wait = Math.min(retryAfterMs, longestCoolDown)
      coolUntil.set(candidate.account, Date.now() + wait)
    }
  }

  return definePlugin({
    name: 'account-health',
    onCandidates: ({ candidates }) => (anythingWrong ? candidates.map(judge) : undefined),
    onOutcome,
  })
}
