import type { AccountSetting } from '../../contract/account.ts'
import type { PriceSettings } from '../../contract/prices.ts'
import { compilePatterns } from '../../accounts/patterns.ts'
import { createPriceOf, hasPublishedPrices } from '../../accounts/prices.ts'
import { rateWarnings } from '../../configuration/price-warnings.ts'
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
 * Models without a price beside others that have one, in the configuration or in the published prices of their provider,
 * and models whose calls a quota of money refuses. The check does not know models that only a pattern takes.
 */
export function unpricedModels({ settings, accountPaths }: Priced): string[] {
  const { accounts, prices } = settings
  const isRefused = refusedWithoutPrice(settings)
  const hasPrices = ({ prices: own = {} }: Partial<AccountSetting>) =>
    own === 'free' || Object.keys(own).length > 0
  const isConfigured = hasPrices({ prices }) || accounts.some(hasPrices)
  const priceOf = createPriceOf(prices, accounts)
  return accounts.flatMap((account, index) => {
    if (!account.enabled) return []
    const missing = modelsOf(account).filter(({ own }) => priceOf(account, own) === undefined)
    const refused = missing.filter(({ name }) => isRefused(name))
    const others = missing.filter(({ name }) => !isRefused(name))
    const isWarned = isConfigured || hasPublishedPrices(account.provider)
    const path = `${accountPaths[index]}.models`
    return [
      ...(refused.length > 0
        ? [`${path}: no price for ${listed(refused)}, so that a quota of cost refuses its calls`]
        : []),
      ...(isWarned && others.length > 0 ? [`${path}: no price for ${listed(others)}`] : []),
    ]
  })
}

/** Whether a quota of money, which refuses calls of unknown cost, concerns calls of a platform model. */
function refusedWithoutPrice({
  quotas,
  keys,
  teams,
}: CommandConfiguration['settings']): (model: string) => boolean {
  const all = [...quotas, ...[...keys, ...teams].flatMap((one) => one.quotas ?? [])]
  const refusing = all.filter(({ kind, action }) => kind === 'cost' && action !== 'warn')
  return compilePatterns(refusing.flatMap(({ models = ['*'] }) => models))
}

interface NamedModel {
  /** The name that clients use. */
  readonly name: string
  /** The name that the account has. */
  readonly own: string
}

function modelsOf({ models }: AccountSetting): NamedModel[] {
  const all = Array.isArray(models)
    ? (models as readonly string[]).map((name) => ({ name, own: name }))
    : Object.entries(models as Readonly<Record<string, string>>).map(([name, own]) => ({
        name,
        own,
      }))
  return all.filter(({ own }) => !own.includes('*'))
}

function listed(models: readonly NamedModel[]): string {
  const names = models.slice(0, mostNames).map(({ own }) => `"${own}"`)
  const more = models.length > mostNames ? ` and ${models.length - mostNames} more` : ''
  return `${names.join(', ')}${more}`
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
