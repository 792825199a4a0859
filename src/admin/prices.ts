import type { Account, AccountSetting } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { DatedRates, PriceSettings, StoredPrice } from '../contract/prices.ts'
import type { Problem } from '../contract/problems.ts'
import { publishedAt, publishedPrice, publishedSetting } from '../accounts/prices.ts'
import { inForceProblems, priceSchema } from '../configuration/prices-schema.ts'
import { rateWarnings } from '../configuration/price-warnings.ts'
import { identifier } from '../configuration/schema-nodes.ts'
import { checkShape } from '../configuration/shape.ts'
import { withoutVersion } from '../kit/model-version.ts'
import { defined } from '../lib/json/object.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { type Work, runInTurns } from '../lib/turns.ts'
import { type PriceRecord, deletePrice, priceId, writePrice } from '../stores/prices.ts'
import type { ActResult } from './act.ts'
import { conflict, invalid, notFound, otherVersion, storeUnavailable } from './failures.ts'
import type { AdminServices } from './services.ts'

/** Each process keeps all prices of the store in memory, and compiles them after each change. */
const mostStored = 10_000

/** In characters, as of every name of a model that callers send. */
const longestName = 512

/** A price for operators, or a model without one. Times are milliseconds since 1970. */
export interface PriceView extends Partial<DatedRates> {
  /** Unique, and the order of the list. */
  readonly id: string
  readonly model: string
  readonly provider?: string | undefined
  readonly accountId?: string | undefined
  readonly from?: number | undefined
  /** Absent: the model has no price. */
  readonly origin?: 'STORE' | 'FILE' | 'PUBLISHED'
  /** When a published price was checked. */
  readonly checkedAt?: number
  /** Whether all calls of the model or the account are free. */
  readonly isFree?: true | undefined
  /** The enabled accounts with this name of a model that it is for. */
  readonly accountIds: readonly string[]
  readonly version?: number
  readonly changedAt?: number
  readonly changedBy?: string
}

/** Which prices a list shows. An absent member is any. */
interface PriceFilter {
  readonly provider?: string | null | undefined
  /** `true`: only models without a price. */
  readonly unpriced?: boolean | null | undefined
}

/**
 * The prices of the store and the configuration, the published prices of the models that accounts name, and those of
 * these models that have none, in the order of their ids.
 */
export async function listPriceViews(
  { running }: AdminServices,
  { provider, unpriced }: PriceFilter,
): Promise<readonly PriceView[]> {
  const { snapshot, configured } = running.accounts
  const all = await rowsOf(snapshot)({ ...configured, stored: running.prices.records })
  return all.filter(
    (one) =>
      (typeof unpriced !== 'boolean' || unpriced === (one.origin === undefined)) &&
      (typeof provider !== 'string' || isOf(one, provider, snapshot)),
  )
}

function isOf(
  { provider, accountIds }: PriceView,
  wanted: string,
  { accounts }: Snapshot,
): boolean {
  if (provider !== undefined) return provider === wanted
  const ids = new Set(accountIds)
  return accounts.some((one) => one.provider === wanted && ids.has(one.id))
}

interface Sources {
  readonly accounts: readonly Pick<AccountSetting, 'id' | 'provider' | 'prices'>[]
  readonly prices?: PriceSettings | undefined
  readonly stored: ReadonlyMap<string, PriceRecord>
}

/** The list is made once for each snapshot, which each change of a price replaces. */
const rowsOf = computedOnce((snapshot: Snapshot) => {
  let rows: Promise<readonly PriceView[]> | undefined
  return (sources: Sources) => (rows ??= runInTurns(collect(snapshot, sources)))
})

function* collect(snapshot: Snapshot, sources: Sources): Work<readonly PriceView[]> {
  const found = new Map<string, PriceView & { readonly accountIds: string[] }>()
  const add = (price: Omit<PriceView, 'id' | 'accountIds'>) => {
    const id = viewId(price, price.origin)
    const known = found.get(id) ?? { ...price, id, accountIds: [] }
    found.set(id, known)
    return known
  }
  for (const price of sources.stored.values()) add({ ...price, origin: 'STORE' })
  addConfigured(add, sources.prices ?? {}, {})
  for (const { id: accountId, provider, prices } of sources.accounts) {
    if (prices === 'free') add({ model: '*', accountId, provider, origin: 'FILE', isFree: true })
    else if (prices) addConfigured(add, prices, { accountId, provider })
    yield
  }
  const overrides = Map.groupBy(found.values(), ({ model }) => model)
  for (const account of snapshot.accounts) {
    if (!account.enabled) continue
    const { id, provider } = account
    for (const model of new Set(account.models.names.map((name) => ownName(account, name)))) {
      const names = new Set([model, withoutVersion(model), '*'])
      for (const one of [...names].flatMap((name) => overrides.get(name) ?? [])) {
        if (isFor(one, account)) one.accountIds.push(id)
      }
      const price = snapshot.priceOf?.(account, model)
      if (price === undefined) add({ model, provider }).accountIds.push(id)
      else if (price === publishedPrice(provider, model)) {
        const setting = publishedSetting(provider, model)
        const view = {
          ...setting,
          model,
          provider,
          origin: 'PUBLISHED',
          checkedAt: publishedAt,
        } as const
        add(view).accountIds.push(id)
      }
    }
    yield
  }
  return [...found.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** The account's own name of a model that clients name. */
export function ownName({ models }: Account, name: string): string {
  return models.upstreamName(name) ?? name
}

function isFor({ provider, accountId }: PriceView, account: Account): boolean {
  if (accountId !== undefined) return accountId === account.id
  return provider === undefined || provider === account.provider
}

type Scope = Pick<PriceView, 'provider' | 'accountId'>

function addConfigured(
  add: (price: Omit<PriceView, 'id' | 'accountIds'>) => void,
  prices: PriceSettings,
  scope: Scope,
): void {
  for (const [model, { later = [], ...price }] of Object.entries(prices)) {
    add({ ...price, ...scope, model, origin: 'FILE' })
    for (const { from, ...one } of later) {
      add({ ...one, ...scope, model, origin: 'FILE', from: Date.parse(from) })
    }
  }
}

/** The price that an act names. */
interface PriceInput extends StoredPrice {
  readonly expectedVersion?: number | null | undefined
  readonly dryRun?: boolean | null | undefined
}

/** A price after an act, or as it would be. */
export interface PriceChanged {
  readonly price: PriceView
  /** What is probably mistaken: one line each. */
  readonly warnings: readonly string[]
  readonly dryRun: boolean
}

/** Writes a price, after the checks of the configuration. Rejects with `StoreUnavailable`. */
export async function setPrice(
  services: AdminServices,
  { expectedVersion, dryRun, ...price }: PriceInput,
  changedBy: string,
): Promise<ActResult<PriceChanged>> {
  const { running } = services
  const problems = problemsOf(price)
  if (problems.length > 0) return invalid(problems)
  await running.prices.catchUp()
  const id = priceId(price)
  const before = running.prices.records.get(id)
  if (!before && running.prices.records.size >= mostStored) {
    return conflict(`The store has ${mostStored} prices, which is the most.`)
  }
  if (dryRun && (expectedVersion ?? before?.version ?? 0) !== (before?.version ?? 0)) {
    return otherVersion('price', id, price.model)
  }
  const written = dryRun
    ? price
    : await writePrice(running.store, price, { changedBy, expectedVersion })
  if (!written) return otherVersion('price', id, price.model)
  if (!dryRun) await running.prices.catchUp()
  return {
    done: {
      price: storedView(services, written),
      warnings: [
        ...rateWarnings('input', price),
        ...unknownScope(price, running.accounts.snapshot),
      ],
      dryRun: dryRun ?? false,
    },
    changes: {
      ...(before && { before: ratesOf(before) }),
      after: { ...ratesOf(price), ...(dryRun && { dryRun: true }) },
    },
  }
}

/** The price of the store of an id, for operators. */
export function findPriceView(services: AdminServices, id: string): PriceView | undefined {
  const record = services.running.prices.records.get(id)
  return record && storedView(services, record)
}

/** A price of the store, in the form of the list. */
function storedView(
  { running }: Pick<AdminServices, 'running'>,
  price: StoredPrice & Pick<PriceView, 'version' | 'changedAt' | 'changedBy'>,
): PriceView {
  const origin = 'STORE'
  const accountIds = accountsOf(price, running.accounts.snapshot)
  return { ...price, id: viewId(price, origin), origin, accountIds }
}

function viewId(price: Parameters<typeof priceId>[0], origin: PriceView['origin']): string {
  return `${priceId(price)} ${origin ?? ''}`
}

/** Deletes a price of the store: the prices of the configuration and the published prices apply again. Rejects with `StoreUnavailable`. */
export async function removePrice(
  { running }: AdminServices,
  {
    expectedVersion,
    ...price
  }: Pick<PriceInput, 'model' | 'provider' | 'accountId' | 'from' | 'expectedVersion'>,
): Promise<ActResult<{ model: string }>> {
  await running.prices.catchUp()
  const id = priceId(price)
  const known = running.prices.records.get(id)
  if (!known) {
    return running.prices.isStale
      ? storeUnavailable()
      : notFound('price of the store for', price.model)
  }
  const isOther = (expectedVersion ?? known.version) !== known.version
  if (isOther || !(await deletePrice(running.store, known)))
    return otherVersion('price', id, price.model)
  await running.prices.catchUp()
  return { done: { model: price.model }, changes: { before: ratesOf(known) } }
}

/** The rates of a price, for an audit record. */
function ratesOf({
  isFree,
  rates,
  over,
  units,
  tiers,
  from,
}: StoredPrice): Record<string, unknown> {
  return defined({
    isFree,
    rates,
    over,
    units,
    tiers,
    from: from === undefined ? undefined : new Date(from).toISOString(),
  })
}

function problemsOf({
  model,
  provider,
  accountId,
  from: _from,
  isFree,
  ...price
}: StoredPrice): Problem[] {
  const problems: Problem[] = []
  if (model === '' || model.length > longestName || !model.isWellFormed()) problems.push(badModel)
  checkShape(identifier.optional(), provider, 'input.provider', problems)
  checkShape(identifier.optional(), accountId, 'input.accountId', problems)
  if (provider !== undefined && accountId !== undefined) problems.push(twoScopes)
  const isPriced = Object.values(price).some((part) => Object.keys(part ?? {}).length > 0)
  if (isFree) return isPriced ? [...problems, freeAndPriced] : problems
  if ((price.rates ?? price.units) === undefined) problems.push(noPrice)
  checkShape(priceSchema, price, 'input', problems)
  return problems.length > 0 ? problems : inForceProblems('input', price)
}

const badModel = {
  path: 'input.model',
  message: 'is not the name of a model',
  fix: 'use the name that the account has for it, of at most 512 characters',
}

const freeAndPriced = {
  path: 'input.isFree',
  message: 'is set beside prices',
  fix: 'leave out one of the two',
}

const noPrice = {
  path: 'input.rates',
  message: 'is missing',
  fix: 'give `rates`, `units`, or `isFree: true`',
}

const twoScopes = {
  path: 'input.provider',
  message: 'is set beside an account, which has one provider',
  fix: 'leave out one of the two',
}

/** Prices are often set before their accounts come, so these are no problems. */
function unknownScope(
  { model, provider, accountId }: StoredPrice,
  { accounts }: Snapshot,
): string[] {
  if (accountId !== undefined && !accounts.some(({ id }) => id === accountId))
    return [`input.accountId: there is no account "${accountId}"`]
  if (provider !== undefined && !accounts.some((one) => one.provider === provider))
    return [`input.provider: no account has the provider "${provider}"`]
  const hasModel = ({ models: { names, patterns = [], upstreamName } }: Account) =>
    patterns.some((one) => one.includes('*')) || names.some((name) => upstreamName(name) === model)
  return accounts.some(hasModel)
    ? []
    : [`input.model: no account has a model of the name "${model}"`]
}

/** The enabled accounts that name a model, for which a price is. */
function accountsOf(price: StoredPrice, { accounts }: Snapshot): string[] {
  const view = { ...price, id: '', accountIds: [] }
  return accounts
    .filter((one) => one.enabled && isFor(view, one))
    .filter((one) => one.models.names.some((name) => ownName(one, name) === price.model))
    .map(({ id }) => id)
}
