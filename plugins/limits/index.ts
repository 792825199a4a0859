import type {
  Attempt,
  Authenticated,
  Ended,
  Received,
  Understood,
} from '../../src/contract/exchange.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { EndedResponse } from '../../src/contract/outcome.ts'
import { type GatewayPlugin, type Verdict, definePlugin } from '../../src/contract/plugin.ts'
import type { OutcomeInput } from '../../src/contract/plugin.ts'
import type { Limit } from '../../src/contract/quota.ts'
import { isOrder, isReported, isWork, opensSession } from '../../src/kit/spend.ts'
import type { JobName, OpenJobs } from '../../src/jobs/open-jobs.ts'
import { spendOfResponse } from '../../src/jobs/spend.ts'
import {
  type Estimate,
  type Estimator,
  createEstimator,
  hasPrice,
} from '../../src/limits/estimate.ts'
import { poolOf } from '../../src/route/route.ts'
import type { LimitsPart } from '../../src/runtime/shared-parts.ts'
import type { LimitSet, SubjectLimits } from '../../src/limits/limit-set.ts'
import { createRate } from '../../src/lib/rate.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import { everySeconds } from '../../src/lib/ticker.ts'
import type { Log } from '../../src/lib/log.ts'
import type { KeyRing } from '../../src/stores/key-ring.ts'
import type { Meter, MeterCharge } from '../../src/stores/meter.ts'
import type { Records } from '../../src/stores/store.ts'
import { Alerts, type Webhook } from './alerts.ts'
import { type AccountGate, AccountLimits } from './account-limits.ts'
import { admitAll } from './admission.ts'
import { type CallHolds, estimateOf, limitedOf, takenOf } from './call-holds.ts'
import { CallMeter } from './call-meter.ts'
import { amountUsed, attemptsOf, usedBy } from './charges.ts'
import { createEndUsers } from './end-users.ts'
import { unpriced } from './errors.ts'
import { forecastAll } from './forecast.ts'
import { headersOf, openAiRateHeaders } from './headers.ts'
import { JobHolds, orderedJob } from './job-holds.ts'
import { keyStatusDialect } from './key-status.ts'
import { callTakes, counts, earlyTakes, heldBy, isOfResponses, othersOf } from './takes.ts'

/** Options of `limits`. */
interface LimitsOptions {
  readonly limits: LimitSet
  readonly meter: Meter
  readonly keys: Pick<KeyRing, 'find'>
  readonly openJobs: OpenJobs
  readonly log: Log
  /** Alerts that a process has sent. */
  readonly alerts: Pick<Records<true>, 'add'>
  /** The directory of settlements that wait for the store. */
  readonly spool: string
  /** Names the store among others. */
  readonly storeUrl: string
  /** Absent: alerts are in the log and the metrics alone. */
  readonly webhook?: Webhook | undefined
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** How often jobs that no client has asked for are charged. */
const expirySeconds = 600

/**
 * How long a response that is over, and does not report its use, stays open, in milliseconds: its streams end meanwhile,
 * and note what their clients have seen.
 */
const notingMs = 1_000

/** Bodies up to this size are read before their call is admitted: they take little memory. In bytes. */
const smallBody = 64 * 1024

/**
 * Counts calls, tokens and cost against the limits of keys, teams and the gateway, and refuses what exceeds them. A call
 * takes an estimate before an account is asked, and gives back what it has not used at its end.
 */
export function limits(options: LimitsOptions): {
  readonly plugin: GatewayPlugin
  readonly state: LimitsPart
  readonly accounts: AccountGate
} {
  const { limits: set, log, now = Date.now } = options
  const alerts = new Alerts({ log, sent: options.alerts, webhook: options.webhook, now })
  const meter = new CallMeter({
    ...options,
    directory: options.spool,
    now,
    onCharged: (charges) => alerts.charged(charges),
  })
  const estimator: Estimator = createEstimator()
  const endUsers = createEndUsers()
  const jobs = new JobHolds({ limits: set, meter, now })
  const accounts = new AccountLimits({ limits: set, meter, estimator, jobs, now })
  // A dry run is to be seen, not to fill the log.
  const warnings = createRate({ amount: 1, windowMs: 60_000, uptime: () => performance.now() })

  let stopExpiry: (() => void) | undefined
  /** Whether an account has limits, or had them: calls may still hold some of them. */
  let hasLimitedAccounts = false
  const limitsAccounts = () => (hasLimitedAccounts ||= set.limitsAccounts)

  function onExceeded({ id }: Limit, subject: string): void {
    if (warnings.take(subject + id) === 0)
      log.warn('a limit would have refused a call', { limit: id })
  }

  function holdsOf({ id, progress }: Received): CallHolds {
    return (limitedOf(progress).call ??= {
      id,
      holds: [],
      admitted: [],
      estimates: [],
      models: [],
      needsPrice: false,
      isStale: false,
    })
  }

  function admitEarly(exchange: Authenticated, all: readonly SubjectLimits[]): MaybePromise<void> {
    const wanted = earlyTakes(all, set, now())
    if (wanted.length > 0) return admitAll(holdsOf(exchange), wanted, meter, onExceeded)
  }

  function admitCall(
    exchange: Understood,
    all: readonly SubjectLimits[],
  ): MaybePromise<Readonly<Record<string, string>>> {
    const holds = holdsOf(exchange)
    const at = now()
    const { name } = exchange.model
    const { call } = exchange
    let known = estimateOf(holds, name)
    const estimate = () => {
      if (!known)
        holds.estimates.push({ model: name, estimate: (known = estimator.estimate(exchange)) })
      return known
    }
    holds.needsPrice = all.some(({ ofMoney }) => ofMoney.some((limit) => counts(limit, name, call)))
    if (holds.needsPrice && estimate().cost === undefined && hasAccount(exchange))
      throw unpriced(exchange.model.requested)
    const amounts = {
      call,
      amounts: set,
      now: at,
      taken: (limit: Limit) => takenOf(holds, limit),
      estimate,
      isHeld: heldBy(exchange.operation),
      endUser: (subject: string) => endUsers.nameOf(subject, exchange, at),
    }
    const wanted = callTakes(name, all, amounts)
    if (exchange.isDryRun) return forecastAll(wanted, meter, at).then(() => ({}))
    // A limit that needs an estimate counts what the call really uses.
    if (holds.estimates.length > 0) exchange.progress.needsUsage = true
    const admitted = () => {
      holds.models.push(name)
      if (call.work?.isMixed || call.otherModels) holds.models.push(...othersOf(call))
      return headersOf(holds, exchange.dialect.rateHeaders ?? openAiRateHeaders, at)
    }
    const admit = () => (wanted.length > 0 ? admitAll(holds, wanted, meter, onExceeded) : undefined)
    const asked = opensSession(exchange.operation)
      ? forecastAll(callTakes(name, all, { ...amounts, isHeld: isOfResponses }), meter, at).then(
          admit,
        )
      : admit()
    return asked ? asked.then(admitted) : admitted()
  }

  function settle(exchange: Ended, holds: CallHolds): void {
    const attempts = attemptsOf(exchange)
    const ofAttempt = ({ model }: Attempt) => estimateOf(holds, model.name)
    const all = usedBy(attempts, ofAttempt)
    const usedOf = (limit: Limit) => {
      if (!limit.models) return all
      return usedBy(
        attempts.filter(({ model }) => counts(limit, model.name, exchange.call)),
        ofAttempt,
      )
    }
    const name = exchange.model?.name ?? ''
    const isCreation = jobs.isCreation(exchange, exchange.progress.attempt)
    for (const hold of holds.holds) {
      const charges: MeterCharge[] = []
      for (const { limit, meter: asked, amount } of hold.takes) {
        // A limit that was asked twice is charged once.
        if (charges.some((one) => one.limit.id === asked.id)) continue
        // What an end user has ordered is charged at once: nothing names the user at the end of the job.
        const isOrdered =
          isCreation && limit.per !== undefined && counts(limit, name, exchange.call)
        const isCall = holds.models.some(limit.appliesTo)
        const used = isOrdered ? amount : amountUsed(limit.kind, usedOf(limit), isCall)
        charges.push({ limit: asked, amount: used })
      }
      meter.settle(hold, charges, isCreation ? jobs.created(exchange, hold) : undefined)
    }
    learn(exchange, estimateOf(holds, name))
  }

  /** Notes that a job is ordered or over. Absent: the attempt is about none. */
  function noteJob(input: OutcomeInput): Promise<void> | undefined {
    const { exchange, attempt, outcome } = input
    const { model, snapshot } = exchange
    if (isOrder(input)) {
      const holds = exchange.progress.limited && limitedOf(exchange.progress).call
      const estimate = (holds && estimateOf(holds, model.name)) ?? estimator.estimate(exchange)
      return options.openJobs.open(...orderedJob(input, estimate, now()))
    }
    const { ended } = outcome
    const name = storedResponseOf(exchange)
    if (!name) return undefined
    const end = (known: EndedResponse) =>
      options.openJobs.end(name, (job) => {
        return { status: known.status, spend: spendOfResponse(job, known, snapshot, now()) }
      })
    if (isReported(ended?.usage)) return end(ended)
    const { outputTokens = 0 } = attempt
    const noted = outputTokens > 0 ? options.openJobs.note(name, outputTokens) : undefined
    if (ended) setTimeout(() => void end(ended), notingMs).unref()
    return noted
  }

  /** Prepares a look-up of a response, or its deletion, which may run in the background. */
  function beforeLookUp(exchange: Understood, isLimited: boolean): Promise<void> | undefined {
    const name = exchange.isDryRun ? undefined : storedResponseOf(exchange)
    if (!name) return undefined
    // Events that a client leaves are read on to the last one, which has the use of the response.
    if (exchange.call.stream && isLimited) exchange.progress.needsUsage = true
    return exchange.operation.method === 'DELETE' ? options.openJobs.look(name) : undefined
  }

  /** The verdicts on accounts at a limit, and on those without a price where a budget counts the call. */
  function verdictsOf(
    { progress, snapshot, call }: Understood,
    candidates: readonly Candidate[],
    atLimit: readonly (Verdict | undefined)[] | undefined,
  ): readonly (Verdict | undefined)[] | undefined {
    if (!progress.limited || !limitedOf(progress).call?.needsPrice) return atLimit
    return candidates.map((one, index) =>
      hasPrice(snapshot, one, call.work) ? atLimit?.[index] : withoutPrice,
    )
  }

  function learn({ caller, model, progress }: Ended, estimate: Estimate | undefined): void {
    const spend = progress.attempt?.spend
    if (!caller || !model || !estimate || spend?.usage !== 'reported' || !spend.tokens) return
    const { keyId } = caller
    const { sizeTokens } = estimate
    estimator.learn({ keyId, model: model.name, sizeTokens, usage: spend.tokens })
  }

  return {
    plugin: definePlugin({
      name: 'limits',
      // A client must not learn of a job before the gateway knows it.
      critical: true,
      dialects: [keyStatusDialect({ ...options, meter, now })],
      onCaller({ exchange }) {
        const all = set.ofCaller(exchange.caller)
        if (!all || !isWork(exchange.operation) || hasSmallBody(exchange)) return
        return admitEarly(exchange, all)
      },
      onUnderstood({ exchange }) {
        const all = set.ofCaller(exchange.caller)
        if (isWork(exchange.operation)) return all ? admitCall(exchange, all) : undefined
        return beforeLookUp(exchange, all !== undefined || limitsAccounts())
      },
      onCandidates({ exchange, candidates }) {
        if (!limitsAccounts()) return verdictsOf(exchange, candidates, undefined)
        if (!exchange.isDryRun)
          return verdictsOf(exchange, candidates, accounts.verdicts(candidates))
        const forecasts = accounts.forecasts(exchange, candidates)
        return forecasts.then((found) => verdictsOf(exchange, candidates, found))
      },
      exclusions: (all) => (limitsAccounts() ? accounts.exclusions(all) : []),
      onOutcome(ended) {
        if (limitsAccounts()) accounts.ended(ended)
        return noteJob(ended)
      },
      onEnd({ exchange }) {
        const { progress } = exchange
        if (!progress.limited) return
        const { call } = limitedOf(progress)
        accounts.close(exchange)
        progress.limited = undefined
        if (call) settle(exchange, call)
      },
      onStart() {
        void meter.settlements.adopt()
        void options.openJobs.expire()
        stopExpiry = everySeconds(expirySeconds, () => void options.openJobs.expire())
      },
      async onDispose() {
        stopExpiry?.()
        await options.openJobs.close()
        await meter.close()
        await alerts.close()
      },
    }),
    accounts: {
      get isActive() {
        return limitsAccounts()
      },
      admit: (exchange) => accounts.admit(exchange),
    },
    state: {
      jobEnded: (...ended) => jobs.ended(...ended),
      get degraded() {
        return meter.degraded
      },
      get waiting() {
        return meter.settlements.waiting
      },
      get lost() {
        return meter.settlements.lost
      },
      get alerts() {
        return alerts.count
      },
    },
  }
}

const withoutPrice: Verdict = {
  excluded: {
    by: 'limits',
    reason: 'its model has no price, and a budget counts the call',
    status: 403,
  },
}

/** The name of the stored response that a look-up or a deletion is about. */
function storedResponseOf({ operation, call, caller }: Understood): JobName | undefined {
  if (operation.capability !== 'stored-response') return undefined
  const [reference] = call.refersTo
  return reference && { kind: 'response', keyId: caller.keyId, id: reference.id }
}

/** Without any account the routing answers. */
function hasAccount(exchange: Understood): boolean {
  return poolOf(exchange).length > 0
}

/** Whether a body takes so little memory that it may be read first. A compressed one may be a hundred times as large. */
function hasSmallBody({ request: { headers } }: Authenticated): boolean {
  if (headers['content-encoding'] !== undefined) return false
  const length = headers['content-length']
  return length === undefined
    ? headers['transfer-encoding'] === undefined
    : Number(length) <= smallBody
}
