import type { Attempt, Ended } from '../../src/contract/exchange.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { Spend } from '../../src/contract/spend.ts'
import type { Job } from '../../src/jobs/job.ts'
import type { LimitSet } from '../../src/limits/limit-set.ts'
import { meterLimitOf } from '../../src/limits/meter-limit.ts'
import type { CallMeter, Hold, Take } from './call-meter.ts'
import { amountUsed, usedOf } from './charges.ts'

/** The longest time that a job holds its estimate, in milliseconds. Then the estimate is charged. */
const longestHoldMs = 86_400_000

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
  isCreation({ operation, progress }: Ended, attempt: Attempt | undefined): boolean {
    return (
      operation?.capability === 'video' &&
      progress.job?.id !== undefined &&
      attempt?.outcome?.status === 'completed'
    )
  }

  /** Has the job of an exchange hold what the call holds, before the call is settled. */
  created({ progress: { job } }: Ended, { subject, takes }: Hold): Promise<void> | undefined {
    if (job?.id === undefined) return undefined
    const { name } = job.model
    // A call takes of a limit before its body and for each of its models; an ask names a limit once.
    const kept = new Map<string, Take>()
    for (const take of takes) {
      const { limit, meter } = take
      if (!isOfJobs(limit) || !limit.appliesTo(name)) continue
      const counter = JSON.stringify([meter.id, meter.counts])
      const amount = take.amount + (kept.get(counter)?.amount ?? 0)
      kept.set(counter, { ...take, amount, floor: amount })
    }
    if (kept.size === 0) return undefined
    const hold = { id: nameOf(job.id), subject, takes: [...kept.values()] }
    return this.#options.meter.keep(hold, longestHoldMs)
  }

  /** Charges what a job has used, once, also where several processes learn of its end. */
  ended(job: Pick<Job, 'id' | 'keyId' | 'team' | 'accountId' | 'model'>, spend: Spend): void {
    // A size without a price is not made for nothing: the job keeps its hold, at whose end the estimate is charged.
    if (spend.usage !== 'none' && typeof spend.cost !== 'number') return
    const { limits, meter, now } = this.#options
    const used = usedOf(spend, undefined)
    const ofAccount = limits.ofAccount(job.accountId)
    const subjects = [...(limits.ofCaller(job) ?? []), ...(ofAccount ? [ofAccount] : [])]
    for (const { name: subject, limits: all } of subjects) {
      const takes = all
        .filter((limit) => isOfJobs(limit) && limit.appliesTo(job.model))
        .map((limit): Take => {
          return { limit, meter: meterLimitOf(limit, now(), limits), amount: 0, floor: 0 }
        })
      if (takes.length === 0) continue
      const charges = takes.map(({ limit, meter: asked }) => {
        return { limit: asked, amount: amountUsed(limit.kind, used, false) }
      })
      meter.settle({ id: nameOf(job.id), subject, takes, isUnheld: true }, charges)
    }
  }
}

/** Requests and calls at once end with the answer; what end users have used is charged with it, by the estimate. */
function isOfJobs({ kind, per }: Limit): boolean {
  return kind !== 'requests' && kind !== 'concurrent' && !per
}

function nameOf(job: string): string {
  return `job:${job}`
}
