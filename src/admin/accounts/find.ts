import type { Snapshot } from '../../contract/candidate.ts'
import { firstBehind } from '../../lib/first-behind.ts'
import { sortInTurns } from '../../lib/sort-in-turns.ts'
import { Turns } from '../../lib/turns.ts'
import type { AdminServices } from '../services.ts'
import { type ActFailure, notFound, storeUnavailable } from '../failures.ts'
import { catchUpAccounts } from './catch-up.ts'
import { statesOf } from './status.ts'
import { type AccountView, ofFile, ofStore } from './views.ts'

type Services = Pick<AdminServices, 'running' | 'log' | 'processes'>

/** The accounts of a page, and those that it passes over. */
interface AccountsPage {
  readonly after: string | undefined
  readonly limit: number
  readonly provider?: string | null | undefined
  readonly state?: string | null | undefined
}

/** The account of an id. */
export async function findAccount(
  { running }: Pick<Services, 'running'>,
  id: string,
): Promise<AccountView | undefined> {
  return (await indexOf(running)).find(id)
}

/**
 * The account of an id for an act, which changes what another process may have written just now; or the failure
 * of the act: there is none, or the store cannot say whether there is one.
 */
export async function findLatestAccount(
  services: Pick<Services, 'running'>,
  id: string,
): Promise<AccountView | ActFailure> {
  await catchUpAccounts(services)
  // As of the snapshot that is searched.
  const { isStale } = services.running.storedAccounts
  const found = await findAccount(services, id)
  return found ?? (isStale ? storeUnavailable() : notFound('account', id))
}

/** Accounts that a filter examines between two looks at the clock. */
const lookAtOnce = 100

/** The same for a filter by state. Each account may have some thousand exclusions. */
const statesAtOnce = 8

/** The accounts of the configuration and the store that a page selects, in the order of their ids. */
export async function listAccounts(
  services: Services,
  { after = '', limit, provider, state }: AccountsPage,
): Promise<AccountView[]> {
  const { ids, find } = await indexOf(services.running)
  const all = typeof state === 'string' ? await services.processes.view() : undefined
  const lookAt = all ? statesAtOnce : typeof provider === 'string' ? lookAtOnce : limit
  const isListed = (view: AccountView) => typeof provider !== 'string' || view.provider === provider
  const found: AccountView[] = []
  const turns = new Turns()
  let next = firstBehind(ids.length, (index) => ids[index]! > after)
  while (next < ids.length && found.length < limit) {
    const part = ids.slice(next, next + lookAt)
    next += part.length
    const views = part.map((id) => find(id)!).filter(isListed)
    const states = all && statesOf(services, views, all)
    found.push(...views.filter((_, index) => !states || states[index] === state))
    if (turns.isOver) await turns.next()
  }
  return found.slice(0, limit)
}

/** The accounts of one snapshot, also those that no call can use. */
interface AccountIndex {
  /** In their order. */
  readonly ids: readonly string[]
  find(id: string): AccountView | undefined
}

/** A snapshot is replaced with every change of an account, and read by many operators. */
const indexes = new WeakMap<Snapshot, Promise<AccountIndex>>()

function indexOf(running: AdminServices['running']): Promise<AccountIndex> {
  const { snapshot } = running.accounts
  const known = indexes.get(snapshot)
  if (known) return known
  const index = createIndex(running)
  indexes.set(snapshot, index)
  return index
}

/** In turns of the event loop: there may be ten thousand accounts. */
async function createIndex({
  accounts: { snapshot, configured, storedProblems },
  storedAccounts: { accounts: stored },
}: AdminServices['running']): Promise<AccountIndex> {
  const turns = new Turns()
  // The accounts may have been compiled in this turn.
  await turns.next()
  const live = await byId(snapshot.accounts, turns)
  const settings = await byId(configured.accounts, turns)
  const records = await byId(stored, turns)
  const ids = await sortInTurns([...new Set([...live.keys(), ...records.keys()])])
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

async function byId<Item extends { readonly id: string }>(
  items: readonly Item[],
  turns: Turns,
): Promise<Map<string, Item>> {
  const map = new Map<string, Item>()
  for (const item of items) {
    map.set(item.id, item)
    if (turns.isOver) await turns.next()
  }
  return map
}
