import { z } from 'zod'

import type { Log } from '../../lib/log.ts'
import { type ReadmitCommand, readmitHere } from '../accounts/readmit.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { AccountCalls } from '../services.ts'
import type { CommandOutcome } from './commands.ts'
import type { Processes } from './index.ts'

const text = z.string().max(512)

const readmission = z.discriminatedUnion('kind', [
  z.strictObject({
    accountId: text,
    kind: z.literal('circuit'),
    dialect: z.exactOptional(text),
  }),
  z.strictObject({
    accountId: text,
    kind: z.literal('cool-down'),
    model: z.exactOptional(text),
  }),
])

const cancelInput = z.object({ accountId: text })

/** Lets this process act on accounts for other processes. */
export function answerForAccounts(
  processes: Processes,
  running: Pick<RunningGateway, 'accounts' | 'plugins' | 'accountStates'>,
  log: Log,
): void {
  const { handle, cancel, beat } = processes
  handle('readmit', async (input) => {
    const ended = readmitHere(running, readmission.parse(input), log)
    // The first one may have begun before.
    if (ended > 0) await beat().then(beat)
    return ended
  })
  handle('cancelCalls', async (input) => {
    const { accountId } = cancelInput.parse(input)
    // Before this process knows that the account is disabled, it might begin further calls.
    await running.accountStates.catchUp()
    await running.accountStates.catchUp()
    return callsAt(processes, accountId).filter(({ id }) => cancel(id)).length
  })
}

/** Ends exclusions of an account in all processes. Resolves with how many; see `Processes.broadcast`. */
export async function readmitEverywhere(
  processes: Processes,
  command: ReadmitCommand,
): Promise<number> {
  const ended = sumOf(await processes.broadcast({ kind: 'readmit', input: { ...command } }))
  processes.forget()
  return ended
}

/** The calls of all processes, by account. */
export function callsOf(processes: Processes): AccountCalls {
  return {
    async inFlight(id) {
      const { processes: known } = await processes.view()
      return known
        .filter((one) => one.id !== processes.id && !one.isStale)
        .flatMap(({ accounts }) => accounts.filter((account) => account.id === id))
        .reduce((sum, { inFlight }) => sum + inFlight, callsAt(processes, id).length)
    },
    cancel: async (accountId) =>
      sumOf(await processes.broadcast({ kind: 'cancelCalls', input: { accountId } })),
  }
}

/** The calls of this process at an account. */
function callsAt({ monitor }: Pick<Processes, 'monitor'>, accountId: string) {
  return monitor.inFlight.filter(
    ({ progress }) => progress.attempt?.candidate.account.id === accountId,
  )
}

/** Other processes write results into the store, where they may be anything. */
function sumOf(outcomes: readonly CommandOutcome[]): number {
  return outcomes.reduce(
    (sum, { result }) => sum + (Number.isSafeInteger(result) ? Number(result) : 0),
    0,
  )
}
