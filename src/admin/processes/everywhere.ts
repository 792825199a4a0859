import type { ProcessesView } from './heartbeat.ts'
import type { Processes } from './index.ts'
import { type ProcessAccount, type ProcessRecord, mostExclusions } from './record.ts'

/** What keeps an account out in one process. */
type KeptOut = ProcessAccount['exclusions'][number] & {
  /** The id of the process. */
  readonly process: string
  readonly worker?: number
}

/** An account in one process. */
export type PlacedAccount = ProcessAccount & {
  readonly processId: string
  readonly worker?: number | undefined
}

/** What keeps accounts out, in all of these processes. */
function keptOutOf(
  processes: readonly Pick<ProcessRecord, 'id' | 'worker' | 'accounts'>[],
): KeptOut[] {
  return processes.flatMap(({ id, worker, accounts }) =>
    accounts.flatMap(({ exclusions }) =>
      exclusions.map((exclusion) => ({
        ...exclusion,
        process: id,
        ...(worker !== undefined && { worker }),
      })),
    ),
  )
}

/** The accounts of a view. */
interface ViewIndex {
  readonly placed: ReadonlyMap<string, readonly PlacedAccount[]>
  /** The ids of other processes with more accounts in trouble than their records have. */
  readonly cut: readonly string[]
}

/** A view is shared by queries, which ask for many accounts. */
const indexes = new WeakMap<ProcessesView, ViewIndex>()

/** What the processes of a view say of an account: those in which it is in use or in trouble. */
export function accountIn(view: ProcessesView, id: string): readonly PlacedAccount[] {
  return indexOf(view).placed.get(id) ?? []
}

/**
 * The ids of processes that do not say whether they exclude an account: they have more accounts in trouble than
 * their records have room for. Without an account: all such processes. `self` knows all of its own.
 */
export function cutIn(view: ProcessesView, self: string, account?: string): readonly string[] {
  const { cut } = indexOf(view)
  if (cut.length === 0) return cut
  const saying = new Set(
    account === undefined ? [] : accountIn(view, account).map(({ processId }) => processId),
  )
  return cut.filter((id) => id !== self && !saying.has(id))
}

/** The ids of other processes that exclude an account for more causes than their records have room for. */
export function cutListsIn(view: ProcessesView, self: string, account: string): readonly string[] {
  return accountIn(view, account)
    .filter((one) => one.processId !== self && exclusionsBehind(one) > 0)
    .map(({ processId }) => processId)
}

/** How many exclusions of an account a record has no room for, at least. An earlier version does not count them. */
export function exclusionsBehind({
  exclusions,
  moreExclusions,
}: Pick<ProcessAccount, 'exclusions' | 'moreExclusions'>): number {
  return moreExclusions ?? (exclusions.length < mostExclusions ? 0 : 1)
}

/** How many exclusions of all accounts of a record it has no room for, at least. */
function allExclusionsBehind({ accounts }: Pick<ProcessRecord, 'accounts'>): number {
  return accounts.reduce((sum, account) => sum + exclusionsBehind(account), 0)
}

function indexOf(view: ProcessesView): ViewIndex {
  const known = indexes.get(view)
  if (known) return known
  const { processes, isReachable } = view
  const present = processes.filter(({ isStale }) => !(isStale && isReachable))
  const placed = present.flatMap(({ id: processId, worker, accounts }) =>
    accounts.map((account) => ({ ...account, processId, worker })),
  )
  const index = {
    placed: Map.groupBy(placed, ({ id }) => id),
    cut: present.filter((one) => inTroubleBehind(one) > 0).map(({ id }) => id),
  }
  indexes.set(view, index)
  return index
}

/** How many accounts in trouble a record has no room for, at most. */
export function inTroubleBehind({
  moreInTrouble,
  moreAccounts,
}: Pick<ProcessRecord, 'moreInTrouble' | 'moreAccounts'>): number {
  return moreInTrouble ?? moreAccounts
}

/** The ids of processes whose present state is not known; `unknown` for some that were never seen. */
export function silentIn({ processes, unreadable, isReachable }: ProcessesView): string[] {
  const stale = processes.filter(({ isStale }) => isStale).map(({ id }) => id)
  const silent = [...stale, ...unreadable]
  return isReachable || silent.length > 0 ? silent : ['unknown']
}

/** What `/readyz?verbose` of the admin address says of all processes. Never rejects. */
export async function readEverywhere(
  processes: Pick<Processes, 'view'>,
): Promise<Readonly<Record<string, unknown>>> {
  const view = await processes.view()
  const { processes: known, isComplete, isReachable } = view
  const silent = new Set(silentIn(view))
  return {
    store: { reachable: isReachable },
    processes: {
      complete: isComplete,
      ...(silent.size > 0 && { silent: [...silent] }),
      known: known.map((one) => ({
        id: one.id,
        worker: one.worker,
        draining: one.draining,
        ready: one.ready,
        inflight: one.inFlight,
        stale: one.isStale,
        configuration: one.configuration.hash,
        ...(one.moreAccounts > 0 && { more_accounts: one.moreAccounts }),
        ...(inTroubleBehind(one) > 0 && { more_in_trouble: inTroubleBehind(one) }),
        ...(allExclusionsBehind(one) > 0 && { more_kept_out: allExclusionsBehind(one) }),
      })),
    },
    kept_out: keptOutOf(known).map(({ untilMs, keyId, isProbing, ...rest }) => ({
      ...rest,
      ...(silent.has(rest.process) && { stale: true }),
      ...(keyId !== undefined && { key: keyId }),
      ...(isProbing === true && { probing: true }),
      ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
    })),
  }
}
