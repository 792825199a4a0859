import { exclusionsAmong } from '../../accounts/exclusions.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import { describeError } from '../../lib/log.ts'
import { nextTurn } from '../../lib/turns.ts'
import type { ClusterView } from '../processes/cluster-view.ts'
import type { AdminServices } from '../services.ts'
import { type AccountState, bySeverity, servesAll, stateOf, worseOf } from './state.ts'
import { type AccountView, byOperator } from './views.ts'

/** An exclusion of an account, and the process that has it. */
export type PlacedExclusion = AccountExclusion & { readonly processId: string }

/** The state of an account and its exclusions, in all processes. */
interface AccountStatus extends AccountState {
  /** By severity; among equals the exclusions of the process that answers come first. */
  readonly exclusions: readonly PlacedExclusion[]
  /** The ids of processes whose part is missing. */
  readonly missing: readonly string[]
}

type Services = Pick<AdminServices, 'running' | 'log' | 'processes'>

/** The status of one account. */
export async function statusOf(services: Services, view: AccountView): Promise<AccountStatus> {
  const cluster = await services.processes.cluster()
  // A page asks for the statuses of all its accounts at once, and each may have thousands of exclusions.
  await nextTurn()
  const [exclusions = none] = exclusionsOf(services, [view], cluster)
  return { ...stateWith(view, exclusions, services), exclusions, missing: cluster.missing }
}

/** The states of some accounts, as all processes say. Takes a while for more than a few. */
export function statesOf(
  services: Services,
  views: readonly AccountView[],
  cluster: ClusterView,
): AccountState[] {
  const exclusions = exclusionsOf(services, views, cluster)
  return views.map((view, index) => stateWith(view, exclusions[index]!, services))
}

/** Most of ten thousand accounts have no exclusions. */
const none: readonly PlacedExclusion[] = []

/** The exclusions of each of some accounts, by severity. */
function exclusionsOf(
  { running, log, processes }: Services,
  views: readonly AccountView[],
  cluster: ClusterView,
): (readonly PlacedExclusion[])[] {
  const accounts = views.flatMap(({ account }) => account ?? [])
  const here = exclusionsAmong(running.plugins, accounts, ({ name: plugin }, error) =>
    log.error('a plugin cannot say what it excludes', { plugin, ...describeError(error) }),
  )
  return views.map(({ id }) => {
    const own = here.get(id)
    const others = cluster.accountIn(id).filter(({ processId }) => processId !== processes.id)
    if (!own && others.length === 0) return none
    const placed = (own ?? []).map((one) => ({ ...one, processId: processes.id }))
    const elsewhere = others.flatMap(({ exclusions, processId }) =>
      exclusions.map((one) => ({ ...one, processId })),
    )
    return bySeverity([...placed, ...elsewhere] as PlacedExclusion[])
  })
}

function stateWith(
  { id, account, enabled, disabledBy, problems }: AccountView,
  exclusions: readonly PlacedExclusion[],
  { running }: Pick<Services, 'running'>,
): AccountState {
  if (!account) {
    const reason = problems[0]?.message
    return { state: 'INVALID', serves: 'NOTHING', ...(reason !== undefined && { reason }) }
  }
  if (enabled) {
    const byProcess = Map.groupBy(exclusions, ({ processId }) => processId)
    return [...byProcess.values()].reduce(
      (worst, own) => worseOf(worst, stateOf(account, own)),
      servesAll,
    )
  }
  const why = disabledBy === byOperator ? running.accountStates.reasonOf(id) : undefined
  const reason = why === undefined ? disabledBy : `${disabledBy}: ${why}`
  return { state: 'DISABLED', serves: 'NOTHING', ...(reason !== undefined && { reason }) }
}
