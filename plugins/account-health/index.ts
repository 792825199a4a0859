import { credentialFailureIn } from '../../src/contract/credential.ts'
import { freeCallOperation } from '../../src/upstream/free-call.ts'
import { type AccountSlots, atLimit } from '../../src/accounts/slots.ts'
import type { Account } from '../../src/contract/account.ts'
import { Declined } from '../../src/contract/attempt.ts'
import type { AccountExclusion } from '../../src/contract/call.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Attempt, Routed } from '../../src/contract/exchange.ts'
import type { Outcome, Reply } from '../../src/contract/outcome.ts'
import {
  type GatewayPlugin,
  type OutcomeInput,
  type RefusalInput,
  definePlugin,
} from '../../src/contract/plugin.ts'
import type { AccountCheck, RefusalSubject } from '../../src/contract/refusal.ts'
import { isUnanswered } from '../../src/kit/attempts.ts'
import type { Log } from '../../src/lib/log.ts'
import { steadyNow } from '../../src/lib/time.ts'
import { AccountState, type PartState } from './account-state.ts'
import { evidenceOf } from './recent-attempts.ts'
import type { AttemptId } from './gate.ts'
import { by } from './hold.ts'
import { exclusionsOf, readmit } from './operators.ts'
import type { Refusal } from './refusals.ts'
import { absenceIn } from './rests.ts'
import { hasMedia } from './media.ts'
import {
  type GateOf,
  causeOf,
  gatesFor,
  isEvidence,
  judge,
  mediaName,
  partName,
  partsFor,
} from './verdicts.ts'

/** The options of `accountHealth`. */
interface AccountHealthOptions {
  readonly log: Log
  /** Checks an account by a free call. Absent: no account can be checked. */
  readonly checkAccount?: (candidate: Candidate) => Promise<AccountCheck>
  /** The slots of accounts with a `maxConcurrent`, for operators. The kernel keeps calls from full accounts. */
  readonly slots?: Pick<AccountSlots, 'isFull'>
  /** The limits of accounts. Absent: no account has one. */
  readonly limits?: {
    readonly isActive: boolean
    /** Rejects with `Declined` if the account is at a limit. */
    admit(exchange: Routed): Promise<void>
  }
  /** Milliseconds, on a clock that never goes back. */
  readonly now?: () => number
}

/**
 * Decides whether an account may be asked now, for whom, and if not, since when and why. It keeps the evidence of
 * each account and each of its models: failures open a circuit, refusals exclude, and limits let rest (`docs/routing.md`).
 * No key keeps an account from the calls of other keys by its own calls.
 */
export function accountHealth(options: AccountHealthOptions): GatewayPlugin {
  const { log, slots, limits, now = steadyNow } = options
  const { checkAccount: check = () => Promise.resolve('inconclusive') } = options
  const ending = new AbortController()
  const services = { log, now, check, signal: ending.signal }
  const states = new WeakMap<Account, AccountState>()
  /** Attempts with images or files: the body of a stream is released before its end. */
  const withMedia = new WeakSet<Attempt>()
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

  /** Checks the circuits again: another call may have become the probe since the verdict. */
  function attempt(exchange: Routed, next: () => Promise<Reply>): Promise<Reply> {
    const { candidate, caller, attempt: begun, call } = exchange
    const { keyId } = caller
    const state = states.get(candidate.account)
    if (!state?.hasFaults || !isEvidence(call)) return next()
    const parts = partsFor(exchange, candidate, state)
    if (parts.media) withMedia.add(begun)
    const gates = gatesFor(parts, candidate, keyId, now())
    if (gates.length === 0) return next()
    const cause = causeOf(gates, { keyId, mayProbe: true }, now)
    if (cause) throw new Declined(cause.by, cause.reason, cause)
    const own = { exchangeId: exchange.id, attempt: begun.number, keyId }
    for (const { circuit, gate } of gates) circuit.probe(gate, own, now())
    // The reply of the probe may take minutes to end, but its first output shows that the account works.
    const { onOutput } = begun
    begun.onOutput = () => {
      onOutput?.()
      for (const { circuit } of gates) circuit.recordOutput(own)
    }
    exchange.progress.trace?.probing()
    return probe(gates, own, next)
  }

  /** A free call is evidence for operators and for this plugin, and no circuit holds it back. */
  function begin(exchange: Routed, next: () => Promise<Reply>): Promise<Reply> {
    return hasFaults && exchange.operation !== freeCallOperation ? attempt(exchange, next) : next()
  }

  function onOutcome(input: OutcomeInput): void {
    const { exchange, candidate, outcome } = input
    // Most look-ups: they are no evidence.
    if (!hasFaults && exchange.call.model === '' && outcome.fault !== 'account') return
    const state = stateOf(candidate.account)
    const evidence = evidenceOf(outcome)
    const name = partName(exchange, candidate)
    const isOfAccount = outcome.fault === 'account'
    // Callers make up names, which must not displace the states of models.
    const isNews = isOfAccount || evidence === 'success'
    const isSilent = outcome.status === 'cancelled' && isUnanswered(outcome, input.attempt)
    const model = isNews || isSilent ? state.model(name) : state.knownModel(name)
    const { firstByteAt } = input.attempt
    if (model && firstByteAt !== undefined) model.answeredAt = firstByteAt
    if (model && (isSilent || state.hasFaults) && isEvidence(exchange.call))
      noteSilence(model, input, isSilent)
    if (isOfAccount) faultyState(candidate.account)
    if (isEvidence(exchange.call)) recordInCircuits(state, model, input)
    if (!model) return
    if (evidence === 'success') {
      state.addAnswer(name, model)
      noteBack(state, model, candidate)
    }
    if (!isOfAccount) return
    const { about } = outcome
    if (about === 'credential' || about === 'credit') void accuse(state, input)
    else if (isAboutModel(about)) refuseModel(model, input)
    rest(state, model, input)
  }

  /** Any byte of an account is an answer: a broken one is a matter of the circuits. */
  function noteSilence(model: PartState, input: OutcomeInput, isSilent: boolean): void {
    const { exchange, candidate, attempt: ended } = input
    const about = { ...aboutAccount(candidate), model: candidate.upstreamModel }
    if (isSilent) {
      // Beside other answers it is slow work, of which clients could leave many calls at the same time.
      if (model.answeredAt > (ended.startedAt ?? 0)) return
      faultyState(candidate.account)
      if (!model.silence.addLeft(exchange.caller.keyId, now())) return
      log.warn('an account answers nothing: its clients leave before it does', about)
    } else if (ended.firstByteAt !== undefined && model.silence.addAnswer()) {
      log.info('account answers again', about)
    }
  }

  /** A call that did not reach the account is evidence about the connections to it, a reply is evidence about its model. */
  function recordInCircuits(
    state: AccountState,
    model: PartState | undefined,
    input: OutcomeInput,
  ): void {
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
    if (!model) return
    const isFailure = typeof evidence === 'object'
    const isOfMedia = withMedia.has(ended) || (isFailure && !isAway && hasMedia(exchange))
    const isMediaFailure = isOfMedia && isFailure
    const ofModel = isAway || isMediaFailure ? 'neutral' : evidence
    state.circuit(model, candidate).record(ofModel, own, now())
    if (!isOfMedia) return
    const media = state.model(mediaName(partName(exchange, candidate)))
    const found = isMediaFailure ? { cause: `with images or files ${evidence.cause}` } : evidence
    state.circuit(media, candidate).record(isAway ? 'neutral' : found, own, now())
  }

  /** An answer ends what was held back until the account works again. */
  function noteBack(state: AccountState, model: PartState, candidate: Candidate): void {
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
    const { candidate, outcome } = input
    const failure = credentialFailureIn(outcome.error)
    if (failure) {
      const exclusion = state.checks.confirm(candidate, outcome.httpStatus ?? 401, failure.message)
      return logOut(candidate, exclusion, undefined, failure.fix)
    }
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
   * put `retry-after` on them, and the circuit counts them. An account whose credential is away rests until that is fetched
   * again.
   */
  function rest({ whole }: AccountState, model: PartState, input: OutcomeInput): void {
    const absence = absenceIn(input.outcome)
    if (absence) return whole.rests.addAbsence(absence, now())
    const { about, retryAfterMs: pauseMs, httpStatus: status } = input.outcome
    if (!pauseMs) return
    const pause = { pauseMs, status }
    if (about === 'account-limit') whole.rests.addLimit(pause, now())
    else if (about === 'model-limit') model.rests.addLimit(pause, now())
    else if (about === undefined && isOverload(status))
      model.rests.addOverload(input.exchange.caller.keyId, pause, now())
  }

  function logOut(
    candidate: Candidate,
    refusal: Refusal | undefined,
    model?: string,
    remedy = `check its ${candidate.account.authorizer ? 'credential' : 'apiKey'} and credit`,
  ): void {
    if (!refusal) return
    const { cause, status, until, keyId } = refusal
    const message = model === undefined ? 'account excluded' : 'model of an account excluded'
    log.error(`${message}${keyId === undefined ? '' : ' for one key'}: ${cause}`, {
      ...aboutAccount(candidate),
      status,
      ...(model !== undefined && { model }),
      ...(keyId !== undefined && { key: keyId }),
      again_ms: Math.round(until - now()),
      fix:
        model === undefined
          ? `${remedy}; the gateway tries it again by itself`
          : 'check the permissions of the account; the gateway tries the model again by itself',
    })
  }

  return definePlugin({
    name: by,
    onCandidates: ({ exchange, candidates }) =>
      hasFaults
        ? candidates.map((one) => judge(exchange, one, states.get(one.account), now))
        : undefined,
    onAttempt: ({ exchange, next }) =>
      limits?.isActive
        ? limits.admit(exchange).then(() => begin(exchange, next))
        : begin(exchange, next),
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
