import { z } from 'zod'

import type { TokenClass } from '../contract/prices.ts'
import type { Problem } from '../contract/problems.ts'
import { otherTier, servedTier } from '../kit/usage.ts'
import { parseDecimal } from '../lib/decimal.ts'
import { isObject } from '../lib/json/object.ts'
import { joinPath } from '../lib/paths.ts'
import { expects, optional, required } from './schema-nodes.ts'

/** In USD for a million tokens. Dearer ones are probably rates for a thousand tokens or for one. */
const highestRate = 1_000

/** A decimal number, or its text, from 0, with at most six decimals: as many as the gateway counts with. */
function decimal(highest: number, expected: string, example: string) {
  const isWithin = (value: string | number) => {
    const parsed = parseDecimal(value, 6)
    return parsed !== undefined && parsed <= BigInt(highest) * 1_000_000n
  }
  const pattern = String.raw`^[0-9]+(\.[0-9]+)?$`
  return z
    .union([
      z.string().refine(isWithin).meta({ pattern }),
      z.number().min(0).max(highest).refine(isWithin),
    ])
    .meta(expects(expected, example))
}

const rate = decimal(
  highestRate,
  `USD for a million tokens, from 0 to ${highestRate} with at most 6 decimals`,
  '2.50',
)

const factor = decimal(100, 'a factor from 0 to 100 with at most 6 decimals', '0.5')

const rateOf = (tokens: string) => optional(rate, `Rate of ${tokens}.`, 'none')

const classes = {
  input: rateOf('the tokens of the prompt that are in no other class'),
  output: rateOf('the tokens of the reply that are in no other class, reasoning included'),
  cacheRead: rateOf('tokens that a cache has served'),
  cacheWrite: rateOf('tokens written to a cache'),
  cacheWrite1h: rateOf('tokens written to a cache that keeps them for an hour'),
  inputAudio: rateOf('the audio of the prompt'),
  inputImage: rateOf('the images of the prompt'),
  outputAudio: rateOf('the audio of the reply'),
  outputImage: rateOf('the images of the reply'),
}

const ratesSchema = z
  .strictObject(classes)
  .refine((rates) => Object.values(rates).some((one) => one !== undefined), {
    // A mistyped rate is a problem of its own.
    when: ({ issues }) => issues.length === 0,
  })
  .meta({
    ...expects('an object with at least one rate', { input: '2.50', output: '10' }),
    minProperties: 1,
  })

const overSchema = z
  .array(
    z.strictObject({
      inputTokens: required(
        z.int().positive().meta(expects('a whole number of tokens above 0', 200_000)),
        'The rates apply to calls whose whole prompt has more tokens, for all of their tokens.',
      ),
      rates: required(
        ratesSchema,
        'All rates of these calls. A class without a rate here has none, also if `rates` names one.',
      ),
    }),
  )
  .meta(
    expects('a list of rates, each for another number of tokens', [
      { inputTokens: 200_000, rates: { input: '5', output: '15' } },
    ]),
  )

const factorsSchema = z
  .partialRecord(z.enum(Object.keys(classes) as [TokenClass, ...TokenClass[]]), factor)
  .meta(expects('a map from classes of tokens to factors', { input: '0.5', output: '0.5' }))

const tiersSchema = z
  .record(
    z.string(),
    z
      .union([factor, factorsSchema])
      .meta(
        expects(
          'a factor from 0 to 100 with at most 6 decimals, or a map from classes of tokens to factors',
          '0.5',
        ),
      ),
  )
  .meta(expects('a map from service tiers besides the standard one to factors', { flex: '0.5' }))

const dollars = decimal(
  highestRate,
  `USD, from 0 to ${highestRate} with at most 6 decimals`,
  '0.01',
)

/** One price, or one for each kind. */
const priceOfUnit = (kinds: string, example: object) =>
  z
    .union([dollars, z.record(z.string().meta({ minLength: 1 }), dollars)])
    .meta(
      expects(
        `USD, from 0 to ${highestRate} with at most 6 decimals, or a map from ${kinds} to USD`,
        example,
      ),
    )

const unitsSchema = z
  .strictObject({
    search: optional(
      dollars,
      'Price of a web search that the account makes, or of a search unit of a rerank.',
      'none',
    ),
    image: optional(
      priceOfUnit('kinds of images', { '1024x1024': '0.04', 'hd/1024x1024': '0.08' }),
      'Price of an image of an image model: one for all, or a map by size, by quality or by both, as `hd/1024x1024`. Without it, images cost as much as their tokens.',
      'none',
    ),
    second: optional(
      priceOfUnit('sizes or resolutions of videos', { '720p': '0.10', '1024x1792': '0.50' }),
      'Price of a second of video: one for all, or a map by size or by resolution.',
      'none',
    ),
    audioSecond: optional(
      dollars,
      'Price of a second of audio that is transcribed or translated, where the account reports seconds in place of tokens.',
      'none',
    ),
    character: optional(
      dollars,
      'Price of a character of a text that is spoken, where the account reports no tokens.',
      'none',
    ),
  })
  .meta(expects('an object with prices of units', { search: '0.01' }))

const ratesInForce = {
  rates: optional(
    ratesSchema,
    'Rates for a million tokens, in USD. Absent: only the units have a price.',
    'none',
  ),
  over: optional(overSchema, 'Other rates of long prompts.', 'none'),
  units: optional(
    unitsSchema,
    'Prices of work beside the tokens or in their place, in USD each. No tier changes them.',
    'none',
  ),
  tiers: optional(
    tiersSchema,
    'Factors of the rates for service tiers besides the standard one, by the words of the account in any case: one for all classes of tokens, or a map with one for each class.',
    'none',
  ),
}

/** A model costs by its tokens, by its units, or by both. */
function costsSomething(price: { readonly rates?: unknown; readonly units?: unknown }): boolean {
  return (price.rates ?? price.units) !== undefined
}

/** What lacks both lacks its rates, also beside other problems. */
const ofRates = {
  path: ['rates'],
  when: ({ value }: { readonly value: unknown }) => isObject(value),
}

const laterSchema = z
  .array(
    z
      .strictObject({
        from: required(
          z.iso.date().meta(expects('a day as YYYY-MM-DD', '2027-01-31')),
          'The first day of the change, in UTC.',
        ),
        ...ratesInForce,
      })
      .refine(costsSomething, ofRates),
  )
  .meta(
    expects('a list of prices, each with its first day', [
      { from: '2027-01-31', rates: { input: '2', output: '8' } },
    ]),
  )

/** A price without the changes that are known in advance. */
export const priceSchema = z
  .strictObject(ratesInForce)
  .meta(expects('an object with `rates`', { rates: { input: '2.50', output: '10' } }))

const datedPriceSchema = z
  .strictObject({
    ...ratesInForce,
    later: optional(laterSchema, 'Changes of the price that are known in advance.', 'none'),
  })
  .refine(costsSomething, ofRates)
  .meta(expects('an object with `rates` or `units`', { rates: { input: '2.50', output: '10' } }))

/** Prices by the names that accounts have for their models. */
export const pricesSchema = z.record(z.string().meta({ minLength: 1 }), datedPriceSchema).meta(
  expects("a map from accounts' own names of models to prices", {
    'gpt-4.1': { rates: { input: '2', output: '8', cacheRead: '0.50' } },
  }),
)

/** The prices of an account. */
export const accountPricesSchema = z.union([z.literal('free'), pricesSchema]).meta(
  expects("'free', or a map from the account's own names of models to prices", {
    'gpt-4.1': { rates: { input: '2', output: '8' } },
  }),
)

/** Reports entries of prices that no call can have, or that others contradict. */
export function priceProblems(path: string, prices: unknown): Problem[] {
  return Object.entries(membersOf(prices)).flatMap(([name, price]) => {
    if (name === '') return [namelessModel(path)]
    const { later } = membersOf(price)
    const changes = Array.isArray(later) ? (later as unknown[]) : []
    return [
      ...inForceProblems(joinPath(path, [name]), price),
      ...changes.flatMap((one, index) =>
        inForceProblems(`${joinPath(path, [name, 'later'])}[${index}]`, one),
      ),
    ]
  })
}

/** Reports such entries of a price, without its changes. */
export function inForceProblems(path: string, price: unknown): Problem[] {
  const { tiers, over } = membersOf(price)
  return [
    ...tierProblems(`${path}.tiers`, Object.keys(membersOf(tiers))),
    ...repeatedLengths(`${path}.over`, over),
  ]
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

function namelessModel(path: string): Problem {
  return {
    path: `${path}.""`,
    message: 'is a price of a model without a name',
    fix: 'use the name that the account has for the model',
  }
}

/** Replies name tiers in any case, and the standard one has no factor. */
function tierProblems(path: string, names: readonly string[]): Problem[] {
  const firsts = new Map<string, string>()
  return names.flatMap((name) => {
    const problem = (message: string, fix: string): Problem[] => [
      { path: name === '' ? `${path}.""` : joinPath(path, [name]), message, fix },
    ]
    const tier = name === '' ? otherTier : servedTier(name)
    if (tier === undefined)
      return problem('means the standard tier, whose factor is 1', 'leave it out')
    if (tier === otherTier)
      return problem(
        'is no name of a tier: 1 to 64 letters, digits and _.+-, beginning with a letter or digit',
        'use the word of the replies, for example flex',
      )
    const first = firsts.get(tier)
    firsts.set(tier, first ?? name)
    return first === undefined
      ? []
      : problem(`is the same tier as "${first}": case does not matter`, 'keep one of them')
  })
}

function repeatedLengths(path: string, over: unknown): Problem[] {
  if (!Array.isArray(over)) return []
  const lengths = over.map((one) => membersOf(one)['inputTokens'])
  return lengths.flatMap((length, index) => {
    const first = lengths.indexOf(length)
    if (typeof length !== 'number' || first === index) return []
    return [
      {
        path: `${path}[${index}].inputTokens`,
        message: `${length} is also the number of ${path}[${first}]`,
        fix: 'give each its own number of tokens',
      },
    ]
  })
}
