import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { TokenRing } from '../token-ring.ts'
import { CommandRefused } from './broadcast.ts'
import type { Processes } from './index.ts'

/** The processes that use every change of the store made before the question. */
export interface ChangesInForce {
  readonly processIds: readonly string[]
  /** Processes that did not answer, or that the store does not answer. */
  readonly missingIds: readonly string[]
}

/** Lets other processes ask this one to read the store. */
export function answerForChanges(
  { handle }: Pick<Processes, 'handle'>,
  running: RunningGateway,
  tokens: Pick<TokenRing, 'isStale' | 'catchUp'>,
): void {
  const { storedAccounts, accountStates, keys, storedTeams, storedLimits, extras } = running
  const followed = [
    storedAccounts,
    accountStates,
    keys,
    storedTeams,
    storedLimits,
    extras,
    running.aliases,
    running.prices,
    tokens,
  ]
  const catchUp = () => Promise.all(followed.map((one) => one.catchUp()))
  handle('readStore', async () => {
    await catchUp()
    // A read that began before the change may have been under way.
    await catchUp()
    if (keys.states.isStale || followed.some(({ isStale }) => isStale))
      throw new CommandRefused('The store does not answer this process.')
    return true
  })
}

/** Asks each process to read the store, and says which have done it. */
export async function changesInForce(
  { ask }: Pick<Processes, 'ask'>,
  asker: string,
): Promise<ChangesInForce> {
  const { outcomes, unanswered } = await ask({ kind: 'readStore' }, { asker })
  const done = outcomes.filter(({ status }) => status === 'DONE')
  return { processIds: done.map(({ processId }) => processId), missingIds: unanswered }
}
