import { type AccountSlots, atLimit } from '../../src/accounts/slots.ts'
import type { Account } from '../../src/contract/account.ts'
import { Declined } from '../../src/contract/attempt.ts'
import type { AccountExclusion, Call } from '../../src/contract/call.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Routed, Understood } from '../../src/contract/exchange.ts'
import type { Outcome, Reply } from '../../src/contract/outcome.ts'
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
import { AccountState, type PartState } from './account-state.ts'
import type { Circuit } from './circuit.ts'
import { evidenceOf } from './evidence.ts'
import type { AttemptId, Gate } from './gate.ts'
import type { Hold } from './hold.ts'
import { exclusionsOf, readmit, steeringMark } from './operators.ts'
import type { Refusal } from './refusals.ts'

/** The options of `accountHealth`. */
interface AccountHealthOptions {
  readonly log: Log
  /** Checks an account by a free call. Absent: no account can be checked. */
  readonly checkAccount?: (candidate: Candidate) => Promise<AccountCheck>
  /** The slots of accounts with a `maxConcurrent`, for operators. The kernel keeps calls from full accounts. */
  readonly slots?: Pick<AccountSlots, 'isFull'>
  /** Milliseconds, on a clock that never goes back. */
  readonly now?: () => number
}

const by = 'account-health'
/** Retry delay while another call probes an account, in milliseconds. */
const probeMs = 1_000

/**
 * Decides whether an account may be asked now, for whom, and if not, since when and why. It keeps the evidence of
 * each account and each of its models: failures open a circuit, refusals exclude, and limits let rest (`docs/routing.md`).
 * No key keeps an account from the calls of other keys by its own calls.
 */
export function accountHealth(options: AccountHealthOptions): GatewayPlugin {
  const { log, slots, now = steadyNow } = options
  const { checkAccount: check = () => Promise.resolve('inconclusive') } = options
  const ending = new AbortController()
  const services = { log, now, check, signal: ending.signal }
  const states = new WeakMap<Account, AccountState>()
  /** False until the first fault of an account, so that healthy gateways skip all verdicts. */
  let hasFaults = false

  function stateOf(account: Account): AccountState {
    let state = states.get(account)
    if (!state) states.set(account, (state = new AccountState(log, services)))
    return state
  }

  function faultyState(account: Account): AccountState {
    const state = stateOf(account)
    hasFaults = state.hasFaults = true
    return state
  }

  function judge(exchange: Understood, candidate: Candidate): Verdict | undefined {
    const state = states.get(candidate.account)
    if (!state?.hasFaults) return undefined
    const { call, caller, isDryRun } = exchange
    const time = now()
    const refusal = state.whole.refusals.at(time, caller.keyId)
    if (refusal) {
      const isDue = refusal.isConfirmed && refusal.until <= time
      if (isDue && !isDryRun) state.checks.recheck(candidate)
      const { kind, reason, status } = refusal
      return { excluded: { by, kind, reason, status } }
    }
    const model = state.knownModel(partName(exchange, candidate))
    const hold = state.holdOf(model, caller.keyId, time)
    if (hold) return { excluded: exclusionBy(hold) }
    if (isLookup(call)) return undefined
    const key = { keyId: caller.keyId, mayProbe: isEvidence(call) }
    const cause = causeOf(gatesFor(state, model, candidate, caller.keyId), key)
    return cause && { excluded: cause }
  }

  function exclusionBy({ kind, reason, until, status }: Hold): NonNullable<Verdict['excluded']> {
    const untilMs = machineTime(until, now)
    return { by, kind, reason, untilMs, ...(status !== undefined && { status }) }
  }

  /** The gates that a call has to pass: of the connections to the account, and of the model. */
  function gatesFor(
    { whole }: AccountState,
    model: PartState | undefined,
    { dialect }: Candidate,
    keyId: string,
  ): GateOf[] {
    return [whole, model].flatMap((part) => {
      const circuit = part?.circuits.get(dialect.id)
      const gate = circuit?.gateOf(keyId, now())
      return circuit && gate && !gate.isOnProbation ? { circuit, gate } : []
    })
  }

  /** Why gates hold a call back. */
  function causeOf(
    gates: readonly GateOf[],
    { keyId, mayProbe }: { readonly keyId: string; readonly mayProbe: boolean },
  ): NonNullable<Verdict['excluded']> | undefined {
    const time = now()
    for (const { gate } of gates) {
      const hold = gate.hold(time)
      if (hold && !hold.isProbing) return exclusionBy(hold)
      if (!hold || !mayProbe || !gate.keepsOut(keyId, time)) continue
      const { kind, reason } = hold
      const untilMs = Date.now() + probeMs
      return { by, kind, reason: `${reason}; another call is the probe`, untilMs }
    }
    return undefined
  }

  /** Checks the circuits again: another call may have become the probe since the verdict. */
  function attempt(exchange: Routed, next: () => Promise<Reply>): Promise<Reply> {
    const { candidate, caller, attempt: begun, call } = exchange
    const { keyId } = caller
    const state = states.get(candidate.account)
    if (!state?.hasFaults || !isEvidence(call)) return next()
    const model = state.knownModel(partName(exchange, candidate))
    const gates = gatesFor(state, model, candidate, keyId)
    if (gates.length === 0) return next()
    const cause = causeOf(gates, { keyId, mayProbe: true })
    if (cause) throw new Declined(by, cause.reason, cause)
    const own = { exchangeId: exchange.id, attempt: begun.number, keyId }
    for (const { circuit, gate } of gates) circuit.probe(gate, own, now())
    // The reply of the probe may take minutes to end, but its first output shows that the account works.
    begun.onOutput = () => gates.forEach(({ circuit }) => circuit.recordOutput(own))
    exchange.progress.trace?.probing()
    return probe(gates, own, next)
  }

  function onOutcome(input: OutcomeInput): void {
    const { exchange, candidate, outcome } = input
    const state = stateOf(candidate.account)
    const model = state.model(partName(exchange, candidate))
    const isSuccess = evidenceOf(outcome) === 'success'
    if (outcome.fault === 'account') faultyState(candidate.account)
    if (isEvidence(exchange.call)) recordInCircuits(state, model, input)
    if (isSuccess) addAnswer(state, model, candidate)
    if (outcome.fault !== 'account') return
    const { about } = outcome
    if (about === 'credential' || about === 'credit') void accuse(state, input)
    else if (isAboutModel(about)) refuseModel(model, input)
    rest(state, model, input)
  }

  /** A call that did not reach the account is evidence about the connections to it, a reply is evidence about its model. */
  function recordInCircuits(state: AccountState, model: PartState, input: OutcomeInput): void {
    const { exchange, candidate, attempt: ended, outcome } = input
    const { isSent, number } = ended
    const keyId = isSent ? exchange.caller.keyId : undefined
    const own = { exchangeId: exchange.id, attempt: number, keyId }
    const evidence = evidenceOf(outcome)
    const isAway = !isSent && typeof evidence === 'object'
    const { whole } = state
    if (isAway) state.circuit(whole, candidate).record(evidence, own, now())
    else {
      const reached = evidence === 'neutral' ? evidence : 'success'
      whole.circuits.get(candidate.dialect.id)?.record(reached, own, now())
    }
    state.circuit(model, candidate).record(isAway ? 'neutral' : evidence, own, now())
  }

  function addAnswer(state: AccountState, model: PartState, candidate: Candidate): void {
    model.addAnswer()
    if (!state.hasFaults) return
    model.rests.addAnswer()
    const fields = aboutAccount(candidate)
    const { upstreamModel } = candidate
    if (state.whole.refusals.succeed(now())) {
      log.info('account is back: the upstream accepts its calls again', fields)
    }
    if (model.refusals.succeed(now())) {
      const about = { ...fields, model: upstreamModel }
      log.info('model is back: the upstream accepts its calls again', about)
    }
  }

  /** The credential may be refused. The gateway checks it, since calls of a single key prove nothing. */
  async function suspect({ candidate, outcome }: RefusalInput): Promise<AccountCheck> {
    const { checks } = faultyState(candidate.account)
    const result = await checks.result(candidate)
    if (result === 'refused') {
      logOut(candidate, checks.confirm(candidate, outcome.httpStatus ?? 401))
    }
    return result
  }

  /** Refusals count as evidence of their own if the check does not confirm them. */
  async function accuse(state: AccountState, input: OutcomeInput): Promise<void> {
    if ((await suspect(input)) === 'refused') return
    logOut(input.candidate, state.whole.refusals.add(refusedBy(input), now()))
  }

  function refuseModel(model: PartState, input: OutcomeInput): void {
    const { candidate, outcome } = input
    const { upstreamModel } = candidate
    if (upstreamModel === '') return
    const refused = refusedBy(input)
    if (model.refusals.at(now(), refused.keyId)) return
    const isProven =
      outcome.about === 'model' &&
      !model.answersAfterRefusal(refused.keyId) &&
      namesModel(outcome, upstreamModel)
    const proof = isProven ? 'message' : undefined
    logOut(candidate, model.refusals.add(refused, now(), proof), upstreamModel)
  }

  async function onRefusal(input: RefusalInput): Promise<RefusalSubject | undefined> {
    const { exchange, candidate } = input
    const result = await suspect(input)
    if (result === 'refused') return 'credential'
    if (result !== 'accepted') return undefined
    const model = stateOf(candidate.account).model(partName(exchange, candidate))
    const isKnown =
      candidate.upstreamModel === '' || model.answersAfterRefusal(exchange.caller.keyId)
    return isKnown ? 'request' : 'request-or-model'
  }

  /**
   * Lets the account or the model rest for as long as it asks. Statuses besides 429, 503 and 529 do not ask: proxies
   * put `retry-after` on them, and the circuit counts them.
   */
  function rest({ whole }: AccountState, model: PartState, input: OutcomeInput): void {
    const { about, retryAfterMs: pauseMs, httpStatus: status } = input.outcome
    if (!pauseMs) return
    const pause = { pauseMs, status }
    if (about === 'account-limit') whole.rests.addLimit(pause, now())
    else if (about === 'model-limit') model.rests.addLimit(pause, now())
    else if (about === undefined && isOverload(status))
      model.rests.addOverload(input.exchange.caller.keyId, pause, now())
  }

  function logOut(candidate: Candidate, refusal: Refusal | undefined, model?: string): void {
    if (!refusal) return
    const { reason, status, until, keyId } = refusal
    const subject = model === undefined ? 'account' : 'model of an account'
    log.error(`${subject} excluded${keyId === undefined ? '' : ' for one key'}: ${reason}`, {
      ...aboutAccount(candidate),
      status,
      ...(model !== undefined && { model }),
      ...(keyId !== undefined && { key: keyId }),
      again_ms: Math.round(until - now()),
      fix:
        model === undefined
          ? 'check its apiKey and credit; the gateway tries it again by itself'
          : 'check the permissions of the account; the gateway tries the model again by itself',
    })
  }

  return definePlugin({
    name: by,
    onCandidates: ({ exchange, candidates }) =>
      hasFaults ? candidates.map((candidate) => judge(exchange, candidate)) : undefined,
    onAttempt: ({ exchange, next }) => (hasFaults ? attempt(exchange, next) : next()),
    onRefusal,
    onOutcome,
    exclusions(accounts) {
      const found: AccountExclusion[] = []
      for (const account of accounts) {
        const state = hasFaults && states.get(account)
        if (state && state.hasFaults) found.push(...exclusionsOf(account, state, now))
        if (slots?.isFull(account)) found.push({ ...atLimit(account), kind: 'other' })
      }
      return found
    },
    readmit(account, choice) {
      const state = states.get(account)
      return state ? readmit(account, state, choice, { log, now: now() }) : 0
    },
    onDispose: () => ending.abort(),
  })
}

/** A gate that a call has to pass, and its circuit. */
interface GateOf {
  readonly circuit: Circuit
  readonly gate: Gate
}

/** Releases the probe if an inner plugin declines the attempt, which then has no outcome. */
async function probe(
  gates: readonly GateOf[],
  own: AttemptId,
  next: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await next()
  } catch (error) {
    if (error instanceof Declined) for (const { circuit } of gates) circuit.releaseProbe(own)
    throw error
  }
}

/** Whether a call only looks up a resource. Look-ups ignore circuits. */
function isLookup({ model, refersTo }: Call): boolean {
  return model === '' && refersTo.some(({ use }) => use === 'own')
}

/** Whether outcomes of a call are evidence about a model, so that it may also probe an account. */
function isEvidence({ model }: Call): boolean {
  return model !== ''
}

function isAboutModel(subject: RefusalSubject | undefined): boolean {
  return subject === 'model' || subject === 'unclear' || subject === 'request-or-model'
}

/** 529 is Anthropic's status of an overload. */
function isOverload(status: number | undefined): boolean {
  return status === 503 || status === 529
}

function refusedBy({ exchange, outcome }: OutcomeInput): { keyId: string; status: number } {
  return { keyId: exchange.caller.keyId, status: outcome.httpStatus ?? 403 }
}

/**
 * Whether the provider's message of a refusal names a model. A refusal of another model, which a tool of
 * the request may name, says nothing about this one.
 */
function namesModel({ error }: Outcome, model: string): boolean {
  // The caller's error hides the provider's, which is its cause.
  const cause: unknown = error?.cause
  const message = (cause instanceof Error ? cause : error)?.message ?? ''
  return new RegExp(`(?<![\\w./-])${RegExp.escape(model)}(?![\\w/-]|\\.\\w)`).test(message)
}

function aboutAccount({ account: { id, provider } }: Candidate) {
  return { account: id, provider }
}

/** In characters; callers choose the header. */
const longestSteering = 200

/**
 * The name of a model's state. At a sandbox, the caller's directives belong to the model: a failure or limit on
 * purpose concerns only requests that ask for it.
 */
function partName({ request }: Understood, { account, native, upstreamModel }: Candidate): string {
  const steering =
    account.provider === 'sandbox' && native ? request.headers['x-sandbox'] : undefined
  return steering === undefined
    ? upstreamModel
    : `${upstreamModel}${steeringMark}${String(steering).slice(0, longestSteering)}`
}
