import type { OperationInfo } from '../contract/dialect-info.ts'
import type { Usage } from '../contract/outcome.ts'
import type { OutcomeInput } from '../contract/plugin.ts'
import type { Price } from '../contract/prices.ts'
import type { Spend } from '../contract/spend.ts'
import { wasUnread } from './attempts.ts'
import { costOf, ratesInForce } from './cost.ts'
import { tokensOfRequest } from './estimate.ts'

/** What the settled attempt has used, and its cost. */
export function spendOf(input: OutcomeInput): Spend {
  const { exchange, candidate } = input
  const { operation } = exchange
  if (!isWork(operation) || opensSession(operation) || isLookUp(exchange)) return nothing
  if (isOrder(input)) return nothing
  const used = usageOf(input)
  if (used.usage === 'none') return nothing
  const { account, upstreamModel } = candidate
  const price = exchange.snapshot.priceOf?.(account, upstreamModel)
  const { costNano } = used.tokens ?? {}
  if (!price && account.reportsCost && costNano !== undefined)
    return { ...used, cost: costNano, priceVersion: 'provider' }
  return { ...used, ...costBy(price, used.tokens, Date.now()) }
}

/** The cost of tokens and units by a price. `at`: when they were used, in milliseconds since 1970. */
export function costBy(
  price: Price | 'free' | undefined,
  tokens: Usage | undefined,
  at: number,
): Pick<Spend, 'cost' | 'priceVersion'> {
  if (!price) return { cost: 'no_price' }
  if (price === 'free') return { cost: 0, priceVersion: price }
  return { cost: costOf(tokens, price, at), priceVersion: ratesInForce(price, at).version }
}

const nothing: Spend = { usage: 'none', cost: 0 }

/** Capabilities that ask no model for work, besides stored resources. */
const free: ReadonlySet<string> = new Set(['count-tokens', 'video-job', 'realtime-secret'])

type Operation = Pick<OperationInfo, 'capability'>

/** Whether an operation has a model work, for which its account may ask for money. */
export function isWork({ capability }: Operation): boolean {
  return capability !== undefined && !free.has(capability) && !capability.startsWith('stored-')
}

/** Whether an operation opens a session, which uses nothing itself: each of its responses is a call of its own. */
export function opensSession({ capability }: Operation): boolean {
  return capability === 'realtime'
}

/** Whether the tokens of an operation can be estimated: its requests and replies are texts. */
function isEstimated(operation: Operation): boolean {
  const { capability } = operation
  return capability === 'generate' || capability === 'compact' || writesNothing(operation)
}

/** Capabilities whose models only read. */
const reading: ReadonlySet<string | undefined> = new Set([
  'embed',
  'moderate',
  'rerank',
  'cache-content',
])

/** Whether an operation has a model write nothing: it is paid for its prompt alone. */
export function writesNothing({ capability }: Operation): boolean {
  return reading.has(capability)
}

/** Whether the size of a reply says what a model has written: also of the events of a response that goes on. */
export function showsOutput({ operation, call }: Settled['exchange']): boolean {
  return isEstimated(operation) || (call.stream && operation.capability === 'stored-response')
}

/** An attempt that is settled. */
type Settled = Pick<OutcomeInput, 'attempt' | 'outcome'> & {
  readonly exchange: Pick<OutcomeInput['exchange'], 'operation' | 'call'>
}

/** Capabilities whose accounts do all the work after their answer. */
const orders: ReadonlySet<string | undefined> = new Set(['video', 'batch'])

/** Whether the attempt has created a job, which has a spend of its own at its end. */
export function isOrder(input: Settled): boolean {
  const { exchange, outcome } = input
  if (orders.has(exchange.operation.capability)) return outcome.status === 'completed'
  return exchange.call.finishWithoutClient === true && unfinishedId(input) !== undefined
}

/** The id of a response that its account goes on with after the attempt, whose use is not known; `undefined` without such a response. */
export function unfinishedId({
  exchange: { operation },
  attempt,
  outcome: { status, usage, produced },
}: Settled): string | undefined {
  if (!isEstimated(operation) || isReported(usage)) return undefined
  if (!produced) return attempt.announced?.id
  return status === 'incomplete' ? produced.id : undefined
}

/** Whether an account has reported the tokens of a prompt and of its reply. */
export function isReported(usage: Usage | undefined): usage is Usage {
  return usage?.inputTokens !== undefined && usage.outputTokens !== undefined
}

/** Whether a call is a look-up beside its attempt, which has no model. */
function isLookUp({ call, model }: OutcomeInput['exchange']): boolean {
  return call.model === '' && model.name !== ''
}

function usageOf(input: OutcomeInput): Pick<Spend, 'usage' | 'tokens'> {
  const { usage: reported } = input.outcome
  if (isReported(reported)) return { usage: 'reported', tokens: reported }
  if (!hasCounts(reported) && !isTaken(input)) return nothing
  const { searches } = input.outcome.usage ?? {}
  const isByUnits = searches !== undefined && writesNothing(input.exchange.operation)
  if (isEstimated(input.exchange.operation) && !isByUnits) {
    return { usage: 'estimated', tokens: withEstimates(input, reported) }
  }
  return hasCounts(reported) ? { usage: 'reported', tokens: reported } : { usage: 'unknown' }
}

/** An account that reports nothing may report an empty usage all the same. */
function hasCounts(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && Object.values(usage).some((count) => typeof count === 'number')
}

function withEstimates({ exchange, attempt }: OutcomeInput, reported: Usage | undefined): Usage {
  return {
    ...reported,
    inputTokens: reported?.inputTokens ?? tokensOfRequest(exchange),
    outputTokens: reported?.outputTokens ?? attempt.outputTokens ?? 0,
  }
}

/** Whether the account has taken a request: it has seen the request, and not refused it, also inside a 2xx reply. */
function isTaken({ attempt, outcome: { httpStatus = 0, fault } }: OutcomeInput): boolean {
  const { status, isSent, outputTokens = 0 } = attempt
  if (status === undefined) return isSent && !wasUnread(attempt)
  return status < 400 && (httpStatus < 400 || fault === 'gateway' || outputTokens > 0)
}
