import { hash } from 'node:crypto'

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
  StoredPrice,
  TokenClass,
  UnitsSetting,
} from '../contract/prices.ts'
import { withoutVersion } from '../kit/model-version.ts'
import { parseDecimal } from '../lib/decimal.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { isObject } from '../lib/json/object.ts'
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
 * ones of its provider. A stored price goes before those of the configuration for the same accounts. Prices are no part of
 * a compiled account, so that a change of them leaves all that is known of it.
 */
export function createPriceOf(
  settings: PriceSettings | undefined,
  accounts: readonly Pick<AccountSetting, 'id' | 'prices'>[],
  stored: readonly StoredPrice[] = [],
): PriceOf {
  const set = compileStored(stored)
  const shared = compilePrices(settings ?? none)
  const own = new Map<string, AccountPrices>()
  for (const { id, prices } of accounts) {
    if (prices) own.set(id, prices === 'free' ? prices : compilePrices(prices))
  }
  function find({ id, provider }: Pick<Account, 'id' | 'provider'>, model: string) {
    const prices = own.get(id)
    const changes = set.size > 0 ? (set.get(model) ?? set.get(withoutVersion(model))) : undefined
    const ofAccount = changes?.get(`account ${id}`)
    if (prices === 'free') return changed(prices, ofAccount)
    const price = prices && priceIn(prices, model)
    if (price || !changes) {
      return changed(price ?? priceIn(shared, model) ?? publishedPrice(provider, model), ofAccount)
    }
    const common = changed(
      priceIn(shared, model) ?? publishedPrice(provider, model),
      changes.get(''),
    )
    return changed(changed(common, changes.get(`provider ${provider}`)), ofAccount)
  }
  // Every call asks for the price of its model.
  const foundOf = computedOnce(
    (_account: Pick<Account, 'id' | 'provider'>) => new RecentMap<FoundPrice>(remembered),
  )
  return (account, model) => {
    const found = foundOf(account)
    const known = found.get(model)
    if (known) return known.price
    const price = find(account, model)
    // A model without a price may get one at a time that the store names.
    if (price !== undefined || set.size === 0) found.set(model, { price })
    return price
  }
}

/** The price of one model of an account, which may have none. */
interface FoundPrice {
  readonly price: ReturnType<PriceOf>
}

/** Clients choose the names of models where an account has a pattern. */
const remembered = 1_000

/** The stored prices of one model for the same accounts, the latest first. */
type Changes = readonly (RatesInForce & { readonly from: number })[]

/** The stored prices by the models and then by the accounts that they are for. */
function compileStored(
  stored: readonly StoredPrice[],
): ReadonlyMap<string, ReadonlyMap<string, Changes>> {
  const byModel = Map.groupBy(stored, ({ model }) => model)
  return new Map(
    [...byModel].map(([model, all]) => {
      const byScope = Map.groupBy(all, scopeOf)
      return [model, new Map([...byScope].map(([scope, some]) => [scope, compileChanges(some)]))]
    }),
  )
}

function scopeOf({ accountId, provider }: StoredPrice): string {
  if (accountId !== undefined) return `account ${accountId}`
  return provider === undefined ? '' : `provider ${provider}`
}

function compileChanges(stored: readonly StoredPrice[]): Changes {
  return stored
    .map((one) => ({
      ...compileRatesOf(one, 'store'),
      ...(one.isFree && { version: noCost.version, isFree: one.isFree }),
      from: one.from ?? -Infinity,
    }))
    .sort((one, other) => other.from - one.from)
}

/** A price from the time on at which the first of these changes begins. */
function changed(
  price: Price | 'free' | undefined,
  changes: Changes | undefined,
): Price | 'free' | undefined {
  const first = changes?.at(-1)
  if (!first || !changes || (price === undefined && first.from > Date.now())) return price
  const before = price === 'free' ? noCost : (price ?? noRates)
  const later = before.later?.filter(({ from }) => from < first.from) ?? []
  return { ...before, later: [...changes, ...later] }
}

const none: PriceSettings = {}

/** The price, before its first change, of a model without another price. */
const noRates: Price = {
  version: 'none',
  rates: new Map(),
  over: [],
  units: new Map(),
  tiers: new Map(),
}

const noCost: Price = { ...noRates, version: 'free', isFree: true }

const published: Readonly<Record<string, PriceSettings>> = table.providers

/** When the published prices were checked, in milliseconds since 1970. */
export const publishedAt = Date.parse(table.version)

/** How models of a cloud, whose prices are those of their vendors, stand in the table of published prices. */
interface CloudPrices {
  /** The providers in the table, in the order of search. */
  readonly tables: readonly string[]
  /** The names under which a model may stand there. */
  namesOf(model: string): readonly string[]
}

const clouds: Readonly<Record<string, CloudPrices>> = {
  // Names of deployments, which operators choose: those that are named as their models have a price.
  azure: { tables: ['azure', 'openai', 'anthropic'], namesOf: (model) => [model] },
  vertex: { tables: ['gemini'], namesOf: (model) => [model.replace(/^google\//, '')] },
  bedrock: { tables: ['bedrock'], namesOf: namesAtBedrock },
}

/**
 * The table has ids without versions (`-v1:0`). An ARN ends with the id of its model or of its inference profile, and a
 * profile of a geography costs as much as its regions.
 */
function namesAtBedrock(model: string): readonly string[] {
  const id = model.slice(model.lastIndexOf('/') + 1).replace(/(?:-v\d+)?(?::\d+k?)*$/, '')
  return [id, id.replace(/^(?:apac|au|ca|eu|in|jp|us|us-gov)\./, '')]
}

function cloudOf(provider: string): CloudPrices | undefined {
  return Object.hasOwn(clouds, provider) ? clouds[provider] : undefined
}

/** Whether the table of published prices has a provider. */
export function hasPublishedPrices(provider: string): boolean {
  return Object.hasOwn(published, provider) || cloudOf(provider) !== undefined
}

/**
 * A provider's own names of the models that the table of published prices has; none for an unknown provider, or for a
 * cloud.
 */
export function publishedModels(provider: string): readonly string[] {
  const isKnown = hasPublishedPrices(provider) && !cloudOf(provider)
  return isKnown ? Object.keys(published[provider]!) : []
}

/** The names of the models of all providers in the table. */
export const publishedNames: readonly string[] = Object.values(published).flatMap((models) =>
  Object.keys(models),
)

const compilePublished = computedOnce((setting: PriceSetting): Price => ({
  ...compilePrice(setting),
  version: `published ${table.version}`,
}))

/** The same compiled: the same object for the same setting. */
export function publishedPrice(provider: string, model: string): Price | undefined {
  const setting = publishedSetting(provider, model)
  return setting && compilePublished(setting)
}

/** The price that a provider has published for a model by its own name; `undefined`: the table lacks the model. */
export function publishedSetting(provider: string, model: string): PriceSetting | undefined {
  if (!hasPublishedPrices(provider)) return undefined
  const { tables = [provider], namesOf } = cloudOf(provider) ?? {}
  for (const name of namesOf?.(model) ?? [model]) {
    for (const prices of tables.map((one) => published[one]!)) {
      const found = [name, withoutVersion(name)].find((one) => Object.hasOwn(prices, one))
      if (found !== undefined) return prices[found]
    }
  }
  return undefined
}

/** A price applies to its model, with a date or without, never to a longer name with the same beginning. */
function priceIn(prices: Exclude<AccountPrices, 'free'>, model: string): Price | undefined {
  return prices.get(model) ?? prices.get(withoutVersion(model))
}

function compilePrice({ later, ...current }: PriceSetting): Price {
  const changes = later?.map(({ from, ...one }) => ({
    ...compileRatesOf(one, 'file'),
    from: Date.parse(from),
  }))
  return {
    ...compileRatesOf(current, 'file'),
    ...(changes && { later: changes.sort((one, other) => other.from - one.from) }),
  }
}

function compileRatesOf(
  { rates = {}, over = [], units = {}, tiers = {} }: Omit<PriceSetting, 'later'>,
  source: 'file' | 'store',
): RatesInForce {
  const text = JSON.stringify([rates, over, units, tiers])
  return {
    version: `${source} ${hash('sha256', text, 'hex').slice(0, 8)}`,
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
      const compiled = isObject(price)
        ? new Map(Object.entries(price).map(([kind, one]) => [kind, parseDecimal(one, 12) ?? 0n]))
        : parseDecimal(price, 12)
      return compiled === undefined ? [] : [[name, compiled] as const]
    }),
  )
}
