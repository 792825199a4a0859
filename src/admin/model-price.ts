import { publishedAt, publishedPrice } from '../accounts/prices.ts'
import type { Account } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { TokenClass } from '../contract/prices.ts'
import { formatUsd } from '../lib/usd.ts'

/** What tokens of an account's model cost now. */
export interface ModelPrice {
  readonly isFree: boolean
  /** USD for a million tokens, as decimal texts. Empty: only units have a price, or tokens are free. */
  readonly rates: Partial<Record<TokenClass, string>>
  /** When a published price was checked, in milliseconds since 1970. */
  readonly checkedAt?: number
}

/** A pico-dollar for a token is so many nano-dollars for a million. */
const nanoPerMillion = 1_000n

/** The price of a model by the account's own name for it; `undefined`: it has none. */
export function modelPriceOf(
  { priceOf }: Pick<Snapshot, 'priceOf'>,
  account: Account,
  model: string,
): ModelPrice | undefined {
  const price = priceOf?.(account, model)
  if (price === undefined) return undefined
  const inForce =
    price === 'free' ? undefined : (price.later?.find(({ from }) => from <= Date.now()) ?? price)
  if (inForce === undefined || inForce.isFree) return { isFree: true, rates: {} }
  const rates = Object.fromEntries(
    [...inForce.rates].map(([name, rate]) => [name, formatUsd(rate * nanoPerMillion)]),
  )
  const isPublished = price === publishedPrice(account.provider, model)
  return { isFree: false, rates, ...(isPublished && { checkedAt: publishedAt }) }
}
