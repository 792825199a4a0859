import type { Usage } from '../contract/outcome.ts'
import type { Price, RatesInForce, UnitsSetting } from '../contract/prices.ts'
import { costOf, ratesInForce } from '../kit/cost.ts'

/** What a request asks for that has a price of its own. */
export interface Asked {
  /** The service tier, as a reply would name it; `undefined`: the standard one. */
  readonly tier: string | undefined
  /** The share of the prompt's tokens that may be of audio or images. */
  readonly mediaShare: number
  /** Whether the prompt is to be written to a cache, and for how long. */
  readonly cacheWrites: 'none' | 'short' | 'hour'
  /** The least searches of a model that searches. */
  readonly searches: number
  /** Whether the reply may be audio. */
  readonly repliesWithAudio: boolean
  /** Whether the reply may be images. */
  readonly repliesWithImages: boolean
  readonly images: number
  readonly videoSeconds: number
  readonly audioSeconds: number
  readonly characters: number
}

/**
 * The cost of a call by a price, if the reply is of the dearest kind that it may be: the account may refuse the tier,
 * and decides about sizes and qualities. It is the cost that the call is charged for such a reply; `undefined`: every
 * such reply has an unknown one.
 */
export function dearestCost(price: Price, tokens: Usage, asked: Asked): number | undefined {
  // Copies of usages took 28 KB of memory a call.
  if (isTextAlone(asked)) return known(costOf(tokens, price))
  const inForce = ratesInForce(price)
  const { audioSeconds, characters } = asked
  const units = {
    ...unitOf(inForce, 'image', asked),
    ...unitOf(inForce, 'second', asked),
    ...(audioSeconds > 0 && inForce.units.has('audioSecond') && { audioSeconds }),
    ...(characters > 0 && inForce.units.has('character') && { characters }),
  }
  let most: number | undefined
  for (const tier of tiersOf(inForce, asked))
    for (const prompt of promptsOf(tokens, asked))
      for (const reply of repliesOf(tokens, asked))
        for (const search of searchesOf(asked)) {
          const usage = { ...tokens, ...units, ...prompt, ...reply, ...search }
          const cost = known(costOf(tier === undefined ? usage : { ...usage, tier }, price))
          if (cost !== undefined && cost >= (most ?? 0)) most = cost
        }
  return most
}

function known(cost: ReturnType<typeof costOf>): number | undefined {
  return typeof cost === 'number' ? cost : undefined
}

/** Whether a call asks for nothing besides text at the standard tier. */
function isTextAlone(asked: Asked): boolean {
  const { tier, mediaShare, cacheWrites, searches, images, videoSeconds } = asked
  const isText = tier === undefined && mediaShare === 0 && cacheWrites === 'none'
  const hasUnits = searches + images + videoSeconds + asked.audioSeconds + asked.characters > 0
  return isText && !hasUnits && !asked.repliesWithAudio && !asked.repliesWithImages
}

const standard = [undefined]

/** The tiers that a call may be billed by: of a tier that the price lacks, all tiers of the price. */
function tiersOf({ tiers }: RatesInForce, { tier }: Asked): readonly (string | undefined)[] {
  if (tier === undefined) return standard
  return [undefined, ...(tiers.has(tier) ? [tier] : tiers.keys())]
}

const plain: readonly Usage[] = [{}]

function promptsOf(
  { inputTokens = 0 }: Usage,
  { mediaShare, cacheWrites }: Asked,
): readonly Usage[] {
  const media = Math.min(inputTokens, Math.ceil(inputTokens * mediaShare))
  if (media === 0 && cacheWrites === 'none') return plain
  const written = { cacheWriteTokens: inputTokens }
  return [
    {},
    ...(media > 0 ? [{ audioInputTokens: media }, { imageInputTokens: media }] : []),
    ...(cacheWrites === 'none' ? [] : [written]),
    ...(cacheWrites === 'hour' ? [{ ...written, cacheWrite1hTokens: inputTokens }] : []),
  ]
}

function searchesOf({ searches }: Asked): readonly Usage[] {
  return searches === 0 ? plain : [{}, { searches }]
}

function repliesOf({ outputTokens = 0 }: Usage, asked: Asked): readonly Usage[] {
  const { repliesWithAudio, repliesWithImages } = asked
  if (!repliesWithAudio && !repliesWithImages) return plain
  return [
    {},
    ...(repliesWithAudio ? [{ audioOutputTokens: outputTokens }] : []),
    ...(repliesWithImages ? [{ imageOutputTokens: outputTokens }] : []),
  ]
}

/** The images or the seconds of video of a call, as units of the dearest kind. */
function unitOf(
  { units }: RatesInForce,
  unit: keyof UnitsSetting,
  { images, videoSeconds }: Asked,
): Usage {
  const price = units.get(unit)
  const kinds = typeof price === 'object' ? [...price] : []
  const [kind] = kinds.toSorted(([, one], [, other]) => (one < other ? 1 : -1))[0] ?? []
  if (unit === 'image')
    return images === 0 ? {} : { images, ...(kind !== undefined && { imageSize: kind }) }
  return videoSeconds === 0 ? {} : { videoSeconds, ...(kind !== undefined && { videoSize: kind }) }
}
