import type { Attempt, Ended } from '../../src/contract/exchange.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { OutcomeInput } from '../../src/contract/plugin.ts'
import type { Spend } from '../../src/contract/spend.ts'
import {
  type EndedJob,
  type JobName,
  type OpenJob,
  longestOpenMs,
  modelsOf,
} from '../../src/jobs/open-jobs.ts'
import { isSegment } from '../../src/kit/account-path.ts'
import { isOrder, unfinishedId } from '../../src/kit/spend.ts'
import { responseJobId } from '../../src/stores/ledger.ts'
import { cleanText } from '../../src/kit/secrets/exchange-texts.ts'
import type { Estimate } from '../../src/limits/estimate.ts'
import type { LimitSet } from '../../src/limits/limit-set.ts'
import { meterLimitOf } from '../../src/limits/meter-limit.ts'
import type { CallMeter, Hold, Take } from './call-meter.ts'
import { amountUsed, usedOf } from './charges.ts'
import { counts, othersOf } from './takes.ts'

/** The options of `JobHolds`. */
interface JobHoldOptions {
  readonly limits: LimitSet
  readonly meter: CallMeter
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * What jobs hold of budgets between the answer to their creation and their end, which another process may learn. The id
 * of the hold is the job's.
 */
export class JobHolds {
  readonly #options: JobHoldOptions

  constructor(options: JobHoldOptions) {
    this.#options = options
  }

  /** Whether an attempt has created a job, which has no spend before its end. */
  isCreation({ operation, call }: Ended, attempt: Attempt | undefined): boolean {
    const outcome = attempt?.outcome
    if (!operation || !call || !outcome) return false
    return isOrder({ exchange: { operation, call }, attempt, outcome })
  }

  /** Has the job of an exchange hold what the call holds, before the call is settled. */
  created(exchange: Ended, { subject, takes }: Hold): Promise<void> | undefined {
    const name = exchange.model?.name ?? ''
    // A call takes of a limit before its body and for each of its models; an ask names a limit once.
    const kept = new Map<string, Take>()
    for (const take of takes) {
      const { limit, meter } = take
      if (!isOfJobs(limit) || !counts(limit, name, exchange.call)) continue
      const counter = JSON.stringify([meter.id, meter.counts])
      const amount = take.amount + (kept.get(counter)?.amount ?? 0)
      kept.set(counter, { ...take, amount, floor: amount })
    }
    if (kept.size === 0) return undefined
    const hold = { id: holdOf(jobIdOf(exchange)), subject, takes: [...kept.values()] }
    return this.#options.meter.keep(hold, longestOpenMs)
  }

  /**
   * Charges the use of a job; where the use or its price is unknown, the estimate, and `ordinaryCost` at least, so that no
   * job is free.
   */
  ended(job: EndedJob, spend: Spend, ordinaryCost = 0): void {
    const { limits, meter, now } = this.#options
    const { cost = 0 } = job.estimate
    const used = usedOf(spend, { ...job.estimate, costOf: () => Math.max(cost, ordinaryCost) })
    const ofAccount = limits.ofAccount(job.accountId)
    const subjects = [...(limits.ofCaller(job) ?? []), ...(ofAccount ? [ofAccount] : [])]
    for (const { name: subject, limits: all } of subjects) {
      const takes = all
        .filter((limit) => isOfJobs(limit) && modelsOf(job).some(limit.appliesTo))
        .map((limit): Take => {
          const asked = meterLimitOf(limit, now(), limits)
          return { limit, meter: asked, amount: 0, floor: 0, part: undefined }
        })
      if (takes.length === 0) continue
      const charges = takes.map(({ limit, meter: asked }) => {
        return { limit: asked, amount: amountUsed(limit.kind, used, false) }
      })
      meter.settle({ id: holdOf(job.id), subject, takes, isUnheld: true }, charges)
    }
  }
}

/** Requests and calls at once end with the answer; what end users have used is charged with it, by the estimate. */
function isOfJobs({ kind, per }: Limit): boolean {
  return kind !== 'requests' && kind !== 'concurrent' && !per
}

function holdOf(job: string): string {
  return `job:${job}`
}

/** See `OpenJob.id`. */
function jobIdOf({ id, progress: { job } }: Pick<Ended, 'id' | 'progress'>): string {
  return job?.id ?? responseJobId(id)
}

/** In characters: clients choose names of models. */
const longestName = 1_024

/** The job that an attempt has ordered, and its name. */
export function orderedJob(
  input: OutcomeInput,
  estimate: Pick<Estimate, 'inputTokens' | 'outputTokens' | 'cost' | 'greatest'>,
  now: number,
): readonly [JobName, OpenJob] {
  const { exchange, candidate, attempt, outcome } = input
  const { caller, model } = exchange
  const { keyId, team } = caller
  const id = jobIdOf(exchange)
  const isVideo = exchange.operation.capability === 'video'
  const isBatch = exchange.operation.capability === 'batch'
  const { work, otherModels } = exchange.call
  const kind = isVideo ? 'video' : isBatch ? 'batch' : 'response'
  const upstreamId = (isBatch ? outcome.produced?.upstreamId : unfinishedId(input)) ?? ''
  const { outputTokens: seenTokens = 0 } = attempt
  const clean = (name: string) => cleanText(name, exchange, longestName)
  const shownModel = clean(model.name)
  const job: OpenJob = {
    id,
    kind,
    keyId,
    ...(team !== undefined && { team }),
    accountId: candidate.account.id,
    dialect: candidate.dialect.id,
    model: model.name,
    ...(shownModel !== model.name && { shownModel }),
    upstreamModel: work?.isMixed ? '' : clean(candidate.upstreamModel),
    ...((work?.isMixed || otherModels) && { models: [model.name, ...othersOf(exchange.call)] }),
    createdAt: Math.floor(now / 1_000),
    estimate: {
      inputTokens: estimate.inputTokens,
      ...(work && { longestPrompt: work.longestPrompt }),
      ...amountsOf(estimate),
      ...(!isVideo && { most: amountsOf(estimate.greatest) }),
    },
    ...(!isVideo && isSegment(upstreamId) && { upstreamId }),
    ...(seenTokens > 0 && { seenTokens }),
  }
  return [{ kind, keyId, id: isVideo || isBatch ? id : upstreamId }, job]
}

function amountsOf({ outputTokens, cost }: Estimate['most']) {
  return { outputTokens, ...(cost !== undefined && { cost }) }
}
