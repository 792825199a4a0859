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

/** The longest cool-down that a `retry-after` causes, in milliseconds. */
const maxCoolDownMs = 10 * 60_000

const by = 'account-health'

type Cause = Omit<Exclusion, 'account'>

/** A 403 may concern a single request, so the model is retried after increasing waits. */
interface ModelRefusal {
  readonly until: number
  readonly waitMs: number
}

/** A cool-down that an account requested, and the status of that reply. */
interface CoolDown {
  readonly until: number
  readonly status: number | undefined
}

/** Waits after refusals of a model, in milliseconds. */
const minRefusalMs = 60_000
const maxRefusalMs = 60 * 60_000

function nextWait(last: ModelRefusal | undefined): number {
  return last ? Math.min(last.waitMs * 2, maxRefusalMs) : minRefusalMs
}

/**
 * Excludes accounts that refuse requests or ask for a pause. After a 401 or 402 the account is excluded
 * until its configuration changes; after a 403 one of its models is excluded for a while; `retry-after`
 * excludes the account for that time.
 */
export function accountHealth({ log }: { log: Log }): GatewayPlugin {
  /** The status of each refusal. */
  const refusedAccounts = new WeakMap<Account, number>()
  const refusedModels = new WeakMap<Account, Map<string, ModelRefusal>>()
  const coolDowns = new WeakMap<Account, CoolDown>()
  /** False until the first fault of an account, so that healthy gateways skip all verdicts. */
  let hasFaults = false

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
    // Concurrent requests may be refused together; log the refusal once.
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
    log.error('account excluded: the upstream refuses it', {
      account: account.id,
      provider: account.provider,
      status,
      ...(status === 403 && { model: upstreamModel }),
      fix:
        status === 403
          ? 'check the permissions of the account; the gateway retries it later'
          : 'check its apiKey and credit, then change the account or restart the gateway',
    })
  }

  function onOutcome({ candidate, outcome }: OutcomeInput): void {
    const { httpStatus, retryAfterMs, fault } = outcome
    if (fault !== 'account') return
    hasFaults = true
    // A call by id names no model, so its 403 does not concern a model of the account.
    const concernsCall = httpStatus === 403 && candidate.upstreamModel === ''
    const isRefusal = httpStatus === 401 || httpStatus === 402 || httpStatus === 403
    if (isRefusal && !concernsCall) refuse(candidate, httpStatus)
    else if (retryAfterMs) {
      const wait = Math.min(retryAfterMs, maxCoolDownMs)
      coolDowns.set(candidate.account, { until: Date.now() + wait, status: httpStatus })
    }
  }

  return definePlugin({
    name: 'account-health',
    onCandidates: ({ candidates }) => (hasFaults ? candidates.map(judge) : undefined),
    onOutcome,
  })
}
