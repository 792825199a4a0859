import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Usage } from '../contract/outcome.ts'
import type { Price } from '../contract/prices.ts'
import { costOf } from '../kit/cost.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { isObject } from '../lib/json/object.ts'
import { RecentMap } from '../lib/recent-map.ts'

/** What a call will use, as far as its request and earlier calls say. */
export interface Estimate {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Nano-dollars of the dearest account; `undefined`: no account that could serve the call has a price. */
  readonly cost: number | undefined
  /** The most that the request permits, for strict limits. */
  readonly most: { readonly outputTokens: number; readonly cost: number | undefined }
  /** The same of the input alone. */
  readonly inputCost: number | undefined
}

/** Estimates calls, and learns from settled ones. */
export interface Estimator {
  estimate(exchange: Understood): Estimate
  /** Notes the reported tokens of a call. */
  learn(call: LearnedCall): void
}

/** A settled call of which the account has reported all tokens. */
interface LearnedCall {
  readonly keyId: string
  readonly model: string
  /** The bytes of its text. 0: it was no text. */
  readonly bytes: number
  readonly usage: Pick<Usage, 'inputTokens' | 'outputTokens'>
}

/** Bytes of a token of text, until the model is known. */
const usualRatio = 4
/** A share of the last call in the moving average. */
const newShare = 0.1
/** Accounts could report what they like: no text has more or fewer bytes a token. */
const [leastRatio, mostRatio] = [1, 16]

/** Tokens of a reply, until the key's use of the model is known. */
const usualOutput = 4_096
/** Short replies could be made to let many long ones begin at once: no estimate is below it. */
const leastOutput = 256
/** So many replies of a key and model tell how long they are. */
const enoughOutputs = 10
const keptOutputs = 40

/** Keys and clients choose names of models. */
const remembered = 2_000

/** Creates an estimator that has learned nothing. */
export function createEstimator(): Estimator {
  const ratios = new RecentMap<number>(remembered)
  const outputs = new RecentMap<number[]>(remembered)

  const capOf = (keyId: string, model: string) => {
    const known = outputs.get(`${keyId}\n${model}`)
    if (!known || known.length < enoughOutputs) return usualOutput
    const sorted = known.toSorted((one, other) => one - other)
    return Math.max(leastOutput, sorted[Math.ceil(sorted.length * 0.95) - 1]!)
  }

  return {
    estimate(exchange) {
      const { caller, model, body } = exchange
      const { outputTokens: asked, answers } = askedOf(body.form ? {} : body.json)
      const cap = capOf(caller.keyId, model.name)
      const inputTokens = Math.ceil(textBytesOf(exchange) / (ratios.get(model.name) ?? usualRatio))
      const outputTokens = Math.min(asked ?? cap, cap) * answers
      const most = (asked ?? Math.max(cap, usualOutput)) * answers
      const prices = pricesOf(exchange)
      return {
        inputTokens,
        outputTokens,
        cost: dearest(prices, { inputTokens, outputTokens }),
        most: {
          outputTokens: most,
          cost: dearest(prices, { inputTokens, outputTokens: most }),
        },
        inputCost: dearest(prices, { inputTokens, outputTokens: 0 }),
      }
    },
    learn({ keyId, model, bytes, usage: { inputTokens = 0, outputTokens = 0 } }) {
      if (bytes > 0 && inputTokens > 0) {
        const ratio = Math.min(mostRatio, Math.max(leastRatio, bytes / inputTokens))
        const known = ratios.get(model) ?? usualRatio
        ratios.set(model, known + (ratio - known) * newShare)
      }
      const key = `${keyId}\n${model}`
      const known = outputs.get(key) ?? []
      outputs.set(key, [...known.slice(1 - keptOutputs), outputTokens])
    },
  }
}

/** The bytes of the text of a request, without the media in it. */
export function textBytesOf({ body }: Pick<Understood, 'body'>): number {
  return body.bytes.length
}

/** The most answers that a request may ask for. */
const mostAnswers = 1_000

/** What a request says of its output, in the words of any dialect. */
function askedOf(json: Readonly<Record<string, unknown>>): {
  readonly outputTokens: number | undefined
  readonly answers: number
} {
  const own = isObject(json.generationConfig) ? json.generationConfig : {}
  const limits = [
    json.max_tokens,
    json.max_completion_tokens,
    json.max_output_tokens,
    own.maxOutputTokens,
    own.max_output_tokens,
  ]
  const answers = [json.n, own.candidateCount, own.candidate_count].find(isCount) ?? 1
  return { outputTokens: limits.find(isCount), answers: Math.min(answers, mostAnswers) }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

/** Whether an account has a price for its model. */
export function hasPrice(
  { priceOf }: Pick<Snapshot, 'priceOf'>,
  { account, upstreamModel }: Pick<Candidate, 'account' | 'upstreamModel'>,
): boolean {
  return priceOf?.(account, upstreamModel) !== undefined
}

type PriceOf = NonNullable<Snapshot['priceOf']>

/** The different prices of a pool: ten thousand accounts may have one. */
const distinctPrices = computedOnce((priceOf: PriceOf) =>
  computedOnce((pool: readonly Candidate[]) => {
    const found = pool.map(({ account, upstreamModel }) => priceOf(account, upstreamModel))
    return [...new Set(found.filter((price) => price !== undefined))]
  }),
)

function pricesOf(exchange: Understood): readonly (Price | 'free')[] {
  const { snapshot, model, dialect, operation } = exchange
  if (!snapshot.priceOf) return []
  const pool = snapshot.pool(model.name, dialect, operation.capability ?? '')
  return distinctPrices(snapshot.priceOf)(pool)
}

/** A price that lacks a rate has no known cost. */
function dearest(prices: readonly (Price | 'free')[], usage: Usage): number | undefined {
  let most: number | undefined
  for (const price of prices) {
    const cost = price === 'free' ? 0 : costOf(usage, price)
    if (typeof cost === 'number' && cost >= (most ?? 0)) most = cost
  }
  return most
}
