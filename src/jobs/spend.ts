import type { Snapshot } from '../contract/candidate.ts'
import type { EndedResponse, Usage } from '../contract/outcome.ts'
import type { Spend } from '../contract/spend.ts'
import { costBy, isReported } from '../kit/spend.ts'
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
  return tokens ? { usage: 'reported', tokens, ...cost } : { usage: 'unknown', ...cost }
}

/** The most tokens that models write in a second. */
const tokensPerSecond = 100

/**
 * The same of a response in the background. One that does not report its use is estimated: by the output that its reply has
 * or that clients have seen; without any, as a whole if it has come to its end. One that is cancelled may have reasoned
 * where no client sees it, for all the time that it ran. `now`: milliseconds since 1970.
 */
export function spendOfResponse(
  job: OpenJob,
  ended: EndedResponse,
  snapshot: Snapshot,
  now: number,
): Spend {
  const { status, usage, httpStatus = 0 } = ended
  const { most, longestPrompt } = job.estimate
  if (isReported(usage)) {
    // A batch that reports the sum of its tokens says nothing of the lengths of its prompts.
    const tokens = longestPrompt === undefined ? usage : { longestPrompt, ...usage }
    // What did not begin costs nothing at any price. A reply without tokens may lack their counts.
    const isNothing = status !== 'completed' && usage.inputTokens === 0 && usage.outputTokens === 0
    const cost = isNothing ? { cost: 0 } : costOfJob(job, tokens, snapshot)
    return { usage: 'reported', tokens, ...cost }
  }
  // Streams may have shown the same output twice.
  const seen = Math.min(job.seenTokens ?? 0, most?.outputTokens ?? Infinity)
  const outputTokens = Math.max(ended.outputTokens ?? 0, seen)
  if (httpStatus >= 400 && outputTokens === 0) return { usage: 'none', cost: 0 }
  const isWhole = status === 'completed' || status === 'incomplete'
  if (isWhole && outputTokens === 0) return estimatedSpend(job)
  const ranSeconds = status === 'cancelled' ? Math.floor(now / 1_000) - job.createdAt - 1 : 0
  const reasoned = Math.min(job.estimate.outputTokens, ranSeconds * tokensPerSecond)
  const tokens = {
    outputTokens: Math.max(outputTokens, reasoned),
    ...(longestPrompt !== undefined && { longestPrompt }),
    ...ended.usage,
    inputTokens: ended.usage?.inputTokens ?? job.estimate.inputTokens,
  }
  return { usage: 'estimated', tokens, ...costOfJob(job, tokens, snapshot) }
}

/**
 * The cost of a job's tokens at ordinary rates, where its own cost is unknown: clients choose tiers and tools that a price
 * may lack. `undefined`: its cost is known, or ordinary tokens have none.
 */
export function ordinaryCostOf(
  job: OpenJob,
  { tokens, cost }: Spend,
  snapshot: Snapshot,
): number | undefined {
  if (typeof cost === 'number' || !tokens) return undefined
  const { inputTokens = 0, outputTokens = 0, longestPrompt = inputTokens } = tokens
  const account = snapshot.accounts.find(({ id }) => id === job.accountId)
  // Of several models, the dearest may have had all of the tokens.
  const names = job.models?.map((model) => account?.models.upstreamName(model)) ?? [
    job.upstreamModel,
  ]
  const costs = names.map((upstreamModel = '') => {
    const ordinary = { inputTokens, outputTokens, longestPrompt }
    return costOfJob({ ...job, upstreamModel }, ordinary, snapshot).cost
  })
  return costs.reduce<number | undefined>(
    (most, cost) => (typeof cost === 'number' ? Math.max(most ?? 0, cost) : most),
    undefined,
  )
}

/** The cost by the price of the time when the job was ordered. */
function costOfJob(
  {
    accountId,
    upstreamModel = '',
    createdAt,
  }: Pick<Job, 'accountId' | 'upstreamModel' | 'createdAt'>,
  tokens: Usage | undefined,
  { accounts, priceOf }: Snapshot,
): Pick<Spend, 'cost' | 'priceVersion'> {
  const account = accounts.find(({ id }) => id === accountId)
  return costBy(account && priceOf?.(account, upstreamModel), tokens, createdAt * 1_000)
}

function usageOf({ seconds, size, samples }: Job): Usage | undefined {
  if (seconds === '') return undefined
  const videoSeconds = Number(seconds) * Math.max(1, samples?.length ?? 1)
  return { videoSeconds, ...(size !== '' && { videoSize: size }) }
}
