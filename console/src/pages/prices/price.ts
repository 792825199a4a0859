import { priceOf } from '../../format/money.ts'
import type { PricesQuery } from './operations.generated.ts'
import { type RateName, type Rates, rateNames } from './rates.ts'

/** A price, or a model without one. */
export type PriceRow = PricesQuery['prices']['edges'][number]['node']

/** Rates of an answer as an input takes them: without unknown ones. */
export function ratesInput(rates: Rates): Record<string, number | string> {
  return Object.fromEntries(
    (Object.keys(rateNames) as RateName[]).flatMap((name) => {
      const rate = rates[name]
      return rate === null || rate === undefined ? [] : [[name, rate]]
    }),
  )
}

/** Where a price comes from, in words. */
export function originText({ origin, checkedAt }: PriceRow): string {
  if (origin === 'STORE') return 'set here'
  if (origin === 'FILE') return 'the configuration file'
  if (origin === 'PUBLISHED')
    return checkedAt ? `published, checked ${checkedAt.slice(0, 10)}` : 'published'
  return 'no price'
}

/** The units beside tokens that a price may have, such as images. */
export const unitNames: Readonly<Record<PriceRow['units'][number]['unit'], string>> = {
  IMAGE: 'An image',
  SECOND: 'A second of video',
  AUDIO_SECOND: 'A second of audio',
  CHARACTER: 'A character of speech',
}

/** The prices by the piece, in words: `from $0.10 a second of video`. */
export function unitsText({ units }: PriceRow): string {
  const texts = [...Map.groupBy(units, ({ unit }) => unit)].map(([unit, some]) => {
    const amounts = some.map(({ amount }) => Number(amount))
    const least = Math.min(...amounts)
    const from = amounts.some((one) => one > least) ? 'from ' : ''
    return `${from}${priceOf(least)} ${unitNames[unit].replace('A', 'a')}`
  })
  return texts.join(', ')
}
