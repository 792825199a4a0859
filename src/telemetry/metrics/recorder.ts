import type { Account } from '../../contract/account.ts'
import type { Snapshot } from '../../contract/candidate.ts'
import type { DialectInfo, OperationInfo } from '../../contract/dialect-info.ts'
import type { Attempt, Ended, Routed } from '../../contract/exchange.ts'
import type { Outcome, Summary } from '../../contract/outcome.ts'
import type { OutcomeInput } from '../../contract/plugin.ts'
import type { Spend } from '../../contract/spend.ts'
import { isUnanswered } from '../../kit/attempts.ts'
import { type ErrorType, attemptErrorType, exchangeErrorType, streamEndOf } from '../error-types.ts'
import { providerNameOf } from '../provider.ts'
import { type CallSeries, createCallSeries, usageCounter } from './call-series.ts'
import { requestMetrics as metrics } from './catalog.ts'
import { type AccountCosts, createCostCounter } from './costs.ts'
import {
  authFailureOf,
  authFailures as authReasons,
  bindingResultOf,
  bindingResults,
} from './events.ts'
import { type OperationName, isStreamed } from '../genai.ts'
import { methodLabel, routeLabel, statusLabel } from '../http-labels.ts'
import { type ModelLabels, createModelLabels, other } from '../../accounts/model-labels.ts'
import { createOwnerUsage } from './owner-usage.ts'
import { type Registry, type Series, count, keyOf, observe } from './registry.ts'
import type { MetricsSetting } from '../settings.ts'

/** Counts attempts and exchanges. */
interface Recorder {
  /** Runs for every attempt. */
  attempted(input: OutcomeInput): void
  /** Runs for every request. */
  ended(exchange: Ended, summary: Summary): void
  /** Runs for every job that is over. */
  jobEnded(job: EndedJob, spend: Spend, snapshot: Snapshot): void
  /** The label of the model that a call names, or its job has; `''` without one. */
  poolOf(exchange: Ended): string
}

/** The owner, the account and the model of a job. */
export interface EndedJob {
  readonly kind: 'video' | 'response' | 'batch'
  readonly keyId: string
  readonly team?: string
  readonly accountId: string
  /** The platform model, and the account's name of it. */
  readonly model: string
  readonly upstreamModel?: string
}

/** The values of `gen_ai.operation.name` of jobs that use tokens, whose orders report none. */
const nameOfJob = {
  response: 'chat',
  batch: 'batch',
} as const satisfies Partial<Record<EndedJob['kind'], OperationName>>

/** The series of an account. */
interface AccountSeries {
  readonly account: Account
  readonly provider: string
  readonly succeeded: Series
  readonly costs: AccountCosts
  /** By operation, dialect and labels of models. `undefined`: the operation asks no model. */
  readonly calls: Map<string, CallSeries | undefined>
}

/** The series of successful requests of an operation, by status, sent by its own method. */
type RequestSeries = (Series | undefined)[]

/** The options of `createRecorder`. */
interface RecorderOptions {
  readonly registry: Registry
  /** Further names of models that are labels as they are. */
  readonly models: readonly string[]
  /** Whose calls have series of their own. */
  readonly by: MetricsSetting['by']
}

/**
 * Creates the recorder. A request of a kind that has been before costs it a few look-ups in maps and as many
 * additions: it makes no promise and no timer.
 */
export function createRecorder({ registry, models, by }: RecorderOptions): Recorder {
  const requests = registry.family(metrics.requests)
  const attempts = registry.family(metrics.attempts)
  const failovers = registry.family(metrics.failovers)
  const fallbacks = registry.family(metrics.fallbacks)
  const bindings = registry.family(metrics.bindings)
  const authFailures = registry.family(metrics.authFailures)
  // A sum that is not there before its first event has no rate at it.
  for (const result of bindingResults) bindings.series(result)
  for (const reason of authReasons) authFailures.series(reason)
  const tokenFamily = registry.family(metrics.tokens)
  const callSeries = createCallSeries(registry)
  const countCost = createCostCounter(registry)
  const ownerUsage = createOwnerUsage(registry, by)
  const byOperation = new Map<OperationInfo, RequestSeries>()
  const accounts = new Map<string, AccountSeries>()
  let labels: ModelLabels | undefined
  let labelled: Snapshot | undefined

  function labelsOf(snapshot: Snapshot): ModelLabels {
    // Streams that began before a reload end after it: they have the labels of the newest accounts.
    if (labels && (snapshot === labelled || isOlder(snapshot, labelled))) return labels
    labelled = snapshot
    return (labels = createModelLabels(snapshot, models))
  }

  function poolOf({ snapshot, model, progress: { job } }: Ended): string {
    return labelsOf(snapshot).requested(model?.name || (job?.model.name ?? ''))
  }

  function seriesOf(account: Account): AccountSeries {
    const known = accounts.get(account.id)
    if (known?.account === account) return known
    const created: AccountSeries = {
      account,
      provider: account === nowhere ? other : providerNameOf(account),
      succeeded: account === nowhere ? unused : attempts.series(account.id, 'ok', ''),
      costs: new Map(),
      calls: new Map(),
    }
    accounts.set(account.id, created)
    return created
  }

  function attempted(input: OutcomeInput): void {
    const { exchange, candidate, attempt, outcome } = input
    const account = seriesOf(candidate.account)
    const { succeeded } = account
    const { spend } = attempt
    if (spend && spend.usage !== 'none') {
      const { snapshot, model } = exchange
      countSpend(spend, snapshot, account, model.name)
    }
    if (attempt.number > 1) countFailover(exchange, attempt)
    if (isSuccess(outcome)) return count(succeeded)
    const type = attemptErrorType(outcome, attempt)
    const reason = type ?? (isUnanswered(outcome, attempt) ? 'no_answer' : '')
    count(attempts.series(candidate.account.id, outcomeLabel(outcome), reason))
  }

  function countSpend(
    spend: Spend,
    snapshot: Snapshot,
    { provider, costs }: AccountSeries,
    model: string,
  ): void {
    if (!snapshot.priceOf) return
    const isFree = spend.priceVersion === 'free'
    countCost(spend, { provider, costs, isFree }, labelsOf(snapshot).requested(model))
  }

  function jobEnded(job: EndedJob, spend: Spend, snapshot: Snapshot): void {
    if (spend.usage === 'none') return
    ownerUsage?.jobEnded(job, spend)
    const account = snapshot.accounts.find(({ id }) => id === job.accountId) ?? nowhere
    const series = seriesOf(account)
    countSpend(spend, snapshot, series, job.model)
    if (job.kind === 'video' || spend.usage !== 'reported' || !spend.tokens) return
    const model = labelsOf(snapshot).requested(job.model)
    usageCounter(tokenFamily, [nameOfJob[job.kind], series.provider, model, ''])(spend.tokens)
  }

  function countFailover(exchange: Routed, attempt: Attempt): void {
    const failed = exchange.progress.failed.findLast((one) => one !== attempt)
    // A second try at the same account follows a connection that it had closed.
    if (!failed || failed.candidate.account.id === attempt.candidate.account.id) return
    const { snapshot, model } = exchange
    const type = failed.outcome && attemptErrorType(failed.outcome, failed)
    count(failovers.series(labelsOf(snapshot).requested(model.name), type ?? '_OTHER'))
  }

  function ended(exchange: Ended, summary: Summary): void {
    const { operation, dialect } = exchange
    ownerUsage?.ended(exchange)
    const error = exchangeErrorType(exchange, summary)
    observeRequest(exchange, summary, error)
    if (error) {
      const reason = authFailureOf(exchange)
      if (reason) count(authFailures.series(reason))
    }
    if (!operation || !dialect || !exchange.model) return
    for (const { model, on } of exchange.progress.left)
      count(fallbacks.series(labelsOf(exchange.snapshot).requested(model), on))
    const result = bindingResultOf(exchange)
    if (result) count(bindings.series(result))
    observeCall(exchange, operation, dialect, summary, error)
  }

  function observeRequest(
    { request, operation }: Ended,
    { status, durationMs }: Summary,
    error: ErrorType | undefined,
  ): void {
    const isUsual = error === undefined && operation?.method === request.method
    const known = isUsual ? byOperation.get(operation)?.[status] : undefined
    if (known) return observe(known, durationMs / 1_000)
    const route = routeLabel(operation)
    const method = methodLabel(request.method)
    const series = requests.series(method, route, statusLabel(status), error ?? '')
    if (isUsual) {
      let own = byOperation.get(operation)
      if (!own) byOperation.set(operation, (own = []))
      own[status] = series
    }
    observe(series, durationMs / 1_000)
  }

  function observeCall(
    exchange: Ended,
    operation: OperationInfo,
    dialect: DialectInfo,
    summary: Summary,
    error: ErrorType | undefined,
  ): void {
    const { durationMs, end } = summary
    const { progress, receivedAt, snapshot } = exchange
    const { attempt, outcome, firstOutputAt } = progress
    const streamed = isStreamed(exchange)
    const series = callSeriesOf(
      seriesOf(attempt?.candidate.account ?? ownerOf(exchange) ?? nowhere),
      operation,
      dialect,
      poolOf(exchange),
      labelsOf(snapshot).reported(outcome?.produced?.model),
    )
    if (!series) return
    series.served(durationMs / 1_000, error)
    if (streamed) series.streamEnded(streamEndOf(exchange, summary))
    const endedAt = receivedAt + durationMs
    if (attempt?.startedAt !== undefined) {
      const failed = attempt.number > 1 || error ? progress.failed : []
      const lastEnd = Math.min(attempt.endedAt ?? endedAt, endedAt)
      series.worked((lastEnd - (failed[0]?.startedAt ?? attempt.startedAt)) / 1_000, error)
      if (end === 'complete' && !error && progress.attempts === failed.length + 1) {
        const last = lastEnd - attempt.startedAt
        const waited = failed.reduce((sum, one) => sum + durationOf(one), last)
        series.idle(Math.max(0, durationMs - waited) / 1_000, streamed)
      }
    }
    const { usage } = outcome ?? {}
    if (usage) series.used(usage)
    if (!streamed || firstOutputAt === undefined) return
    series.firstToken((firstOutputAt - receivedAt) / 1_000)
    const tokens = usage?.outputTokens ?? 0
    if (tokens > 1 && end === 'complete')
      series.perToken((endedAt - firstOutputAt) / (tokens - 1) / 1_000)
  }

  function callSeriesOf(
    { calls, provider }: AccountSeries,
    operation: OperationInfo,
    dialect: DialectInfo,
    requested: string,
    reported: string,
  ): CallSeries | undefined {
    const key = keyOf([operation.id, dialect.id, requested, reported])
    if (!calls.has(key))
      calls.set(key, callSeries({ operation, dialect, provider, requested, reported }))
    return calls.get(key)
  }

  return { attempted, ended, jobEnded, poolOf }
}

function isOlder(one: Snapshot, other: Snapshot | undefined): boolean {
  return other !== undefined && one.createdAt < other.createdAt
}

/** The account of a job that the gateway answers from its record. */
function ownerOf({ snapshot, progress: { job } }: Ended): Account | undefined {
  return job && snapshot.accounts.find(({ id }) => id === job.account)
}

/** Stands for the account of a call that none has served. */
const nowhere = { id: '' } as Account

const unused: Series = { labels: undefined, values: new Float64Array(1), bounds: [] }

/** How long an account had the call, in milliseconds. */
function durationOf({ startedAt = 0, endedAt = startedAt }: Attempt): number {
  return Math.max(0, endedAt - startedAt)
}

function isSuccess({ status }: Outcome): boolean {
  return status === 'completed' || status === 'incomplete'
}

function outcomeLabel({ status, httpStatus = 0 }: Outcome): string {
  if (status === 'cancelled') return 'cancelled'
  if (httpStatus >= 500) return '5xx'
  return httpStatus >= 400 ? '4xx' : 'error'
}
