import type { Usage } from '../contract/outcome.ts'
import type { Price, Rates, RatesInForce, TokenClass, UnitsSetting } from '../contract/prices.ts'
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
  const inForce = ratesInForce(price, at)
  if (inForce.isFree) return 0
  if (usage === undefined || usage.isPartial) return 'no_usage'
  const sum = new CostSum()
  const unknown =
    addUnits(sum, usage, inForce) ??
    (isByUnit(usage, inForce) ? undefined : addTokens(sum, usage, inForce))
  return unknown ?? sum.nanoDollars
}

/** The rates of a price at a time, in milliseconds since the epoch. */
export function ratesInForce(price: Price, at = Date.now()): RatesInForce {
  return price.later?.find(({ from }) => from <= at) ?? price
}

/** Whether no tokens are paid for: a video has none, and a price without rates is one of units alone. */
function isByUnit(usage: Usage, price: RatesInForce) {
  const { images = 0, searches = 0, videoSeconds = 0 } = usage
  const ofSound =
    paid(usage.audioSeconds, 'audioSecond', price) + paid(usage.characters, 'character', price)
  return videoSeconds + ofSound > 0 || (price.rates.size === 0 && images + searches > 0)
}

/** The units that are paid for. Models with rates cost by their tokens, unless they have a price of the unit. */
function paid(count = 0, unit: keyof UnitsSetting, { rates, units }: RatesInForce): number {
  return rates.size > 0 && !units.has(unit) ? 0 : count
}

function addTokens(sum: CostSum, usage: Usage, inForce: RatesInForce): UnknownCost | undefined {
  const { inputTokens, outputTokens, tier } = usage
  if (inputTokens === undefined || outputTokens === undefined) return 'no_usage'
  if (!isConsistent(usage, inputTokens, outputTokens)) return 'invalid_usage'
  const factor = tier === undefined ? unchanged : inForce.tiers.get(tier)
  if (factor === undefined) return 'no_tier'
  const { longestPrompt: prompt = inputTokens } = usage
  const rates = inForce.over.find((one) => prompt > one.inputTokens)?.rates ?? inForce.rates
  const { cachedTokens = 0, cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage
  const plain = inputTokens - cachedTokens - cacheWriteTokens
  const audio = ofOtherRate(rates, 'inputAudio', 'input', usage.audioInputTokens)
  const image = ofOtherRate(rates, 'inputImage', 'input', usage.imageInputTokens)
  // A reply does not say which of its audio and images came from a cache.
  if (audio + image > 0 && plain < inputTokens) return 'no_rate'
  const audioReply = ofOtherRate(rates, 'outputAudio', 'output', usage.audioOutputTokens)
  const imageReply = ofOtherRate(rates, 'outputImage', 'output', usage.imageOutputTokens)
  const add = (name: TokenClass, tokens: number) =>
    tokens === 0 ||
    sum.add(tokens, rates.get(name), typeof factor === 'bigint' ? factor : factor.get(name))
  const isKnown =
    add('input', plain - audio - image) &&
    add('cacheRead', cachedTokens) &&
    add('cacheWrite', cacheWriteTokens - cacheWrite1hTokens) &&
    add('cacheWrite1h', cacheWrite1hTokens) &&
    add('inputAudio', audio) &&
    add('inputImage', image) &&
    add('output', outputTokens - audioReply - imageReply) &&
    add('outputAudio', audioReply) &&
    add('outputImage', imageReply)
  return isKnown ? undefined : 'no_rate'
}

function addUnits(sum: CostSum, usage: Usage, inForce: RatesInForce): UnknownCost | undefined {
  const { searches = 0, images = 0, videoSeconds = 0 } = usage
  const audioSeconds = paid(usage.audioSeconds, 'audioSecond', inForce)
  const characters = paid(usage.characters, 'character', inForce)
  if (searches + images + videoSeconds + audioSeconds + characters === 0) return undefined
  if (![searches, images, videoSeconds, audioSeconds, characters].every(isWhole))
    return 'invalid_usage'
  for (const [unit, count, kinds] of [
    ['search', searches, []],
    ['image', paid(images, 'image', inForce), kindsOfImage(usage)],
    ['second', videoSeconds, kindsOfVideo(usage)],
    ['audioSecond', audioSeconds, []],
    ['character', characters, []],
  ] as const) {
    if (count === 0) continue
    const price = inForce.units.get(unit)
    const each = typeof price === 'object' ? firstOf(price, kinds) : price
    if (!sum.add(count, each, unchanged)) return 'no_rate'
  }
  return undefined
}

/**
 * A sum of pico-dollars, rounded once. A part that a number holds exactly is added as a number: big integers cost a call
 * of a limited key 13 us.
 */
class CostSum {
  #pico = 0
  /** Millionths of pico-dollars: costs with the factor of a tier, and costs too large for a number. */
  #millionths = 0n

  /** Adds so many tokens or units at a price and with a factor in millionths; false: one of them is unknown. */
  add(count: number, each: bigint | undefined, times: bigint | undefined): boolean {
    if (each === undefined || times === undefined) return false
    const pico = count * Number(each)
    if (times === unchanged && pico + this.#pico <= mostExact) this.#pico += pico
    else this.#millionths += BigInt(count) * each * times
    return true
  }

  get nanoDollars(): number {
    if (this.#millionths > 0n) {
      const all = BigInt(this.#pico) * unchanged + this.#millionths
      return Number((all + half) / (unchanged * 1_000n))
    }
    const rounded = this.#pico + 500
    return (rounded - (rounded % 1_000)) / 1_000
  }
}

/** With room for the rounding. */
const mostExact = Number.MAX_SAFE_INTEGER - 500

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

/** The tokens of audio or images, where they have another rate than tokens of text. */
function ofOtherRate(rates: Rates, name: TokenClass, text: TokenClass, tokens = 0): number {
  if (tokens === 0) return 0
  const rate = rates.get(name)
  return rate !== undefined && rate === rates.get(text) ? 0 : tokens
}
