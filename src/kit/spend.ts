import type { Attempt } from '../contract/exchange.ts'
import type { OutcomeInput } from '../contract/plugin.ts'
import type { Spend } from '../contract/spend.ts'
import { costOf } from './cost.ts'

/** What the settled attempt has used, and its cost. */
export function spendOf({ exchange, candidate, attempt, outcome }: OutcomeInput): Spend {
  if (!isWork(exchange.operation)) return nothing
  const { usage: tokens } = outcome
  if (!tokens && !isTaken(attempt)) return nothing
  const price = exchange.snapshot.priceOf?.(candidate.account, candidate.upstreamModel)
  const cost = price === 'free' ? 0 : price ? costOf(tokens, price) : 'no_price'
  return tokens ? { usage: 'reported', tokens, cost } : { usage: 'unknown', cost }
}

const nothing: Spend = { usage: 'none', cost: 0 }

/** Capabilities that ask no model for work, besides stored resources. */
const free: ReadonlySet<string> = new Set(['count-tokens', 'video-job'])

/** Whether an operation has a model work, for which its account may ask for money. */
export function isWork({ capability }: { readonly capability?: string | undefined }): boolean {
  return capability !== undefined && !free.has(capability) && !capability.startsWith('stored-')
}

/** Not one that the account has refused, or that it has not seen. */
function isTaken({ status, isSent }: Attempt): boolean {
  return status === undefined ? isSent : status < 400
}
