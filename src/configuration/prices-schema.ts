import { z } from 'zod'

import { parseDecimal } from '../lib/decimal.ts'
import { described, expects } from './schema-nodes.ts'

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

const rateOf = (tokens: string) =>
  described(rate, `Rate of ${tokens}.`, { defaultText: 'none' }).optional()

const ratesSchema = z
  .strictObject({
    input: rateOf('the tokens of the prompt that are in no other class'),
    output: rateOf('the tokens of the reply that are in no other class, reasoning included'),
    cacheRead: rateOf('tokens that a cache has served'),
    cacheWrite: rateOf('tokens written to a cache'),
    cacheWrite1h: rateOf('tokens written to a cache that keeps them for an hour'),
    inputAudio: rateOf('the audio of the prompt'),
    inputImage: rateOf('the images of the prompt'),
    outputAudio: rateOf('the audio of the reply'),
    outputImage: rateOf('the images of the reply'),
  })
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
      inputTokens: described(
        z.int().positive().meta(expects('a whole number of tokens above 0', 200_000)),
        'The rates are those of calls whose whole prompt has more tokens, for all of their tokens.',
      ),
      rates: described(
        ratesSchema,
        'All rates of these calls: a class that is not here has none, whatever `rates` say.',
      ),
    }),
  )
  .meta(
    expects('a list of rates, each for another number of tokens', [
      { inputTokens: 200_000, rates: { input: '5', output: '15' } },
    ]),
  )

const tiersSchema = z
  .record(z.string(), factor)
  .meta(expects('a map from service tiers besides the standard one to factors', { flex: '0.5' }))

const priceSchema = z
  .strictObject({
    rates: described(ratesSchema, 'Rates for a million tokens, in USD.'),
    over: described(overSchema, 'Other rates of long prompts.', { defaultText: 'none' }).optional(),
    tiers: described(
      tiersSchema,
      'Factors of the rates for service tiers besides the standard one, by the words of the account in any case.',
      { defaultText: 'none' },
    ).optional(),
  })
  .meta(expects('an object with `rates`', { rates: { input: '2.50', output: '10' } }))

/** Prices by the names that accounts have for their models. */
export const pricesSchema = z.record(z.string().meta({ minLength: 1 }), priceSchema).meta(
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
