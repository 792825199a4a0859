import type { Snapshot } from '../../contract/candidate.ts'
import { lowerBound } from '../../lib/lower-bound.ts'
import { computedOnce } from '../../lib/computed-once.ts'
import { nextTurn } from '../../lib/turns.ts'
import type { ClusterView } from '../processes/cluster-view.ts'
import type { AdminServices } from '../services.ts'
import { type ActFailure, notFound, storeUnavailable } from '../failures.ts'
import { catchUpAccounts } from './catch-up.ts'
import type { AccountState } from './state.ts'
import { statesOf } from './status.ts'
import { type AccountView, ofFile, ofStore } from './views.ts'

type Services = Pick<AdminServices, 'running' | 'log' | 'processes'>

/** The accounts of a page, and those that it passes over. */
interface AccountsPage {
  readonly after: string | undefined
  readonly limit: number
  readonly provider?: string | null | undefined
  readonly state?: AccountState['state'] | null | undefined
  readonly serves?: AccountState['serves'] | null | undefined
  /** Whether it lacks calls without being disabled. */
  readonly inTrouble?: boolean | null | undefined
}

/** The account of an id. */
export function findAccount(
  { running }: Pick<Services, 'running'>,
  id: string,
): AccountView | undefined {
  return indexOf(running).find(id)
}

/**
 * The account of an id for an act, which may change a record that another process has written just now; or the
 * failure of the act: the account is missing, or the store cannot say whether it exists.
 */
export async function findLatestAccount(
  services: Pick<Services, 'running'>,
  id: string,
): Promise<AccountView | ActFailure> {
  await catchUpAccounts(services)
  // As of the snapshot that is searched.
  const { isStale } = services.running.storedAccounts
  const found = findAccount(services, id)
  return found ?? (isStale ? storeUnavailable() : notFound('account', id))
}

/** Accounts that a filter by state examines in one turn of the event loop: each may have some thousand exclusions. */
const statesPerTurn = 100

/** The accounts of the configuration and the store that a page selects, in the order of their ids. */
export async function listAccounts(
  services: Services,
  { after = '', limit, provider, ...wanted }: AccountsPage,
): Promise<AccountView[]> {
  const { ids, find } = indexOf(services.running)
  const all = asksForStates(wanted) ? await services.processes.cluster() : undefined
  const isListed = (view: AccountView) => typeof provider !== 'string' || view.provider === provider
  const found: AccountView[] = []
  let next = lowerBound(ids.length, (index) => ids[index]! > after)
  while (next < ids.length && found.length < limit) {
    const part = ids.slice(next, next + statesPerTurn)
    next += part.length
    const views = part.map((id) => find(id)!).filter(isListed)
    const states = all && statesOf(services, views, all)
    found.push(...views.filter((_, index) => !states || hasState(states[index]!, wanted)))
    if (all) await nextTurn()
  }
  return found.slice(0, limit)
}

type WantedState = Pick<AccountsPage, 'state' | 'serves' | 'inTrouble'>

/** Whether a filter is about the states of accounts, which all processes say. */
export function asksForStates({ state, serves, inTrouble }: WantedState): boolean {
  return Boolean(state || serves) || typeof inTrouble === 'boolean'
}

function hasState(one: AccountState, { state, serves, inTrouble }: WantedState): boolean {
  const isInTrouble = one.serves !== 'ALL' && one.state !== 'DISABLED'
  return (
    (!state || one.state === state) &&
    (!serves || one.serves === serves) &&
    (typeof inTrouble !== 'boolean' || isInTrouble === inTrouble)
  )
}

/** The states of all accounts, shared by the queries of half a second, as `cluster` is. */
export async function allStates(services: Services): Promise<readonly AccountState[]> {
  return await statesIn(await services.processes.cluster())(services)
}

const statesIn = computedOnce((cluster: ClusterView) => {
  let read: Promise<readonly AccountState[]> | undefined
  return (services: Services) => (read ??= readStates(services, cluster))
})

async function readStates(services: Services, cluster: ClusterView): Promise<AccountState[]> {
  const { ids, find } = indexOf(services.running)
  const states: AccountState[] = []
  for (let next = 0; next < ids.length; next += statesPerTurn) {
    const views = ids.slice(next, next + statesPerTurn).map((id) => find(id)!)
    states.push(...statesOf(services, views, cluster))
    await nextTurn()
  }
  return states
}

/** The accounts of one snapshot, also those that no call can use. */
interface AccountIndex {
  /** In their order. */
  readonly ids: readonly string[]
  find(id: string): AccountView | undefined
}

/** A snapshot is replaced with every change of an account, and read by many operators. */
const indexes = new WeakMap<Snapshot, AccountIndex>()

function indexOf(running: AdminServices['running']): AccountIndex {
  const { snapshot } = running.accounts
  const known = indexes.get(snapshot)
  if (known) return known
  const index = createIndex(running)
  indexes.set(snapshot, index)
  return index
}

function createIndex({
  accounts: { snapshot, configured, storedProblems },
  storedAccounts: { accounts: stored },
}: AdminServices['running']): AccountIndex {
  const live = byId(snapshot.accounts)
  const settings = byId(configured.accounts)
  const records = byId(stored)
  const ids = [...new Set([...live.keys(), ...records.keys()])].toSorted()
  const views = new Map<string, AccountView>()

  function create(id: string): AccountView | undefined {
    const [account, setting, record] = [live.get(id), settings.get(id), records.get(id)]
    const problems = storedProblems.get(id) ?? []
    if (account && setting) return ofFile(account, setting, problems)
    if (account || record) return ofStore(record ?? { id, problems }, account, problems)
    return undefined
  }

  return {
    ids,
    find(id) {
      const view = views.get(id) ?? create(id)
      if (view) views.set(id, view)
      return view
    },
  }
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]))
}
