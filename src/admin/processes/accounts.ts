import { z } from 'zod'

import type { Log } from '../../lib/log.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import { type ReadmitCommand, readmitHere } from '../accounts/readmit.ts'
import type { AdminServices, Ended } from '../services.ts'
import { accountIn } from './everywhere.ts'
import { type Everyone, commandAll, commandAllOrHere } from './everyone.ts'
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

/** The largest number that GraphQL's `Int` can hold. */
const mostShown = 2 ** 31 - 1

const callsInput = z.strictObject({ accountId: text })

/** Lets this process readmit accounts, and end their calls, for other processes. */
export function answerForAccounts(
  { handle, beat, monitor }: Processes,
  running: Pick<RunningGateway, 'accounts' | 'accountStates' | 'gateway' | 'plugins'>,
  log: Log,
): void {
  handle('readmit', async (input) => {
    const ended = readmitHere(running, readmission.parse(input), log)
    // The process that asks shows the others as they are now.
    if (ended > 0) await beat()
    return ended
  })
  handle('endCalls', async (input) => {
    const { accountId } = callsInput.parse(input)
    // No call may begin behind those that end. A read may be under way that began earlier.
    await running.accountStates.catchUp()
    await running.accountStates.catchUp()
    const calls = monitor.inFlight.filter(
      ({ progress }) => progress.attempt?.candidate.account.id === accountId,
    )
    for (const exchange of calls) running.gateway.cancel(exchange)
    return calls.length
  })
}

/** Ends exclusions of an account in all processes. Rejects as `Processes.broadcast` does. */
export async function readmitEverywhere(
  processes: Processes,
  command: ReadmitCommand,
): Promise<Ended> {
  const everyone = await commandAll(processes, { kind: 'readmit', input: { ...command } })
  await processes.view({ afresh: true })
  return endedBy(everyone)
}

/** The calls of all processes, by account. */
export function callsOf(processes: Processes): AdminServices['calls'] {
  return {
    async inFlight(id) {
      const view = await processes.view()
      const all = accountIn(view, id).reduce((sum, { inFlight }) => sum + inFlight, 0)
      return Math.min(all, mostShown)
    },
    async cancel(accountId) {
      const command = { kind: 'endCalls', input: { accountId } }
      return endedBy(await commandAllOrHere(processes, command))
    },
  }
}

function endedBy({ outcomes, silent }: Everyone): Ended {
  const ended = outcomes.reduce(
    (sum, { result }) => sum + (Number.isSafeInteger(result) ? Number(result) : 0),
    0,
  )
  return { ended, silent }
}
