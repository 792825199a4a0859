import { namedPoolOf } from '../accounts/named-pool.ts'
import type { RequestBody } from '../contract/body.ts'
import type { NamedWork } from '../contract/call.ts'
import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Usage } from '../contract/outcome.ts'
import type { Price } from '../contract/prices.ts'
import { requestTokens, tokensOfBody } from '../kit/estimate.ts'
import { opensSession, writesNothing } from '../kit/spend.ts'
import { batchTier, isAmount, mostTokens, tierOfWords } from '../kit/usage.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { isObject } from '../lib/json/object.ts'
import { stringAt } from '../lib/json/read.ts'
import { RecentMap } from '../lib/recent-map.ts'
import { type Asked, dearestCost } from './dearest-cost.ts'
import { type PromptParts, promptPartsOf, usualArtist } from './prompt-parts.ts'

/** What a call will use, as far as its request and earlier calls say. */
export interface Estimate {
  /** By the size of the request alone. */
  readonly sizeTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Nano-dollars of the dearest account; `undefined`: no account that could serve the call has a price. */
  readonly cost: number | undefined
  /** The most that the request permits, for strict limits. */
  readonly most: { readonly outputTokens: number; readonly cost: number | undefined }
  /** As `most`, where a reply without a bound is as long as any reply: for work whose use is never known. */
  readonly greatest: Estimate['most']
  /** The part of `cost` that the input has. */
  readonly inputCost: number | undefined
  /** Whether the estimate is of many requests, which a limit has to cover together. */
  readonly isOfBatch: boolean
  /** Nano-dollars of so many ordinary tokens with the dearest account, and of images that another model draws. */
  costOf(inputTokens: number, outputTokens: number, drawn?: number): number | undefined
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
  /** See `Estimate.sizeTokens`. */
  readonly sizeTokens: number
  readonly usage: Pick<Usage, 'inputTokens' | 'outputTokens'>
}

/** A share of the last call in the moving average. */
const newShare = 0.1
/** Accounts could report what they like: no text has more or fewer tokens for its size. */
const [leastFactor, mostFactor] = [0.25, 4]

/** Tokens of a reply, until the key's use of the model is known. */
const usualOutput = 4_096
/** Short replies could be made to let many long ones begin at once: no estimate is below it. */
const leastOutput = 256
/** An account could report what it likes: no reply of a model is longer. */
const mostOutput = 131_072
/** The replies of a key and model that show how long replies are: fewer have no 95th percentile below the longest. */
const enoughOutputs = 20
const keptOutputs = 40
/** The replies between two sorts of their lengths: a sort for each reply took 3 % of a call's time. */
const outputsALook = 4

/** Keys and clients choose names of models. */
const remembered = 2_000

/** What the calls of a key have told of a model. */
interface Learned {
  /** The reported tokens of prompts, divided by the tokens that the sizes of the prompts suggest. */
  factor: number
  /** The reported tokens of replies, the next one in place of the oldest. */
  readonly outputs: Float64Array
  count: number
  /** The length that 95 % of the replies do not exceed. */
  usual: number
}

/** Creates an estimator that has learned nothing. */
export function createEstimator(): Estimator {
  /** By key and model. */
  const learned = new RecentMap<Learned>(remembered)

  return {
    estimate(exchange) {
      const { caller, model, body } = exchange
      const known = learned.get(placeOf(caller.keyId, model.name))
      return new CallEstimate(exchange, promptPartsOf(body), askedOf(exchange), known)
    },
    learn({ keyId, model, sizeTokens, usage: { inputTokens, outputTokens } }) {
      const place = placeOf(keyId, model)
      const known = learned.get(place) ?? {
        factor: 1,
        outputs: new Float64Array(keptOutputs),
        count: 0,
        usual: usualOutput,
      }
      learned.set(place, known)
      if (sizeTokens > 0 && isAmount(inputTokens) && inputTokens > 0) {
        const factor = Math.min(mostFactor, Math.max(leastFactor, inputTokens / sizeTokens))
        known.factor += (factor - known.factor) * newShare
      }
      if (!isAmount(outputTokens)) return
      known.outputs[known.count++ % keptOutputs] = Math.min(outputTokens, mostOutput)
      if (known.count >= enoughOutputs && known.count % outputsALook === 0)
        known.usual = usualOf(known)
    },
  }
}

/** A class, since an object with getters of its own is slow to make. */
class CallEstimate implements Estimate {
  readonly sizeTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number | undefined
  readonly #work: NamedWork | undefined
  readonly #asked: ReturnType<typeof askedOf>
  readonly #cap: number
  readonly #prices: ReturnType<typeof pricesOf>
  readonly #priced: Asked
  readonly #exchange: Understood
  readonly #drawnBy: string | undefined

  constructor(
    exchange: Understood,
    parts: PromptParts,
    asked: ReturnType<typeof askedOf>,
    known: Learned | undefined,
  ) {
    const { work } = exchange.call
    const request = work ? { all: work.inputTokens, media: 0 } : promptTokens(exchange, parts)
    const cap = known?.usual ?? usualOutput
    this.#work = work
    this.#exchange = exchange
    this.#drawnBy = parts.drawnBy
    this.#asked = asked
    this.#cap = cap
    this.#prices = pricesOf(exchange)
    const priced = pricedOf(exchange, asked.answers, request, parts)
    this.#priced = work ? { ...priced, tier: batchTier } : priced
    this.sizeTokens = request.all
    this.inputTokens = Math.ceil(request.all * (known?.factor ?? 1))
    this.outputTokens = work
      ? outputOf(work, cap)
      : Math.min(asked.outputTokens ?? cap, cap) * asked.answers
    this.cost = this.costOf(this.inputTokens, this.outputTokens, this.#drawn)
  }

  get most(): Estimate['most'] {
    return this.#atMost(Math.max(this.#cap, usualOutput))
  }

  get greatest(): Estimate['greatest'] {
    return this.#atMost(mostOutput)
  }

  get isOfBatch(): boolean {
    return this.#work !== undefined
  }

  get inputCost(): number | undefined {
    return this.costOf(this.inputTokens, 0)
  }

  costOf(inputTokens: number, outputTokens: number, drawn = 0): number | undefined {
    const longest = this.#work && { longestPrompt: this.#work.longestPrompt }
    const tokens = { inputTokens, outputTokens, ...longest }
    const cost = dearest(this.#prices, tokens, this.#priced)
    if (drawn === 0 || cost === undefined) return cost
    return cost + drawn * costOfDrawing(this.#exchange, this.#drawnBy ?? usualArtist)
  }

  /** The images that are expected of another model. */
  get #drawn(): number {
    return this.#drawnBy === undefined ? 0 : 1
  }

  /** `unbounded`: the tokens of a reply to a request that names no bound. */
  #atMost(unbounded: number): Estimate['most'] {
    const { outputTokens: asked = unbounded, answers } = this.#asked
    const outputTokens = this.#work
      ? outputOf(this.#work, unbounded)
      : Math.min(mostTokens, asked * answers)
    return { outputTokens, cost: this.costOf(this.inputTokens, outputTokens, this.#drawn) }
  }
}

/** The output of a batch, if each reply without a bound has so many tokens. */
function outputOf({ outputTokens, unbounded }: NamedWork, each: number): number {
  return Math.min(mostTokens, outputTokens + unbounded * each)
}

function usualOf({ outputs, count }: Learned): number {
  const sorted = outputs.slice(0, count).sort()
  return Math.max(leastOutput, sorted[Math.ceil(sorted.length * 0.95) - 1]!)
}

/** The tokens of a picture or a document that a request names by a URL. */
const tokensOfUrl = 1_000

function promptTokens(
  exchange: Understood,
  { urls }: PromptParts,
): ReturnType<typeof requestTokens> {
  const { all, media } = requestTokens(exchange)
  const heard = secondsOfAudio(exchange.operation, exchange.body) * tokensOfSecond
  const more = urls * tokensOfUrl + heard
  return { all: all + more, media: media + more }
}

/** The usage of one key's calls is no estimate for other keys, whose calls it would have refused. */
function placeOf(keyId: string, model: string): string {
  return `${keyId}\n${model}`
}

/** The most answers that a request may ask for. */
const mostAnswers = 1_000

/** What a request says of its output, in the words of any dialect. */
function askedOf({ body, operation }: Pick<Understood, 'body' | 'operation'>): {
  readonly outputTokens: number | undefined
  readonly answers: number
} {
  if (writesNothing(operation) || opensSession(operation)) return { outputTokens: 0, answers: 1 }
  const { json } = body
  if (operation.capability === 'speak')
    return { outputTokens: charactersOf(json) * tokensOfCharacter, answers: 1 }
  const own = isObject(json.generationConfig) ? json.generationConfig : {}
  const limits = [
    json.max_tokens,
    json.max_completion_tokens,
    json.max_output_tokens,
    own.maxOutputTokens,
    own.max_output_tokens,
  ]
  const ofForm = Number(body.form?.text('n'))
  const answers = [ofForm, json.n, own.candidateCount, own.candidate_count].find(isCount) ?? 1
  return { outputTokens: limits.find(isCount), answers: Math.min(answers, mostAnswers) }
}

/** The tokens of a request of a batch; `outputTokens` is absent if its reply has no bound. */
export function tokensOfLine(request: Pick<Understood, 'body' | 'operation'>): {
  readonly inputTokens: number
  readonly outputTokens: number | undefined
} {
  const { outputTokens, answers } = askedOf(request)
  const most = outputTokens === undefined ? undefined : Math.min(mostTokens, outputTokens * answers)
  return { inputTokens: tokensOfBody(request.body).all, outputTokens: most }
}

/** The length of a video whose request has no duration, in seconds. */
const usualSeconds = 8

const tierWords = ['service_tier', 'serviceTier', 'speed', 'inference_geo'] as const

/** What a request asks for that has a price of its own, in the words of any dialect. */
function pricedOf(
  { operation, body }: Understood,
  answers: number,
  { all, media }: ReturnType<typeof requestTokens>,
  { cacheWrites, mayAskWeb }: PromptParts,
): Asked {
  const { json } = body
  const { capability } = operation
  const isImage = capability === 'generate-image' || capability === 'edit-image'
  const own = isObject(json.generationConfig) ? json.generationConfig : {}
  const asks = (wanted: string) =>
    isNamed(json.modalities, wanted) ||
    isNamed(own.responseModalities, wanted) ||
    isNamed(own.response_modalities, wanted)
  return {
    tier: tierWords.some((word) => json[word] !== undefined)
      ? tierOfWords(tierWords.map((word) => stringAt(json, word)))
      : undefined,
    mediaShare: media / Math.max(1, all),
    cacheWrites,
    searches: mayAskWeb || capability === 'rerank' ? 1 : 0,
    repliesWithAudio: capability === 'speak' || asks('audio'),
    repliesWithImages: isImage || asks('image'),
    images: isImage ? answers : 0,
    videoSeconds: capability === 'video' ? secondsOf(body) : 0,
    audioSeconds: secondsOfAudio(operation, body),
    characters: capability === 'speak' ? charactersOf(json) : 0,
  }
}

/** The tokens of audio for a spoken character: 15 characters take a second, which has about 20 tokens. */
const tokensOfCharacter = 2

/** The characters that a request wants to hear. */
function charactersOf(json: RequestBody['json']): number {
  return (stringAt(json, 'input') ?? '').length
}

/** Whether a list of modalities, or a single one, has one of that name. */
function isNamed(modalities: unknown, wanted: string): boolean {
  if (modalities === undefined) return false
  return [modalities]
    .flat()
    .some((kind) => typeof kind === 'string' && kind.toLowerCase() === wanted)
}

/** The bytes of a form for a second of its audio: speech in the formats that providers take has as a rule more. */
const audioBytes = 2_000

/** The tokens of a second of audio, as providers count them. */
const tokensOfSecond = 10

/** The seconds of the audio that a form brings, by its size. */
function secondsOfAudio(
  { capability }: Pick<Understood['operation'], 'capability'>,
  { form }: RequestBody,
): number {
  const isHeard = capability === 'transcribe' || capability === 'translate-audio'
  return isHeard ? Math.min(mostTokens, Math.ceil((form?.size ?? 0) / audioBytes)) : 0
}

function secondsOf({ json, form }: RequestBody): number {
  const { durationSeconds, sampleCount } = isObject(json.parameters) ? json.parameters : {}
  const written = [form?.text('seconds'), json.seconds, durationSeconds].map(Number)
  const seconds = written.find(isCount) ?? usualSeconds
  const videos = isCount(sampleCount) ? sampleCount : 1
  const instances = Array.isArray(json.instances) ? Math.max(1, json.instances.length) : 1
  return Math.min(mostTokens, seconds * videos * instances)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

/** Returns the cost of a call like this one by a price, whatever earlier calls say; `undefined`: it is unknown. */
export function costOfCall(exchange: Understood): (price: Price) => number | undefined {
  const { outputTokens: asked = usualOutput, answers } = askedOf(exchange)
  const outputTokens = Math.min(asked, usualOutput) * answers
  const parts = promptPartsOf(exchange.body)
  const request = promptTokens(exchange, parts)
  const tokens = { inputTokens: request.all, outputTokens }
  const priced = pricedOf(exchange, answers, request, parts)
  return (price) => dearestCost(price, tokens, priced)
}

/** Whether an account has a price for its model, and for all models of a batch. */
export function hasPrice(
  { priceOf }: Pick<Snapshot, 'priceOf'>,
  { account, upstreamModel }: Pick<Candidate, 'account' | 'upstreamModel'>,
  work?: NamedWork,
): boolean {
  if (!work?.isMixed) return priceOf?.(account, upstreamModel) !== undefined
  return work.models.every(({ model }) => {
    const name = account.models.upstreamName(model)
    return name !== undefined && priceOf?.(account, name) !== undefined
  })
}

type PriceOf = NonNullable<Snapshot['priceOf']>

/** The prices of a model. */
type Prices = readonly (Price | 'free')[]

/** The different prices of a pool, whose accounts serve one model: ten thousand accounts may share a price. */
const distinctPrices = computedOnce((priceOf: PriceOf) =>
  computedOnce((pool: readonly Candidate[]): readonly Prices[] => {
    const found = pool.map(({ account, upstreamModel }) => priceOf(account, upstreamModel))
    return [[...new Set(found.filter((price) => price !== undefined))]]
  }),
)

/** The prices of the model of a call, or of each model of a batch. */
function pricesOf(exchange: Understood): readonly Prices[] {
  const { snapshot, model, dialect, operation, call } = exchange
  const { priceOf } = snapshot
  if (!priceOf) return []
  const pricesIn = distinctPrices(priceOf)
  if (call.among) return pricesIn(namedPoolOf(exchange, call.among))
  const pricesBy = (name: string) =>
    pricesIn(snapshot.pool(name, dialect, operation.capability ?? ''))
  if (!call.work?.isMixed) return pricesBy(model.name)
  return call.work.models.flatMap((one) => pricesBy(one.model))
}

/** Tokens of the largest image that OpenAI's models draw. */
const tokensOfImage = 6_240

/** Prices of drawings that are remembered: clients name models. */
const drawings = computedOnce((_priceOf: PriceOf) =>
  computedOnce((_pool: readonly Candidate[]) => new RecentMap<number>(100)),
)

/** The cost of an image that a model draws for another one, with the dearest account. 0: none has a price for it. */
function costOfDrawing(exchange: Understood, name: string): number {
  const { snapshot, model, dialect, operation } = exchange
  const { priceOf } = snapshot
  if (!priceOf) return 0
  const pool = snapshot.pool(model.name, dialect, operation.capability ?? '')
  const known = drawings(priceOf)(pool)
  let cost = known.get(name)
  if (cost === undefined) {
    const found = pool.map(({ account }) => priceOf(account, name))
    const prices = [...new Set(found.filter((price) => price !== undefined))]
    cost = dearest([prices], { inputTokens: 0, outputTokens: tokensOfImage }, drawing) ?? 0
    known.set(name, cost)
  }
  return cost
}

const drawing: Asked = {
  tier: undefined,
  mediaShare: 0,
  cacheWrites: 'none',
  searches: 0,
  repliesWithAudio: false,
  repliesWithImages: true,
  images: 1,
  videoSeconds: 0,
  audioSeconds: 0,
  characters: 0,
}

/** The cost by the dearest price. A price that lacks a rate has no known cost, and of a batch each model needs one. */
function dearest(all: readonly Prices[], tokens: Usage, asked: Asked): number | undefined {
  let most: number | undefined
  for (const prices of all) {
    let ofModel: number | undefined
    for (const price of prices) {
      const cost = price === 'free' ? 0 : dearestCost(price, tokens, asked)
      if (cost !== undefined && cost >= (ofModel ?? 0)) ofModel = cost
    }
    if (ofModel === undefined) return undefined
    most = Math.max(most ?? 0, ofModel)
  }
  return most
}
