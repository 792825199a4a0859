import { z } from 'zod'

import type { Account } from '../../contract/account.ts'
import type { Snapshot } from '../../contract/candidate.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { AskOptions, BroadcastResult, Command, CommandHandler } from './broadcast.ts'
import { type FoundExclusions, exclusionsOf, mostExclusions } from './exclusions.ts'
import type { Monitor } from './monitor.ts'
import { mostBuckets } from './recent-calls.ts'
import { type ProcessesView, unreachableProcesses } from './presence.ts'
import { bounded, count, exclusionSchema, text, upTo } from './values.ts'

/** Accounts of one answer: those in trouble first, then those in use. */
const mostAccounts = 200

/** The accounts of one answer, in characters of JSON. One of them has a few hundred as a rule. */
const longestAccounts = 131_072

/** How long the processes may take, in milliseconds. */
const deadlineMs = 1_000

/** The answers are shared by the queries of this time, in milliseconds. */
const sharedMs = 500

const processAccount = z.object({
  id: text,
  inFlight: count,
  calls: count,
  failures: count,
  /** The calls of the last minutes. Absent: there were none, or the process is of an earlier version. */
  recent: z
    .object({ calls: count, failures: count, times: upTo(mostBuckets, count) })
    .readonly()
    .optional(),
  exclusions: upTo(mostExclusions, exclusionSchema),
})

/** The answer of one process. */
const accountsAnswer = z.object({
  accounts: upTo(mostAccounts, processAccount),
  /** The answer has no room for all accounts in trouble. */
  isTruncated: z.boolean(),
})

/** An account in one process. */
type ProcessAccount = Readonly<z.infer<typeof processAccount>>

type AccountsAnswer = Readonly<z.infer<typeof accountsAnswer>>

/** An account, and the process that says it. */
export interface PlacedAccount extends ProcessAccount {
  readonly processId: string
  readonly worker?: number | undefined
}

/** All processes, and the accounts that are in trouble or in use in them. */
export interface ClusterView {
  readonly processes: ProcessesView
  /** The processes in which an account is in use or in trouble. */
  accountIn(id: string): readonly PlacedAccount[]
  /** The accounts of a process, those in trouble first. */
  accountsOf(processId: string): readonly PlacedAccount[]
  /** The ids of processes that did not answer, or have more accounts in trouble than their answers. */
  readonly missing: readonly string[]
}

/** The processes that are asked. */
interface AskedProcesses {
  /** The id of this process. */
  readonly id: string
  readonly monitor: Monitor
  handle(kind: string, handler: CommandHandler): void
  ask(command: Command, options: AskOptions): Promise<BroadcastResult>
  view(): Promise<ProcessesView>
}

/** Lets other processes ask this one for its accounts. Returns what asks all of them. */
export function createClusterView(
  processes: AskedProcesses,
  running: RunningGateway,
): (options?: { readonly afresh?: boolean }) => Promise<ClusterView> {
  const { monitor, id: self } = processes
  const judges = running.plugins.filter((plugin) => plugin.exclusions)
  /** The accounts of which `monitor` has counts. */
  let counted: Snapshot | undefined
  let asked: { readonly at: number; readonly view: Promise<ClusterView> } | undefined

  async function own(): Promise<AccountsAnswer> {
    const { snapshot } = running.accounts
    if (snapshot !== counted) monitor.keepAccounts(new Set(snapshot.accounts.map(idOf)))
    counted = snapshot
    return describeAccounts(monitor, await runInTurns(exclusionsOf(judges, snapshot.accounts)))
  }

  async function ask(): Promise<ClusterView> {
    const { outcomes, unanswered } = await processes.ask(
      { kind: 'accounts' },
      { asker: self, deadlineMs },
    )
    const view = await processes.view()
    const missing = new Set(unanswered)
    const placed: PlacedAccount[] = []
    for (const { processId, status, result } of outcomes) {
      const { data } = accountsAnswer.safeParse(result)
      const worker = view.processes.find(({ id }) => id === processId)?.worker
      placed.push(...(data?.accounts ?? []).map((one) => ({ ...one, processId, worker })))
      if (status !== 'DONE' || !data || (data.isTruncated && processId !== self)) {
        missing.add(processId)
      }
    }
    const byAccount = Map.groupBy(placed, idOf)
    const byProcess = Map.groupBy(placed, ({ processId }) => processId)
    return {
      processes: view,
      accountIn: (id) => byAccount.get(id) ?? [],
      accountsOf: (id) => byProcess.get(id) ?? [],
      missing: [...missing],
    }
  }

  processes.handle('accounts', own)
  return ({ afresh = false } = {}) => {
    const at = performance.now()
    if (afresh || !asked || at - asked.at > sharedMs) asked = { at, view: ask() }
    return asked.view
  }
}

const idOf = ({ id }: Pick<Account, 'id'>) => id

/**
 * The accounts that a process shows: those in trouble, then those in flight, then the most called; so many that
 * others can read them in one turn of their event loops.
 */
export function describeAccounts(
  monitor: Pick<Monitor, 'inFlight' | 'accounts' | 'recentCalls'>,
  exclusions: ReadonlyMap<string, FoundExclusions>,
): AccountsAnswer {
  const inFlight = countByAccount(monitor)
  const troubled = [...exclusions.keys()]
  const busy = [...inFlight.keys()].filter((id) => !exclusions.has(id))
  const used = [...monitor.accounts.keys()].filter((id) => !exclusions.has(id) && !inFlight.has(id))
  const calls = (id: string) => monitor.accounts.get(id)?.calls ?? 0
  const ids = [...troubled, ...busy]
  if (ids.length < mostAccounts) ids.push(...used.toSorted((a, b) => calls(b) - calls(a)))
  const accounts: ProcessAccount[] = []
  let size = 0
  for (const id of ids.slice(0, mostAccounts)) {
    const { calls: recentCalls, failures, times } = monitor.recentCalls(id)
    const account = {
      id: bounded(id),
      inFlight: inFlight.get(id) ?? 0,
      calls: calls(id),
      failures: monitor.accounts.get(id)?.failures ?? 0,
      ...(recentCalls > 0 && { recent: { calls: recentCalls, failures, times: [...times] } }),
      exclusions: [...(exclusions.get(id)?.exclusions ?? [])],
    }
    size += JSON.stringify(account).length
    if (size > longestAccounts) break
    accounts.push(account)
  }
  return { accounts, isTruncated: troubled.length > accounts.length }
}

function countByAccount({ inFlight }: Pick<Monitor, 'inFlight'>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { progress } of inFlight) {
    const id = progress.attempt?.candidate.account.id
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** The part of `/readyz?verbose` of the admin address about all processes. */
export function describeCluster(cluster: ClusterView): Readonly<Record<string, unknown>> {
  const { processes: view, missing, accountsOf } = cluster
  const { processes: known, isComplete, isReachable } = view
  const silent = new Set([...unreachableProcesses(view), ...missing])
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
      })),
    },
    kept_out: known.flatMap(({ id, worker }) =>
      accountsOf(id).flatMap(({ exclusions }) =>
        exclusions.map(({ untilMs, keyId, isProbing, ...rest }) => ({
          ...rest,
          process: id,
          worker,
          ...(keyId !== undefined && { key: keyId }),
          ...(isProbing === true && { probing: true }),
          ...(untilMs !== undefined && { until: new Date(untilMs).toISOString() }),
        })),
      ),
    ),
  }
}
