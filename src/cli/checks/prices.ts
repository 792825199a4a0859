import type { AccountSetting } from '../../contract/account.ts'
import type { PriceSetting, PriceSettings, RatesSetting } from '../../contract/prices.ts'
import { compilePatterns } from '../../accounts/patterns.ts'
import { createPriceOf, hasPublishedPrices } from '../../accounts/prices.ts'
import { withoutVersion } from '../../kit/model-version.ts'
import type { CommandConfiguration } from '../command-configuration.ts'

type Priced = Pick<CommandConfiguration, 'settings' | 'accountPaths'>

/** Prices that are probably mistaken. `isWhole`: whether the configuration has all accounts that there are. */
export function priceWarnings({ settings, accountPaths }: Priced, isWhole: boolean): string[] {
  const { prices, accounts } = settings
  return [
    ...mistakes('prices', prices, isWhole ? accounts : undefined, 'no account has'),
    ...accounts.flatMap((account, index) =>
      account.prices === undefined || account.prices === 'free'
        ? []
        : mistakes(
            `${accountPaths[index]}.prices`,
            account.prices,
            [account],
            'the account does not have',
          ),
    ),
  ]
}

/**
 * Models without a price beside others that have one: in the configuration, or in the published prices of their provider.
 * Those that only a pattern takes are not known.
 */
export function unpricedModels({ settings, accountPaths }: Priced): string[] {
  const { accounts, prices } = settings
  const hasPrices = ({ prices: own = {} }: Partial<AccountSetting>) =>
    own === 'free' || Object.keys(own).length > 0
  const isConfigured = hasPrices({ prices }) || accounts.some(hasPrices)
  const priceOf = createPriceOf(prices, accounts)
  return accounts.flatMap((account, index) => {
    if (!account.enabled || !(isConfigured || hasPublishedPrices(account.provider))) return []
    const missing = ownNames(account).filter(
      (name) => !name.includes('*') && priceOf(account, name) === undefined,
    )
    if (missing.length === 0) return []
    const names = missing.slice(0, mostNames).map((name) => `"${name}"`)
    const more = missing.length > mostNames ? ` and ${missing.length - mostNames} more` : ''
    return [`${accountPaths[index]}.models: no price for ${names.join(', ')}${more}`]
  })
}

const mostNames = 5

function mistakes(
  path: string,
  prices: PriceSettings,
  accounts: readonly AccountSetting[] | undefined,
  lacks: string,
): string[] {
  const hasModel = accounts && nameFinder(accounts)
  const unknown = (name: string) =>
    hasModel?.(name) === false
      ? [`${path}.${name}: ${lacks} a model of this name${ownNameHint(accounts ?? [], name)}`]
      : []
  return Object.entries(prices).flatMap(([name, price]) => [
    ...unknown(name),
    ...rateWarnings(`${path}.${name}`, price),
  ])
}

/** The own name of a model for which prices have the name that clients use. */
function ownNameHint(accounts: readonly AccountSetting[], name: string): string {
  for (const { models } of accounts) {
    const own = Object.hasOwn(models, name) && (models as Readonly<Record<string, string>>)[name]
    if (own) return `, which is the clients' name of "${own}"`
  }
  return ''
}

/** Finds whether accounts have a model by their own names, with a date or without. */
function nameFinder(accounts: readonly AccountSetting[]): (name: string) => boolean {
  const names = new Set(accounts.flatMap(ownNames))
  const patterns = [...names].filter((name) => name.includes('*'))
  const matches = compilePatterns(patterns)
  const undated = new Set(Array.from(names, withoutVersion))
  return (name) => names.has(name) || undated.has(name) || matches(name)
}

function ownNames({ models }: AccountSetting): readonly string[] {
  return Array.isArray(models) ? (models as readonly string[]) : Object.values(models)
}

/** Rates of a price that are probably mistaken. */
function rateWarnings(path: string, { rates, over = [] }: PriceSetting): string[] {
  const all = [
    [`${path}.rates`, rates],
    ...over.map((one, index) => [`${path}.over[${index}].rates`, one.rates] as const),
  ] as const
  return all.flatMap(([place, one]) => [
    ...missingRates(one).map(
      (name) => `${place}: lacks \`${name}\`, so the cost of nearly every call is unknown`,
    ),
    ...(isDear(one) ? [`${place}.cacheRead: is dearer than input`] : []),
  ])
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
