import { type Log, describeError } from '../lib/log.ts'
import { type OperatorStates, followStates } from '../stores/operator-states.ts'
import { type StoredAliases, followAliases } from '../stores/aliases.ts'
import type { Limit, LimitSubject } from '../contract/quota.ts'
import { compileLimits, quotaProblem } from '../limits/compile.ts'
import type { LimitSet } from '../limits/limit-set.ts'
import { type ExtraRecord, type LimitRecord, followExtras, followLimits } from '../stores/limits.ts'
import { openStore } from '../stores/open.ts'
import type { Store } from '../stores/store.ts'
import { type PriceRecord, followPrices } from '../stores/prices.ts'
import type { FollowedSettings } from '../stores/stored-settings.ts'
import { type TeamRecord, followTeams } from '../stores/teams.ts'

/** An unavailable store fails often, so its errors are logged at most once in this time, in milliseconds. */
const outageMs = 60_000

/** Opens a store by its URL and logs its outages. Rejects as `openStore` does. */
export function openLoggedStore(
  url: string,
  { cwd, log }: { readonly cwd: string; readonly log: Log },
): Promise<Store> {
  let last = -Infinity
  const onError = (error: unknown) => {
    if (performance.now() - last < outageMs) return
    last = performance.now()
    log.error('the store is unavailable', describeError(error))
  }
  return openStore(url, { cwd, onError })
}

/** Follows which accounts the store disables. */
export async function followAccounts(store: Store, log: Log): Promise<OperatorStates> {
  const states = await followStates({
    store,
    of: 'account',
    onError: (error, isKnown) =>
      log.error(isKnown ? lastKnown : asConfigured, describeError(error)),
  })
  if (states.disabled.size > 0) {
    log.warn('accounts are disabled', { accounts: [...states.disabled] })
  }
  return states
}

/** Follows the aliases of the store, and logs those whose records are damaged. */
export function followStoredAliases(store: Store, log: Log): Promise<StoredAliases> {
  return followAliases({
    store,
    onError: (error) =>
      log.error('the store failed; the last known aliases stay in use', describeError(error)),
    onUnreadable: (names) =>
      log.error('records of aliases are damaged; these aliases do not exist', { aliases: names }),
  })
}

/** Follows the teams of the store: `use` gets them at the start, and after each change. */
export async function followStoredTeams(
  store: Store,
  log: Log,
  use: (teams: readonly TeamRecord[]) => void,
): Promise<FollowedSettings<TeamRecord>> {
  const teams = await followTeams({
    store,
    onError: (error) =>
      log.error('the store failed; the last known teams stay in use', describeError(error)),
    onUnreadable: (ids) =>
      log.error('records of teams are damaged; their keys may use no model', { teams: ids }),
  })
  const useAll = () => use([...teams.records.values()])
  useAll()
  teams.onChange(useAll)
  return teams
}

/** The limits of the store, and the extra amounts that operators have granted to limits. */
export interface StoredLimits {
  readonly storedLimits: FollowedSettings<LimitRecord>
  readonly extras: FollowedSettings<ExtraRecord>
}

/** Follows the limits of the store: `limits` gets them at the start, and after each change. */
export async function followStoredLimits(
  store: Store,
  log: Log,
  limits: Pick<LimitSet, 'replace' | 'replaceExtras'>,
): Promise<StoredLimits> {
  const onError = (error: unknown) =>
    log.error('the store failed; the last known limits stay in use', describeError(error))
  const onUnreadable = (ids: readonly string[]) =>
    log.error(
      'records of limits are damaged; until they are set again, their subjects get no calls',
      {
        limits: ids,
      },
    )
  const storedLimits = await followLimits({ store, onError, onUnreadable })
  const useLimits = () => {
    const { readable, damaged } = compileRecords(storedLimits.records.values())
    if (damaged.length > 0) onUnreadable(damaged)
    const closed = [...storedLimits.unreadable, ...damaged].flatMap((id) => closedLimit(id) ?? [])
    limits.replace('STORE', [...readable, ...closed])
  }
  useLimits()
  storedLimits.onChange(useLimits)
  const extras = await followExtras({ store, onError, onUnreadable })
  const useExtras = () => limits.replaceExtras(extras.records)
  useExtras()
  extras.onChange(useExtras)
  return { storedLimits, extras }
}

/** A limit of no calls stands for one that cannot be read, which may be a budget that is spent. */
function closedLimit(id: string): Limit | undefined {
  const [, type, subject = ''] = /^(key|team|gateway|account):([^:]*):/.exec(id) ?? []
  if (type === undefined) return undefined
  const of = { type: type as LimitSubject['type'], id: subject }
  const [limit] = compileLimits(of, [{ kind: 'requests', amount: 0 }], 'STORE')
  return limit && { ...limit, id, isDamaged: true }
}

function compileRecords(records: Iterable<LimitRecord>) {
  const readable: Limit[] = []
  const damaged: string[] = []
  for (const { id, subject, quota } of records) {
    const isSound = quotaProblem(subject, quota) === undefined
    const [limit] = isSound ? compileLimits(subject, [quota], 'STORE') : []
    if (limit?.id === id) readable.push(limit)
    else damaged.push(id)
  }
  return { readable, damaged }
}

/** Follows the prices of the store. */
export function followStoredPrices(store: Store, log: Log): Promise<FollowedSettings<PriceRecord>> {
  return followPrices({
    store,
    onError: (error) =>
      log.error('the store failed; the last known prices stay in use', describeError(error)),
    onUnreadable: (ids) =>
      log.error('records of prices are damaged; these prices do not exist', { prices: ids }),
  })
}

const lastKnown = 'the store failed; accounts stay enabled or disabled as they were last known'
const asConfigured =
  'the store cannot be read; accounts are enabled or disabled as the configuration says'
