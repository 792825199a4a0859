import type { Routed } from '../contract/exchange.ts'
import type { Usage } from '../contract/outcome.ts'
import type { SpecialTokens } from '../generate/result.ts'
import type { ByteEdit } from '../lib/json/edit.ts'
import { type JsonObject, isObject } from '../lib/json/object.ts'
import { numberAt, stringAt, tokensAt } from '../lib/json/read.ts'
import { type ByteRange, findMember } from '../lib/json/scan.ts'
import { isPresent } from './checks.ts'

/** The numbers that an account has reported so far; `undefined` if it has reported no number. */
export function reportedUsage(usage: PartialUsage | undefined): Usage | undefined {
  const known = usage && knownUsage(usage)
  return known && Object.values(known).some(isNumber) ? known : undefined
}

/** Removes the members that are `undefined`. */
export function knownUsage(usage: PartialUsage): Usage {
  const known: { -readonly [K in keyof Usage]: Usage[K] } = {}
  if (usage.inputTokens !== undefined) known.inputTokens = usage.inputTokens
  if (usage.outputTokens !== undefined) known.outputTokens = usage.outputTokens
  if (usage.cachedTokens !== undefined) known.cachedTokens = usage.cachedTokens
  if (usage.cacheWriteTokens !== undefined) known.cacheWriteTokens = usage.cacheWriteTokens
  if (usage.reasoningTokens !== undefined) known.reasoningTokens = usage.reasoningTokens
  const special = specialTokens(usage)
  return special ? { ...known, ...special } : known
}

/** The tokens of a `usage` in the words of OpenAI's APIs. Absent: it has no such number. */
export function plainTokens(usage: unknown): Pick<Usage, 'inputTokens' | 'outputTokens'> {
  const inputTokens = tokensAt(usage, 'input_tokens') ?? tokensAt(usage, 'prompt_tokens')
  const outputTokens = tokensAt(usage, 'output_tokens') ?? tokensAt(usage, 'completion_tokens')
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  }
}

type PartialUsage = { [K in keyof Usage]: Usage[K] | undefined }

/** No call has more. An account may report anything, and one endless number would spoil a sum for ever. */
export const mostTokens = 1e8

/** Whether a reported number can be one of the tokens of a call. */
export function isAmount(tokens: number | undefined): tokens is number {
  return tokens !== undefined && tokens >= 0 && tokens <= mostTokens
}

/** In US dollars. */
const greatestCost = 10_000

/**
 * What a call costs by a usage object, in nano-dollars: OpenRouter writes a number, beside which the owner of a key at
 * another provider pays that provider, and Perplexity a sum of its parts.
 */
export function reportedCost(usage: object | undefined): number | undefined {
  const { cost, is_byok: isOwnKey, cost_details: details } = (usage ?? {}) as JsonObject
  const own = typeof cost === 'number' ? cost : numberAt(cost, 'total_cost')
  if (own === undefined) return undefined
  const elsewhere = isOwnKey === true ? numberAt(details, 'upstream_inference_cost') : 0
  const dollars = own + (elsewhere ?? Number.NaN)
  return dollars >= 0 && dollars <= greatestCost ? Math.round(dollars * 1e9) : undefined
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

const names = [
  'cacheWrite1hTokens',
  'audioInputTokens',
  'imageInputTokens',
  'audioOutputTokens',
  'imageOutputTokens',
  'searches',
  'images',
  'imageSize',
  'imageQuality',
  'videoSeconds',
  'videoSize',
  'audioSeconds',
  'characters',
  'longestPrompt',
  'tier',
  'costNano',
  'isPartial',
] as const satisfies readonly (keyof SpecialTokens)[]

/** The facts that are known; `undefined` if none is, as in most replies. */
export function specialTokens(all: { [K in keyof SpecialTokens]: SpecialTokens[K] | undefined }):
  | SpecialTokens
  | undefined {
  let known: Record<string, unknown> | undefined
  for (const name of names) if (all[name] !== undefined) (known ??= {})[name] = all[name]
  return known
}

/** Words of providers for the tier of ordinary calls, and for none in particular. */
const standardTiers: ReadonlySet<string> = new Set([
  '',
  'auto',
  'default',
  'on_demand',
  'standard',
  'standard_only',
  'traffic_type_unspecified',
  'unspecified',
])

/** In prices, a tier has such a name. */
const tierName = /^[a-z0-9][a-z0-9_.+-]*$/

/** In characters. An account may send any number of them. */
const longestTier = 64

/** The tier of the requests of batches, which providers serve at another price. */
export const batchTier = 'batch'

/** Stands for a tier whose word is no name. */
export const otherTier = '_other'

/** The word for a tier in a member of a reply. A stream keeps it, so it is short. */
export function tierWordAt(reply: unknown, member: string): string | undefined {
  const word = stringAt(reply, member)
  return word !== undefined && word.length > longestTier ? otherTier : word
}

/**
 * The tier that a reply names by this word, in lower case; `undefined` for the standard one. A word that cannot be
 * the name of a tier is `otherTier`, which no price has.
 */
export function servedTier(word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  if (word.length > longestTier) return otherTier
  const tier = word.toLowerCase()
  if (standardTiers.has(tier)) return undefined
  return tierName.test(tier) ? tier : otherTier
}

const anyRegion: ReadonlySet<string> = new Set(['global', 'not_available'])

/** Several words that change the price of a call are one name in this order: `priority+us`. */
export function tierOfWords(words: readonly (string | undefined)[]): string | undefined {
  const names = words.flatMap((word) =>
    word === undefined || anyRegion.has(word.toLowerCase()) ? [] : (servedTier(word) ?? []),
  )
  return names.length === 0 ? undefined : names.join('+')
}

const noEdits: readonly ByteEdit[] = []

const options = 'stream_options'
const wish = '"include_usage":true'
const closeBrace = 0x7d

/**
 * Whether the gateway asks the account for the usage of a stream, for the meter alone: its client has
 * not asked for it. The account sends it in a chunk of its own (docs/wire/openai.md), which the client
 * does not get.
 */
export function asksForUsage({ call, body, candidate }: Routed): boolean {
  if (!call.stream || !candidate.account.asksForUsage) return false
  if (!body.members.has(options)) return true
  const given = body.json[options]
  return !isObject(given) || given.include_usage !== true
}

/** The edit of a native request that asks the account for the usage of the stream. */
export function usageEdits(exchange: Routed): readonly ByteEdit[] {
  if (!asksForUsage(exchange)) return noEdits
  const { bytes, members, json } = exchange.body
  const given = members.get(options)
  if (!given) {
    const end = bytes.lastIndexOf(closeBrace)
    return [{ start: end, end, text: `,"${options}":{${wish}}` }]
  }
  if (!isPresent(json, options)) return [{ ...given, text: `{${wish}}` }]
  return [withWish(bytes, given, json[options] as object)]
}

function withWish(bytes: Buffer, given: ByteRange, value: object): ByteEdit {
  const refused = findMember(bytes, given.start, 'include_usage')
  if (refused) return { ...refused, text: 'true' }
  const end = given.end - 1
  return { start: end, end, text: Object.keys(value).length === 0 ? wish : `,${wish}` }
}
