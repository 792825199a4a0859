import type { Usage } from '../contract/outcome.ts'
import type { Price, Rates, RatesInForce, TokenClass } from '../contract/prices.ts'
import type { UnknownCost } from '../contract/spend.ts'
import { isAmount } from './usage.ts'

/**
 * The cost of the tokens and units of a call in nano-dollars, rounded once, or why it is unknown. `at`: when the call was, in
 * milliseconds since the epoch. It is never less than the
 * price says for the reported tokens: a class without a rate leaves the whole cost unknown.
 */
export function costOf(
  usage: Usage | undefined,
  price: Price,
  at = Date.now(),
): number | UnknownCost {
  if (usage === undefined || usage.isPartial) return 'no_usage'
  const inForce = price.later?.find(({ from }) => from <= at) ?? price
  const units = costOfUnits(usage, inForce)
  const tokens = isByUnit(usage, inForce) ? 0n : costOfTokens(usage, inForce)
  if (typeof tokens === 'string') return tokens
  return typeof units === 'string' ? units : Number((tokens + units + half) / (unchanged * 1_000n))
}

/** Whether no tokens are paid for: a video has none, and a price without rates is one of units alone. */
function isByUnit({ images = 0, searches = 0, videoSeconds = 0 }: Usage, price: RatesInForce) {
  return videoSeconds > 0 || (price.rates.size === 0 && images + searches > 0)
}

/** The sums of both are in millionths of pico-dollars. */
function costOfTokens(usage: Usage, inForce: RatesInForce): bigint | UnknownCost {
  const { inputTokens, outputTokens, tier } = usage
  if (inputTokens === undefined || outputTokens === undefined) return 'no_usage'
  if (!isConsistent(usage, inputTokens, outputTokens)) return 'invalid_usage'
  const factor = tier === undefined ? unchanged : inForce.tiers.get(tier)
  if (factor === undefined) return 'no_tier'
  const rates = inForce.over.find((one) => inputTokens > one.inputTokens)?.rates ?? inForce.rates
  const prompt = promptClasses(usage, inputTokens, rates)
  if (!prompt) return 'no_rate'
  let millionths = 0n
  for (const [name, tokens] of [...prompt, ...replyClasses(usage, outputTokens, rates)]) {
    if (tokens === 0) continue
    const rate = rates.get(name)
    const times = typeof factor === 'bigint' ? factor : factor.get(name)
    if (rate === undefined || times === undefined) return 'no_rate'
    millionths += BigInt(tokens) * rate * times
  }
  return millionths
}

function costOfUnits(usage: Usage, { rates, units }: RatesInForce): bigint | UnknownCost {
  const { searches = 0, images = 0, videoSeconds = 0 } = usage
  if (searches + images + videoSeconds === 0) return 0n
  if (![searches, images, videoSeconds].every(isWhole)) return 'invalid_usage'
  // Image models with rates cost by the tokens of their images.
  const paidImages = rates.size > 0 && !units.has('image') ? 0 : images
  let millionths = 0n
  for (const [unit, count, kinds] of [
    ['search', searches, []],
    ['image', paidImages, kindsOfImage(usage)],
    ['second', videoSeconds, kindsOfVideo(usage)],
  ] as const) {
    if (count === 0) continue
    const price = units.get(unit)
    const each = typeof price === 'object' ? firstOf(price, kinds) : price
    if (each === undefined) return 'no_rate'
    millionths += BigInt(count) * each * unchanged
  }
  return millionths
}

function firstOf(prices: ReadonlyMap<string, bigint>, kinds: readonly string[]) {
  const kind = kinds.find((one) => prices.has(one))
  return kind === undefined ? undefined : prices.get(kind)
}

function kindsOfImage({ imageSize = '', imageQuality = '' }: Usage): readonly string[] {
  return [`${imageQuality}/${imageSize}`, imageSize, imageQuality]
}

/** A resolution is the shorter side. */
function kindsOfVideo({ videoSize = '' }: Usage): readonly string[] {
  const [width = 0, height = 0] = videoSize.split('x').map(Number)
  const lines = Math.min(width, height)
  return [videoSize, lines >= 2_160 ? '4k' : `${lines}p`]
}

/** A factor in millionths. */
const unchanged = 1_000_000n
const half = (unchanged * 1_000n) / 2n

type Tokens = readonly [name: TokenClass, tokens: number]

function isConsistent(usage: Usage, input: number, output: number): boolean {
  const { cachedTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage
  const { audioInputTokens = 0, imageInputTokens = 0 } = usage
  const { audioOutputTokens = 0, imageOutputTokens = 0 } = usage
  return (
    isWhole(input) &&
    isWhole(output) &&
    isWhole(cachedTokens) &&
    isWhole(cacheWriteTokens) &&
    isWhole(cacheWrite1hTokens) &&
    isWhole(audioInputTokens) &&
    isWhole(imageInputTokens) &&
    isWhole(audioOutputTokens) &&
    isWhole(imageOutputTokens) &&
    cachedTokens + cacheWriteTokens <= input &&
    cacheWrite1hTokens <= cacheWriteTokens &&
    audioInputTokens + imageInputTokens <= input &&
    audioOutputTokens + imageOutputTokens <= output
  )
}

function isWhole(tokens: number): boolean {
  return isAmount(tokens) && Number.isInteger(tokens)
}

/**
 * The classes of the prompt. A reply does not say which of its audio and images came from a cache: with a rate of
 * their own they have a price only where no cache was in use; `undefined` elsewhere.
 */
function promptClasses(usage: Usage, input: number, rates: Rates): Tokens[] | undefined {
  const { cachedTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage
  const plain = input - cachedTokens - cacheWriteTokens
  const modal = ofOtherRates('input', rates, [
    ['inputAudio', usage.audioInputTokens],
    ['inputImage', usage.imageInputTokens],
  ])
  if (modal.length > 0 && plain < input) return undefined
  return [
    ['input', plain - sumOf(modal)],
    ['cacheRead', cachedTokens],
    ['cacheWrite', cacheWriteTokens - cacheWrite1hTokens],
    ['cacheWrite1h', cacheWrite1hTokens],
    ...modal,
  ]
}

function replyClasses(usage: Usage, output: number, rates: Rates): Tokens[] {
  const modal = ofOtherRates('output', rates, [
    ['outputAudio', usage.audioOutputTokens],
    ['outputImage', usage.imageOutputTokens],
  ])
  return [['output', output - sumOf(modal)], ...modal]
}

/** The tokens of audio and images that have another rate than tokens of text. */
function ofOtherRates(
  text: TokenClass,
  rates: Rates,
  all: readonly (readonly [name: TokenClass, tokens: number | undefined])[],
): Tokens[] {
  return all.flatMap(([name, tokens = 0]): Tokens[] => {
    const rate = rates.get(name)
    const isAsText = rate !== undefined && rate === rates.get(text)
    return tokens === 0 || isAsText ? [] : [[name, tokens]]
  })
}

function sumOf(all: readonly Tokens[]): number {
  return all.reduce((sum, [, tokens]) => sum + tokens, 0)
}
