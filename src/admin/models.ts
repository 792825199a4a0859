import { compilePatterns } from '../accounts/patterns.ts'
import { isBusy } from '../accounts/availability.ts'
import type { Account } from '../contract/account.ts'
import type { AccountExclusion } from '../contract/call.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { type AnyDialect, hasClients } from '../contract/dialect.ts'
import { lowerBound } from '../lib/lower-bound.ts'
import { nextTurn } from '../lib/turns.ts'
import { type Outages, causeIn, outagesOf } from './accounts/outages.ts'
import { type ModelPrice, modelPriceOf } from './model-price.ts'
import type { AdminServices } from './services.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** A name that callers can send, or a pattern of such names. */
export interface ModelView {
  readonly name: string
  readonly kind: 'MODEL' | 'PATTERN' | 'ALIAS'
  /** The platform model, after aliases. */
  readonly model: string
  /** Whether an enabled account has it. */
  readonly served: boolean
  /** Whether calls of it get to an account now, in each process. */
  readonly available: boolean
  /** The model that its calls fall back to now. Absent: it is available, or none stands in. */
  readonly standIn?: string
  /** The status that its calls get now. Absent: they are served. */
  readonly failsWith?: number
}

/** An account that has a model. */
export interface ModelAccount {
  readonly accountId: string
  readonly enabled: boolean
  /** The account's name of the model. Absent for a pattern. */
  readonly upstreamModel?: string
  /** The dialects of clients that reach it without translation. */
  readonly native: readonly string[]
  /** The dialects of clients that reach it through another one. */
  readonly translated: readonly string[]
  /** Whether calls of the model get to it now, in each process. One that is busy is available. */
  readonly available: boolean
  /** Why they do not, or why it is busy. */
  readonly reason?: string
  /** When that ends or is tried again, in milliseconds since 1970. */
  readonly until?: number | undefined
  /** The probability that it is asked first, from 0 to 1. Absent: a strategy chooses, or it is of a pattern. */
  readonly chance?: number
  /** Absent: the model has no price there, or it is a pattern. */
  readonly price?: ModelPrice | undefined
}

/** Models and accounts in the order of names and ids. */
interface ModelIndex {
  readonly names: readonly string[]
  /** The accounts of each name and pattern, in the order of their ids. */
  readonly accounts: ReadonlyMap<string, readonly Account[]>
  readonly patterns: readonly { pattern: string; matches: (name: string) => boolean }[]
}

/** Models whose availability is judged in one turn of the event loop: each may have thousands of accounts. */
const modelsPerTurn = 100

/** The models of a page behind the name `after` that begin with `search`. */
export async function listModels(
  services: AdminServices,
  {
    after = '',
    limit,
    search,
    available,
  }: {
    readonly after: string | undefined
    readonly limit: number
    readonly search: string
    readonly available?: boolean | null | undefined
  },
): Promise<ModelView[]> {
  const { snapshot } = services.running.accounts
  const outages = await outagesOf(services)
  const { names } = indexOf(snapshot)
  const found: ModelView[] = []
  const start = firstFrom(names, search > after ? search : after)
  for (let index = start; index < names.length && found.length < limit; index++) {
    const name = names[index]!
    if (!name.startsWith(search)) break
    if ((index - start) % modelsPerTurn === modelsPerTurn - 1) await nextTurn()
    if (name === after) continue
    const view = viewOf(name, snapshot, outages)
    if (typeof available !== 'boolean' || view.available === available) found.push(view)
  }
  return found
}

/** The model of a name, also one that a pattern of an account matches; `undefined`: no account has it. */
export async function findModel(
  services: AdminServices,
  name: string,
): Promise<ModelView | undefined> {
  const { snapshot } = services.running.accounts
  const outages = await outagesOf(services)
  const views = viewsDuring(outages)(snapshot)
  const known = views.get(name)
  if (known || views.has(name)) return known
  const isThere =
    snapshot.aliases.has(name) ||
    holdersOf(name, 'MODEL', indexOf(snapshot)).some(({ length }) => length > 0)
  const view = isThere ? viewOf(name, snapshot, outages) : undefined
  views.set(name, view)
  return view
}

/** The models that the objects of an answer name are few, and each may have thousands of accounts. */
const viewsDuring = computedOnce((_outages: Outages) =>
  computedOnce((_snapshot: Snapshot) => new Map<string, ModelView | undefined>()),
)

/** How many models there are, and how many are available. */
export async function countModels(
  services: AdminServices,
): Promise<{ readonly total: number; readonly available: number }> {
  const { snapshot } = services.running.accounts
  const outages = await outagesOf(services)
  const { names } = indexOf(snapshot)
  let available = 0
  for (const [index, name] of names.entries()) {
    if (index % modelsPerTurn === modelsPerTurn - 1) await nextTurn()
    if (stateOf(name, snapshot, outages).available) available++
  }
  return { total: names.length, available }
}

/** The accounts of a model behind the id `after`, in the order of their ids. */
export async function listAccountsOf(
  services: AdminServices,
  { name, kind, model }: ModelView,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<ModelAccount[]> {
  const { running } = services
  const { snapshot } = running.accounts
  const outages = await outagesOf(services)
  const found = new Map<string, Account>()
  for (const accounts of holdersOf(model, kind, indexOf(snapshot))) {
    for (const account of pageOfAccounts(accounts, after, limit)) found.set(account.id, account)
  }
  const dialects = running.plugins.flatMap((plugin) => plugin.dialects ?? [])
  const own = kind === 'PATTERN' ? undefined : model
  const hasStrategy = snapshot.resolve(name)?.strategy !== undefined
  const first = own === undefined || hasStrategy ? undefined : firstChoices(own, snapshot, outages)
  return [...found.values()]
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit)
    .map((account) => {
      const state = stateAt(account, own, outages)
      const chance = first && (state.isFree ? first(account) : 0)
      const { isFree: _, ...shown } = state
      return {
        ...describe(account, own, dialects),
        price: priceAt(account, own, snapshot),
        ...shown,
        ...(chance !== undefined && { chance }),
      }
    })
}

/**
 * Whether the account is free, and others are asked before it for each of its models, by priority and weight. `undefined`: it
 * has a pattern, or a strategy chooses.
 */
export async function standsBy(
  services: AdminServices,
  account: Account,
): Promise<boolean | undefined> {
  const { names, patterns = [] } = account.models
  if (patterns.some((one) => one.includes('*'))) return undefined
  const { snapshot } = services.running.accounts
  const outages = await outagesOf(services)
  const choices = choicesDuring(outages)(snapshot)
  for (const name of names) {
    if (snapshot.resolve(name)?.strategy !== undefined) return undefined
    if (!stateAt(account, name, outages).isFree) return false
    let first = choices.get(name)
    if (!first) {
      // A model may have thousands of accounts.
      if (choices.size > 0) await nextTurn()
      choices.set(name, (first = firstChoices(name, snapshot, outages)))
    }
    if (first(account) > 0) return false
  }
  return names.length > 0
}

const choicesDuring = computedOnce((_outages: Outages) =>
  computedOnce((_snapshot: Snapshot) => new Map<string, (account: Account) => number>()),
)

function priceAt(account: Account, model: string | undefined, snapshot: Snapshot) {
  const own = model === undefined ? undefined : account.models.upstreamName(model)
  return own === undefined ? undefined : modelPriceOf(snapshot, account, own)
}

/** The accounts that are asked first for a model, by priority and weight. */
function firstChoices(
  model: string,
  snapshot: Snapshot,
  outages: Outages,
): (account: Account) => number {
  let best = Infinity
  let total = 0
  const seen = new Set<string>()
  for (const accounts of holdersOf(model, 'MODEL', indexOf(snapshot))) {
    for (const account of accounts) {
      const { id, priority, weight } = account
      if (priority > best || seen.has(id) || !stateAt(account, model, outages).isFree) continue
      seen.add(id)
      total = (priority < best ? 0 : total) + weight
      best = priority
    }
  }
  return ({ priority, weight }) => (priority === best ? weight / total : 0)
}

/** Whether an account gets calls of a model (absent: of any), and whether it can take one at once. */
function stateAt(account: Account, model: string | undefined, outages: Outages) {
  if (!account.enabled) return { available: false, reason: 'it is disabled', isFree: false }
  const own = model === undefined ? undefined : account.models.upstreamName(model)
  for (const troubled of outages) {
    const cause = causeIn(troubled, account, own)
    if (cause) return { available: false, ...causeOf(cause), isFree: false }
  }
  const busy = outages[0]?.get(account.id)?.exclusions.find(isBusy)
  return { available: true, ...(busy && causeOf(busy)), isFree: busy === undefined }
}

function causeOf({ reason, untilMs }: AccountExclusion) {
  return { reason, until: untilMs }
}

/** The accounts that have a model or a pattern, also disabled ones. An account of a pattern may stand in several lists. */
function* holdersOf(
  model: string,
  kind: ModelView['kind'],
  { accounts, patterns }: ModelIndex,
): Generator<readonly Account[]> {
  yield accounts.get(model) ?? []
  if (kind === 'PATTERN') return
  for (const { pattern, matches } of patterns) {
    if (matches(model)) yield accounts.get(pattern) ?? []
  }
}

function viewOf(name: string, snapshot: Snapshot, outages: Outages): ModelView {
  const view = stateOf(name, snapshot, outages)
  return view.available ? view : { ...view, ...failureOf(view, snapshot, outages) }
}

/** Which model stands in for one that is not available, or what its calls get. */
function failureOf(
  view: ModelView,
  snapshot: Snapshot,
  outages: Outages,
): Pick<ModelView, 'standIn' | 'failsWith'> {
  const isLimited = view.served && isRateLimited(view, snapshot, outages)
  const kind = isLimited ? 'rate_limited' : 'unavailable'
  const resolved = snapshot.resolve(view.name)
  const standIn = resolved?.fallbacks
    ?.filter(({ on }) => on.includes(kind))
    .find(({ model }) => stateOf(model.name, snapshot, outages).available)
  if (standIn) return { standIn: standIn.model.name }
  return { failsWith: isLimited ? 429 : resolved ? 503 : 404 }
}

/** Whether rate limits keep a model from all its accounts, in a process that has no account for it. */
function isRateLimited(view: ModelView, snapshot: Snapshot, outages: Outages): boolean {
  const holders = [...holdersOf(view.model, view.kind, indexOf(snapshot))]
    .flat()
    .filter(({ enabled }) => enabled)
  return outages.some((troubled) =>
    holders.every((account) => {
      const cause = causeIn(troubled, account, ownNameOf(view, account))
      return cause?.status === 429 && cause.untilMs !== undefined
    }),
  )
}

function ownNameOf({ kind, model }: Pick<ModelView, 'kind' | 'model'>, { models }: Account) {
  return kind === 'PATTERN' ? undefined : models.upstreamName(model)
}

function stateOf(name: string, snapshot: Snapshot, outages: Outages): ModelView {
  const index = indexOf(snapshot)
  const kind = snapshot.aliases.has(name) ? 'ALIAS' : name.includes('*') ? 'PATTERN' : 'MODEL'
  const model = kind === 'ALIAS' ? snapshot.platformName(name) : name
  const served =
    kind === 'PATTERN'
      ? (index.accounts.get(name)?.some(({ enabled }) => enabled) ?? false)
      : snapshot.serves(model)
  const isOpenIn = (troubled: Outages[number]) =>
    holdersOf(model, kind, index).some((accounts) =>
      accounts.some((account) => {
        const own = ownNameOf({ kind, model }, account)
        return account.enabled && causeIn(troubled, account, own) === undefined
      }),
    )
  return { name, kind, model, served, available: served && outages.every(isOpenIn) }
}

function describe(
  account: Account,
  model: string | undefined,
  dialects: readonly AnyDialect[],
): Pick<ModelAccount, 'accountId' | 'enabled' | 'upstreamModel' | 'native' | 'translated'> {
  const { id, enabled, speaks, models } = account
  const upstreamModel = model === undefined ? undefined : models.upstreamName(model)
  const spoken = dialects.filter((dialect) => speaks.includes(dialect.id))
  const generates = spoken.some((dialect) => dialect.generate)
  const makesVideos = spoken.some((dialect) => dialect.video)
  const asked = dialects.filter(hasClients)
  const translated = asked.filter(
    (dialect) =>
      !speaks.includes(dialect.id) &&
      ((generates && dialect.generate) || (makesVideos && dialect.video)),
  )
  return {
    accountId: id,
    enabled,
    ...(upstreamModel !== undefined && { upstreamModel }),
    native: speaks.filter((id) => asked.some((dialect) => dialect.id === id)),
    translated: translated.map((dialect) => dialect.id),
  }
}

const indexOf = computedOnce(({ accounts, aliases }: Snapshot): ModelIndex => {
  const byName = new Map<string, Account[]>()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  for (const id of [...byId.keys()].toSorted()) {
    const account = byId.get(id)!
    const { names, patterns = names } = account.models
    for (const name of patterns) {
      const having = byName.get(name)
      if (having) having.push(account)
      else byName.set(name, [account])
    }
  }
  const patterns = []
  for (const pattern of byName.keys()) {
    if (pattern.includes('*')) patterns.push({ pattern, matches: compilePatterns([pattern]) })
  }
  const names = [...new Set([...byName.keys(), ...aliases.keys()])].toSorted()
  return { names, accounts: byName, patterns }
})

/** The accounts behind an id, of a list in the order of ids. */
function pageOfAccounts(
  accounts: readonly Account[],
  after: string,
  limit: number,
): readonly Account[] {
  const start = lowerBound(accounts.length, (index) => accounts[index]!.id > after)
  return accounts.slice(start, start + limit)
}

/** The first of sorted names that is not before `name`. */
function firstFrom(names: readonly string[], name: string): number {
  return lowerBound(names.length, (index) => names[index]! >= name)
}
