import { type Availability, availabilityOf } from '../../accounts/availability.ts'
import { eachExclusions } from '../../accounts/exclusions.ts'
import type { Account } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import { computedOnce } from '../../lib/computed-once.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { ClusterView } from '../processes/cluster-view.ts'
import type { AdminServices } from '../services.ts'
import { bySeverity } from './state.ts'

type Services = Pick<AdminServices, 'running' | 'processes'>

/** An account that a process gives no calls, or not the calls of each model. */
interface Troubled extends Availability {
  /** By severity. */
  readonly exclusions: readonly AccountExclusion[]
}

/** The accounts in trouble of each process, by their ids; this process comes first. */
export type Outages = readonly ReadonlyMap<string, Troubled>[]

/** Which calls of accounts are kept out now, in all processes. Shared by the queries of half a second, as `cluster` is. */
export async function outagesOf(services: Services): Promise<Outages> {
  return await outagesIn(await services.processes.cluster())(services)
}

const outagesIn = computedOnce((cluster: ClusterView) => {
  let read: Promise<Outages> | undefined
  return (services: Services) => (read ??= readOutages(services, cluster))
})

async function readOutages(
  { running, processes }: Services,
  cluster: ClusterView,
): Promise<Outages> {
  const { accounts } = running.accounts.snapshot
  const here = new Map<string, Troubled>()
  const note = (account: Account, exclusions: readonly AccountExclusion[]) => {
    if (exclusions.length > 0) here.set(account.id, troubledBy(account, exclusions))
  }
  await runInTurns(eachExclusions(running.plugins, accounts, note))
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const others = cluster.processes.processes.filter(({ id }) => id !== processes.id)
  const elsewhere = others.map(
    ({ id }) =>
      new Map(
        cluster.accountsOf(id).flatMap(({ id: accountId, exclusions }): [string, Troubled][] => {
          const account = byId.get(accountId)
          const found = exclusions as readonly AccountExclusion[]
          return account && found.length > 0 ? [[accountId, troubledBy(account, found)]] : []
        }),
      ),
  )
  return [here, ...elsewhere.filter(({ size }) => size > 0)]
}

function troubledBy(account: Account, exclusions: readonly AccountExclusion[]): Troubled {
  const sorted = bySeverity(exclusions)
  return { ...availabilityOf(account, sorted), exclusions: sorted }
}

/** What keeps all calls of a model, by the account's own name, from an account in a process. Absent: it gets calls. */
export function causeIn(
  troubled: Outages[number],
  { id }: Account,
  ownModel: string | undefined,
): AccountExclusion | undefined {
  const found = troubled.get(id)
  return (
    found?.closedBy[0] ??
    (ownModel === undefined ? undefined : found?.lostModels.get(ownModel)?.[0])
  )
}
