import type { Snapshot } from '../contract/candidate.ts'
import type { EndedResponse, Usage } from '../contract/outcome.ts'
import type { Spend } from '../contract/spend.ts'
import { costOf } from '../kit/cost.ts'
import { isReported } from '../kit/spend.ts'
import type { Job } from './job.ts'
import { type OpenJob, estimatedSpend } from './open-jobs.ts'

/**
 * What a job that is over has used, and its cost: accounts ask for money for videos that they have made, not for failed
 * jobs. The attempt that has created the job has no spend of its own.
 */
export function spendOfJob(job: Job, snapshot: Snapshot): Spend {
  if (job.status !== 'completed') return { usage: 'none', cost: 0 }
  const tokens = usageOf(job)
  const cost = costOfJob(job, tokens, snapshot)
  return tokens ? { usage: 'reported', tokens, cost } : { usage: 'unknown', cost }
}

/**
 * The same of a response in the background. One that says nothing is estimated: as a whole if it has come to its end, else
 * by its prompt alone.
 */
export function spendOfResponse(
  job: OpenJob,
  { status, usage, httpStatus = 0 }: EndedResponse,
  snapshot: Snapshot,
): Spend {
  if (isReported(usage))
    return { usage: 'reported', tokens: usage, cost: costOfJob(job, usage, snapshot) }
  if (httpStatus >= 400) return { usage: 'none', cost: 0 }
  if (status === 'completed' || status === 'incomplete') return estimatedSpend(job)
  const tokens = { inputTokens: job.estimate.inputTokens, outputTokens: 0 }
  return { usage: 'estimated', tokens, cost: costOfJob(job, tokens, snapshot) }
}

/** By the price of the time when it was ordered. */
function costOfJob(
  {
    accountId,
    upstreamModel = '',
    createdAt,
  }: Pick<Job, 'accountId' | 'upstreamModel' | 'createdAt'>,
  tokens: Usage | undefined,
  { accounts, priceOf }: Snapshot,
): Spend['cost'] {
  const account = accounts.find(({ id }) => id === accountId)
  const price = account && priceOf?.(account, upstreamModel)
  if (price === 'free') return 0
  return price ? costOf(tokens, price, createdAt * 1_000) : 'no_price'
}

function usageOf({ seconds, size, samples }: Job): Usage | undefined {
  if (seconds === '') return undefined
  const videoSeconds = Number(seconds) * Math.max(1, samples?.length ?? 1)
  return { videoSeconds, ...(size !== '' && { videoSize: size }) }
}
