import { priceOf } from '../../format/money.ts'
import type { Model, ModelPrice } from './model.ts'

/** The price of a model at an account: `$1.25, $10.00` for a million tokens in and out; undefined: the account has no price. */
export function priceText(price: ModelPrice): string | undefined {
  if (!price) return undefined
  if (price.isFree) return 'free'
  const { input, output } = price.rates
  if (input === null || input === undefined || output === null || output === undefined)
    return 'by other units'
  return `${priceOf(input)}, ${priceOf(output)}`
}

/** The prices of a model at its accounts, each once, and the number of accounts without a price. */
export function pricesOf({ kind, accounts }: Model): {
  readonly texts: readonly string[]
  readonly unpriced: number
} {
  if (kind === 'PATTERN') return { texts: [], unpriced: 0 }
  const prices = accounts.edges
    .filter(({ node }) => node.enabled)
    .map(({ node }) => priceText(node.price))
  const known = prices.filter((text) => text !== undefined)
  return { texts: [...new Set(known)], unpriced: prices.length - known.length }
}
