import { publishedAt, publishedPrice } from '../accounts/prices.ts'
import type { Account } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { TokenClass } from '../contract/prices.ts'

/** What tokens of an account's model cost now. */
export interface ModelPrice {
  readonly isFree: boolean
  /** USD for a million tokens, as decimal texts. Empty: only units have a price, or tokens are free. */
  readonly rates: Partial<Record<TokenClass, string>>
  /** When a published price was checked, in milliseconds since 1970. */
  readonly checkedAt?: number
}

/** The price of a model by the account's own name for it; `undefined`: it has none. */
export function modelPriceOf(
  { priceOf }: Pick<Snapshot, 'priceOf'>,
  account: Account,
  model: string,
): ModelPrice | undefined {
  const price = priceOf?.(account, model)
  if (price === undefined) return undefined
  if (price === 'free') return { isFree: true, rates: {} }
  const inForce = price.later?.find(({ from }) => from <= Date.now()) ?? price
  const rates = Object.fromEntries(
    [...inForce.rates].map(([name, rate]) => [name, perMillion(rate)]),
  )
  const isPublished = price === publishedPrice(account.provider, model)
  return { isFree: false, rates, ...(isPublished && { checkedAt: publishedAt }) }
}

/** USD for a million tokens, of pico-dollars for one. */
function perMillion(pico: bigint): string {
  const fraction = String(pico % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '')
  const whole = String(pico / 1_000_000n)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
