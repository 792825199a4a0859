import type { Account } from '../../src/contract/account.ts'
import type { AccountExclusion, Exclusion as Cause } from '../../src/contract/call.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import {
  type GatewayPlugin,
  type OutcomeInput,
  type RefusalInput,
  type Verdict,
  definePlugin,
} from '../../src/contract/plugin.ts'
import type { AccountCheck, RefusalSubject } from '../../src/contract/refusal.ts'
import type { Log } from '../../src/lib/log.ts'
import { machineTime, steadyNow } from '../../src/lib/machine-time.ts'
import { AccountState } from './account-state.ts'
import { createExclusions } from './exclusions.ts'
import { modelOf, readmit, steeringMark } from './readmit.ts'
import type { Exclusion } from './standing.ts'

/** The options of `accountHealth`. */
interface AccountHealthOptions {
  readonly log: Log
  /** Checks an account by a free call. Absent: no account can be checked. */
  readonly checkAccount?: (candidate: Candidate) => Promise<AccountCheck>
  /** Milliseconds, on a clock that never goes back. */
  readonly now?: () => number
}

const by = 'account-health'

/**
 * Excludes accounts and models that refuse calls, and lets them rest for as long as they ask. A refusal
 * counts for what it is about (`Outcome.about`): a request, a model, or the account's credential or
 * credit. No key excludes an account from the calls of other keys by its own calls; the gateway looks
 * for itself by a free call (`docs/routing.md`).
 */
export function accountHealth(options: AccountHealthOptions): GatewayPlugin {
  const { log, checkAccount = () => Promise.resolve('inconclusive'), now = steadyNow } = options
  const states = new WeakMap<Account, AccountState>()
  const exclusions = createExclusions({ log, now, check: checkAccount })
  /** False until the first refusal or cool-down, so that healthy gateways skip all verdicts. */
  let hasFaults = false

  function stateOf(account: Account): AccountState {
    let state = states.get(account)
    if (!state) states.set(account, (state = new AccountState()))
    return state
  }

  function judge(exchange: Understood, candidate: Candidate): Verdict | undefined {
    const state = states.get(candidate.account)
    const cause =
      state && (refusalOf(state, exchange, candidate) ?? restOf(state, exchange, candidate))
    return cause && { excluded: cause }
  }

  function refusalOf(
    state: AccountState,
    { caller: { keyId }, isDryRun }: Understood,
    candidate: Candidate,
  ): Omit<Cause, 'account'> | undefined {
    const time = now()
    const whole = state.whole.exclusionOf(keyId, time)
    if (whole) {
      const mustCheck = whole.isConfirmed && whole.until <= time && !isDryRun
      if (mustCheck) exclusions.recheck(state, candidate)
      return { by, reason: reasonOf(whole), status: whole.status }
    }
    const model = state.knownModel(candidate.upstreamModel)?.exclusionOf(keyId, time)
    if (!model) return undefined
    const untilMs = machineTime(model.until, now)
    return { by, reason: reasonOf(model), status: model.status, untilMs }
  }

  function restOf(
    { coolDowns }: AccountState,
    exchange: Understood,
    candidate: Candidate,
  ): Omit<Cause, 'account'> | undefined {
    const rest = coolDowns.of(limitName(exchange, candidate), exchange.caller.keyId, now())
    if (!rest) return undefined
    const { until, status } = rest
    const untilMs = machineTime(until, now)
    return { by, reason: 'cooling down', untilMs, ...(status !== undefined && { status }) }
  }

  function checkNow(
    state: AccountState,
    candidate: Candidate,
  ): AccountCheck | Promise<AccountCheck> {
    return state.checks.result(() => checkAccount(candidate), now())
  }

  /** The credential may be refused. The gateway checks it, since calls of a single key prove nothing. */
  async function suspect(
    state: AccountState,
    input: OutcomeInput | RefusalInput,
  ): Promise<AccountCheck> {
    const { candidate, outcome } = input
    hasFaults = true
    const result = await checkNow(state, candidate)
    if (result === 'refused') exclusions.confirm(state, candidate, outcome.httpStatus ?? 401)
    return result
  }

  /** Refusals count as evidence of their own if the check does not confirm them. */
  async function accuse(state: AccountState, input: OutcomeInput): Promise<void> {
    if ((await suspect(state, input)) !== 'refused') exclusions.refuse(state, input)
  }

  async function onRefusal(input: RefusalInput): Promise<RefusalSubject | undefined> {
    const { exchange, candidate } = input
    const state = stateOf(candidate.account)
    const result = await suspect(state, input)
    if (result === 'refused') return 'credential'
    if (result !== 'accepted') return undefined
    const { upstreamModel } = candidate
    const isKnown =
      upstreamModel === '' || state.answered.refuse(upstreamModel, exchange.caller.keyId)
    return isKnown ? 'request' : 'request-or-model'
  }

  function onOutcome(input: OutcomeInput): void {
    const { candidate, outcome } = input
    const { about, fault, status } = outcome
    const hasAnswered = fault === 'none' && (status === 'completed' || status === 'incomplete')
    if (hasAnswered) return noteAnswer(stateOf(candidate.account), input)
    if (fault !== 'account') return
    hasFaults = true
    const state = stateOf(candidate.account)
    if (about === 'credential' || about === 'credit') void accuse(state, input)
    else exclusions.refuse(state, input)
    rest(state, input)
  }

  /**
   * Lets the account or the model rest for as long as it asks. Statuses besides 429, 503 and 529 do not ask: proxies
   * put `retry-after` on them, and the circuit counts them.
   */
  function rest({ coolDowns }: AccountState, { exchange, candidate, outcome }: OutcomeInput): void {
    const { about, retryAfterMs: pauseMs, httpStatus: status } = outcome
    if (!pauseMs) return
    const model = limitName(exchange, candidate)
    const pause = { pauseMs, status }
    if (about === 'account-limit') coolDowns.recordLimit(undefined, pause, now())
    else if (about === 'model-limit') coolDowns.recordLimit(model, pause, now())
    else if (about === undefined && isOverload(status))
      coolDowns.recordOverload(model, exchange.caller.keyId, pause, now())
  }

  function noteAnswer(state: AccountState, { exchange, candidate }: OutcomeInput): void {
    const { upstreamModel } = candidate
    if (upstreamModel !== '') state.answered.answer(upstreamModel)
    if (!hasFaults) return
    exclusions.succeed(state, candidate)
    state.coolDowns.recordAnswer(limitName(exchange, candidate))
  }

  function addExclusionsOf(account: Account, found: AccountExclusion[]): void {
    const state = states.get(account)
    if (!state) return
    const time = now()
    for (const { model, exclusion } of state.exclusions(time)) {
      const { status, keyId, until } = exclusion
      found.push({
        account: account.id,
        by,
        kind: 'refused',
        reason: reasonOf(exclusion),
        status,
        untilMs: machineTime(until, now),
        ...(model !== undefined && { model }),
        ...(keyId !== undefined && { keyId }),
      })
    }
    for (const { model, keyId, until, status } of state.coolDowns.all(time)) {
      found.push({
        account: account.id,
        by,
        kind: 'cooling',
        reason: 'cooling down',
        untilMs: machineTime(until, now),
        ...(model !== undefined && { model: modelOf(model) }),
        ...(keyId !== undefined && { keyId }),
        ...(status !== undefined && { status }),
      })
    }
  }

  return definePlugin({
    name: by,
    onCandidates: ({ exchange, candidates }) =>
      hasFaults ? candidates.map((candidate) => judge(exchange, candidate)) : undefined,
    onRefusal,
    onOutcome,
    exclusions(accounts) {
      const found: AccountExclusion[] = []
      if (hasFaults) for (const account of accounts) addExclusionsOf(account, found)
      return found
    },
    readmit(account, choice) {
      const state = states.get(account)
      if (!state || choice.kind !== 'cool-down') return 0
      return readmit(state, choice.model, now(), exclusions)
    },
    onDispose: () => exclusions.close(),
  })
}

function reasonOf({ status, keyId }: Exclusion): string {
  return `upstream answered ${status}${keyId === undefined ? '' : ' to this key'}`
}

/** 529 is Anthropic's status of an overload. */
function isOverload(status: number | undefined): boolean {
  return status === 503 || status === 529
}

/** In characters; callers choose the header. */
const longestSteering = 200

/**
 * The name under which a model's limits are known. At a sandbox, the caller's directives belong to the
 * model: a limit on purpose concerns only requests that ask for it.
 */
function limitName({ request }: Understood, { account, native, upstreamModel }: Candidate): string {
  const steering =
    account.provider === 'sandbox' && native ? request.headers['x-sandbox'] : undefined
  return steering === undefined
    ? upstreamModel
    : `${upstreamModel}${steeringMark}${String(steering).slice(0, longestSteering)}`
}
