import type { Snapshot } from '../contract/candidate.ts'
import type { Usage } from '../contract/outcome.ts'
import type { Spend } from '../contract/spend.ts'
import { costOf } from '../kit/cost.ts'
import type { Job } from './job.ts'

/**
 * What a job that is over has used, and its cost: accounts ask for money for videos that they have made, not for failed
 * jobs. The attempt that has created the job has no spend of its own.
 */
export function spendOfJob(job: Job, { accounts, priceOf }: Snapshot): Spend {
  if (job.status !== 'completed') return { usage: 'none', cost: 0 }
  const account = accounts.find(({ id }) => id === job.accountId)
  const price = account && priceOf?.(account, job.upstreamModel ?? '')
  const tokens = usageOf(job)
  const cost =
    price === 'free' ? 0 : price ? costOf(tokens, price, job.createdAt * 1_000) : 'no_price'
  return tokens ? { usage: 'reported', tokens, cost } : { usage: 'unknown', cost }
}

function usageOf({ seconds, size, samples }: Job): Usage | undefined {
  if (seconds === '') return undefined
  const videoSeconds = Number(seconds) * Math.max(1, samples?.length ?? 1)
  return { videoSeconds, ...(size !== '' && { videoSize: size }) }
}
