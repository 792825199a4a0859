import type { Account } from '../src/contract/account.ts'
import type { Candidate } from '../src/contract/candidate.ts'
import type { Exclusion } from '../src/contract/call.ts'
import type { Log } from '../src/lib/log.ts'
import {
  type GatewayPlugin,
  type OutcomeInput,
  type Verdict,
  definePlugin,
} from '../src/contract/plugin.ts'

/** An account never stays away longer than this because of a `retry-after`, in milliseconds. */
const longestCoolDown = 10 * 60_000

const by = 'account-health'

type Cause = Omit<Exclusion, 'account'>

/** A 403 may be about one request after all, so the model is tried again, after ever longer. */
interface ModelRefusal {
  readonly until: number
  readonly waitMs: number
}

/** An account that asked to be left alone, and the status that it asked with. */
interface CoolDown {
  readonly until: number
  readonly status: number | undefined
}

const firstWait = 60_000
const longestWait = 60 * 60_000

function nextWait(last: ModelRefusal | undefined): number {
  return last ? Math.min(last.waitMs * 2, longestWait) : firstWait
}

/**
 * Leaves accounts alone that asked for it or that cannot work. A refused credential or credit takes
 * the account out until its configuration changes, a refused model takes out that model for a while, and
 * `retry-after` is its cool-down.
 */
export function accountHealth({ log }: { log: Log }): GatewayPlugin {
  /** The status that each of them was refused with. */
  const refusedAccounts = new WeakMap<Account, number>()
  const refusedModels = new WeakMap<Account, Map<string, ModelRefusal>>()
  const coolDowns = new WeakMap<Account, CoolDown>()
  /** Most of the time nothing is wrong anywhere, and nobody has to be judged. */
  let anythingWrong = false

  function refusalOf({ account, upstreamModel }: Candidate): Cause | undefined {
    const status = refusedAccounts.get(account)
    if (status !== undefined) return { by, reason: `upstream answered ${status}`, status }
    const refusal = refusedModels.get(account)?.get(upstreamModel)
    if (!refusal || refusal.until <= Date.now()) return undefined
    return { by, reason: 'upstream answered 403', untilMs: refusal.until, status: 403 }
  }

  function judge(candidate: Candidate): Verdict | undefined {
    const cause = refusalOf(candidate) ?? coolDownOf(candidate)
    return cause && { excluded: cause }
  }

  function coolDownOf({ account }: Candidate): Cause | undefined {
    const coolDown = coolDowns.get(account)
    if (!coolDown || coolDown.until <= Date.now()) return undefined
    const { until, status } = coolDown
    return { by, reason: 'cooling down', untilMs: until, ...(status !== undefined && { status }) }
  }

  function refuse(candidate: Candidate, status: number): void {
    // Several requests may have been under way; one line is enough.
    if (refusalOf(candidate)) return
    const { account, upstreamModel } = candidate
    if (status === 403) {
      const models = refusedModels.get(account) ?? new Map<string, ModelRefusal>()
      const waitMs = nextWait(models.get(upstreamModel))
      models.set(upstreamModel, { waitMs, until: Date.now() + waitMs })
      refusedModels.set(account, models)
    } else {
      refusedAccounts.set(account, status)
    }
    log.error('account taken out: the upstream refuses it', {
      account: account.id,
      provider: account.provider,
      status,
      ...(status === 403 && { model: upstreamModel }),
      fix:
        status === 403
          ? 'check what the account may use; it is asked again after a while'
          : 'check its apiKey and credit, then change the account or start the gateway anew',
    })
  }

  function onOutcome({ candidate, outcome }: OutcomeInput): void {
    const { httpStatus, retryAfterMs, fault } = outcome
    if (fault !== 'account') return
    anythingWrong = true
    // A call by id names no model: what it may not do says nothing of what the account may.
    const isOfCall = httpStatus === 403 && candidate.upstreamModel === ''
    const isRefusal = httpStatus === 401 || httpStatus === 402 || httpStatus === 403
    if (isRefusal && !isOfCall) refuse(candidate, httpStatus)
    else if (retryAfterMs) {
      const wait = Math.min(retryAfterMs, longestCoolDown)
      coolDowns.set(candidate.account, { until: Date.now() + wait, status: httpStatus })
    }
  }

  return definePlugin({
    name: 'account-health',
    onCandidates: ({ candidates }) => (anythingWrong ? candidates.map(judge) : undefined),
    onOutcome,
  })
}
