import type { ProcessesView } from './heartbeat.ts'
import type { Processes } from './index.ts'
import type { ProcessAccount, ProcessRecord } from './record.ts'

/** What keeps an account out in one process. */
export type KeptOut = ProcessAccount['exclusions'][number] & {
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
export function keptOutOf(
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

/** A view is shared by queries, which ask for many accounts. */
const indexes = new WeakMap<ProcessesView, ReadonlyMap<string, readonly PlacedAccount[]>>()

/** What the processes of a view say of an account: those in which it is in use or in trouble. */
export function accountIn(view: ProcessesView, id: string): readonly PlacedAccount[] {
  const index = indexes.get(view) ?? indexOf(view)
  indexes.set(view, index)
  return index.get(id) ?? []
}

function indexOf({ processes, isReachable }: ProcessesView) {
  const present = processes.filter(({ isStale }) => !(isStale && isReachable))
  const placed = present.flatMap(({ id: processId, worker, accounts }) =>
    accounts.map((account) => ({ ...account, processId, worker })),
  )
  return Map.groupBy(placed, ({ id }) => id)
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
