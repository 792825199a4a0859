import type { DatedRates, RatesSetting } from '../contract/prices.ts'

/** Rates of a price that are probably mistaken: one line each, beginning with the path. */
export function rateWarnings(path: string, { rates, over = [] }: DatedRates): string[] {
  const all = [
    ...(rates ? [[`${path}.rates`, rates] as const] : []),
    ...over.map((one, index) => [`${path}.over[${index}].rates`, one.rates] as const),
  ] as const
  return all.flatMap(([place, one]) => [
    ...missingRates(one).map(
      (name) => `${place}: lacks \`${name}\`, so the cost of nearly every call is unknown`,
    ),
    ...(isDear(one) ? [`${place}.cacheRead: is dearer than input`] : []),
    ...ratesOfOneToken(one).map(
      (name) => `${place}.${name}: is little for a million tokens, the unit of rates`,
    ),
  ])
}

/** The rates of models are far above: less is probably the rate of one token. */
const leastRate = 0.001

function ratesOfOneToken(rates: RatesSetting): string[] {
  return Object.entries(rates).flatMap(([name, rate]) =>
    Number(rate) > 0 && Number(rate) < leastRate ? [name] : [],
  )
}

/** Nearly all prompts and replies have text. A reply may be an image alone. */
function missingRates({ input, output, outputImage }: RatesSetting): string[] {
  return [
    ...(input === undefined ? ['input'] : []),
    ...((output ?? outputImage) === undefined ? ['output'] : []),
  ]
}

/** A cache that costs more than no cache is probably a typing error. */
function isDear({ cacheRead, input }: RatesSetting): boolean {
  return cacheRead !== undefined && input !== undefined && Number(cacheRead) > Number(input)
}
