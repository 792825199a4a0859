import type { AccountExclusion } from '../../contract/call.ts'
import { WorkLine } from '../../lib/turns.ts'
import { accountIn, cutIn, cutListsIn, silentIn } from '../processes/everywhere.ts'
import type { ProcessesView } from '../processes/heartbeat.ts'
import type { AdminServices } from '../services.ts'
import { type AccountState, exclusionsHere, gravestFirst, stateOf } from './state.ts'
import { type AccountView, byOperator } from './views.ts'

/** What keeps an account out in one process. */
export type PlacedExclusion = AccountExclusion & { readonly processId: string }

/** What an account is and what keeps calls from it, in all processes. */
interface AccountStanding extends AccountState {
  /** The gravest first, and of equal ones those of the process that answers. */
  readonly exclusions: readonly PlacedExclusion[]
  /** Processes whose part is missing, see `silentIn`. */
  readonly silent: readonly string[]
  /** Processes that may exclude the account without saying so, see `cutIn`. */
  readonly cut: readonly string[]
  /** Processes that have more exclusions of the account than they say, see `cutListsIn`. */
  readonly cutLists: readonly string[]
}

type Services = Pick<AdminServices, 'running' | 'log' | 'processes'>

/** A page asks for the standings of all its accounts at once, and each may have thousands of exclusions. */
const line = new WorkLine()

/** The standing of one account. */
export async function standingOf(services: Services, view: AccountView): Promise<AccountStanding> {
  const all = await services.processes.view()
  return line.do(() => standingsOf(services, [view], all).get(view.id)!)
}

/** The standings of some accounts, by their ids, as `all` processes say. Takes a while for more than a few. */
export function standingsOf(
  { running, log, processes }: Services,
  views: readonly AccountView[],
  all: ProcessesView,
): Map<string, AccountStanding> {
  const accounts = views.flatMap(({ account }) => (account ? [account] : []))
  const here = exclusionsHere(running.plugins, accounts, log)
  const silent = silentIn(all)
  const reasonOf = (id: string) => running.accountStates.reasonOf(id)
  return new Map(
    views.map((view) => {
      const own = here.get(view.id) ?? []
      const exclusions = gravestFirst([
        ...own.map((one) => ({ ...one, processId: processes.id })),
        ...accountIn(all, view.id)
          .filter(({ processId }) => processId !== processes.id)
          .flatMap((placed) =>
            placed.exclusions.map((one) => ({ ...one, processId: placed.processId })),
          ),
      ] as PlacedExclusion[])
      const cut = cutIn(all, processes.id, view.id)
      const cutLists = cutListsIn(all, processes.id, view.id)
      const state = stateWith(view, exclusions, reasonOf)
      return [view.id, { ...state, exclusions, silent, cut, cutLists }]
    }),
  )
}

function stateWith(
  { id, account, enabled, disabledBy, problems }: AccountView,
  exclusions: readonly AccountExclusion[],
  reasonOf: (id: string) => string | undefined,
): AccountState {
  if (!account) {
    const reason = problems[0]?.message
    return { state: 'invalid', ...(reason !== undefined && { reason }) }
  }
  if (enabled) return stateOf(exclusions)
  const why = disabledBy === byOperator ? reasonOf(id) : undefined
  const reason = why === undefined ? disabledBy : `${disabledBy}: ${why}`
  return { state: 'disabled', ...(reason !== undefined && { reason }) }
}
