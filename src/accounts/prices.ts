import type { Account, AccountSetting } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type {
  AccountPrices,
  Price,
  PriceSetting,
  PriceSettings,
  Rates,
  RatesInForce,
  RatesSetting,
  TokenClass,
  UnitsSetting,
} from '../contract/prices.ts'
import { withoutVersion } from '../kit/model-version.ts'
import { parseDecimal } from '../lib/decimal.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { RecentMap } from '../lib/recent-map.ts'
import table from './prices.generated.json' with { type: 'json' }

/** Compiles prices whose settings have been checked, once for the same object. */
export const compilePrices = computedOnce(
  (settings: PriceSettings): ReadonlyMap<string, Price> =>
    new Map(Object.entries(settings).map(([name, one]) => [name, compilePrice(one)])),
)

/** Finds the price of an account's model by its own name for it; `undefined`: the model has no price. */
type PriceOf = NonNullable<Snapshot['priceOf']>

/**
 * Prices for the models of accounts: an account's own prices go before the shared ones, and both before the published
 * ones of its provider. They are no part of a compiled account, so that a change of them leaves all that is known of it.
 */
export function createPriceOf(
  settings: PriceSettings | undefined,
  accounts: readonly Pick<AccountSetting, 'id' | 'prices'>[],
): PriceOf {
  const shared = compilePrices(settings ?? none)
  const own = new Map<string, AccountPrices>()
  for (const { id, prices } of accounts) {
    if (prices) own.set(id, prices === 'free' ? prices : compilePrices(prices))
  }
  function find({ id, provider }: Pick<Account, 'id' | 'provider'>, model: string) {
    const prices = own.get(id)
    if (prices === 'free') return prices
    return (
      (prices && priceIn(prices, model)) ??
      priceIn(shared, model) ??
      publishedPrice(provider, model)
    )
  }
  // Every call asks for the price of its model.
  const foundOf = computedOnce(
    (_account: Pick<Account, 'id' | 'provider'>) => new RecentMap<FoundPrice>(remembered),
  )
  return (account, model) => {
    const found = foundOf(account)
    let known = found.get(model)
    if (!known) found.set(model, (known = { price: find(account, model) }))
    return known.price
  }
}

/** The price of one model of an account, which may have none. */
interface FoundPrice {
  readonly price: ReturnType<PriceOf>
}

/** Clients choose the names of models where an account has a pattern. */
const remembered = 1_000

const none: PriceSettings = {}

const published: Readonly<Record<string, PriceSettings>> = table.providers

/** Whether the table of published prices has a provider. */
export function hasPublishedPrices(provider: string): boolean {
  return Object.hasOwn(published, provider)
}

/** A provider's own names of the models that the table of published prices has; none for an unknown provider. */
export function publishedModels(provider: string): readonly string[] {
  return hasPublishedPrices(provider) ? Object.keys(published[provider]!) : []
}

const compilePublished = computedOnce(compilePrice)

/** The price that a provider has published for a model by its own name; `undefined`: the table lacks the model. */
function publishedPrice(provider: string, model: string): Price | undefined {
  if (!hasPublishedPrices(provider)) return undefined
  const prices = published[provider]!
  const name = [model, withoutVersion(model)].find((one) => Object.hasOwn(prices, one))
  return name === undefined ? undefined : compilePublished(prices[name]!)
}

/** A price applies to its model, with a date or without, never to a longer name with the same beginning. */
function priceIn(prices: Exclude<AccountPrices, 'free'>, model: string): Price | undefined {
  return prices.get(model) ?? prices.get(withoutVersion(model))
}

function compilePrice({ later, ...current }: PriceSetting): Price {
  const changes = later?.map(({ from, ...one }) => ({
    ...compileRatesOf(one),
    from: Date.parse(from),
  }))
  return {
    ...compileRatesOf(current),
    ...(changes && { later: changes.sort((one, other) => other.from - one.from) }),
  }
}

function compileRatesOf({
  rates,
  over = [],
  units = {},
  tiers = {},
}: Omit<PriceSetting, 'later'>): RatesInForce {
  return {
    rates: compileRates(rates),
    over: over
      .map((one) => ({ inputTokens: one.inputTokens, rates: compileRates(one.rates) }))
      .sort((one, other) => other.inputTokens - one.inputTokens),
    units: compileUnits(units),
    tiers: new Map(
      Object.entries(tiers).map(([name, factor]) => [
        name.toLowerCase(),
        typeof factor === 'object' ? compileRates(factor) : (parseDecimal(factor, 6) ?? 0n),
      ]),
    ),
  }
}

/** A dollar for a million tokens is a million pico-dollars for one; a factor has as many decimals. */
function compileRates(rates: RatesSetting): Rates {
  const all = Object.entries(rates) as [TokenClass, RatesSetting[TokenClass]][]
  return new Map(
    all.flatMap(([name, rate]) => {
      const compiled = parseDecimal(rate, 6)
      return compiled === undefined ? [] : [[name, compiled] as const]
    }),
  )
}

/** A dollar is 10^12 pico-dollars. */
function compileUnits(units: UnitsSetting): RatesInForce['units'] {
  const all = Object.entries(units) as [keyof UnitsSetting, UnitsSetting[keyof UnitsSetting]][]
  return new Map(
    all.flatMap(([name, price]) => {
      const compiled = parseDecimal(price, 12)
      return compiled === undefined ? [] : [[name, compiled] as const]
    }),
  )
}
