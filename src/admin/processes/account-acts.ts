import { z } from 'zod'

import type { ReadmissionChoice } from '../../contract/plugin.ts'
import { type Log, describeError } from '../../lib/log.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { BroadcastResult } from './broadcast.ts'
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

const callsInput = z.strictObject({ accountId: text })

/** Ends exclusions of an account. It is JSON, so that it can go to other processes. */
export type ReadmitCommand = { readonly accountId: string } & ReadmissionChoice

/** The circuits, pauses or calls that all processes have ended. */
export interface Ended {
  /** How many, in all processes that answered. */
  readonly ended: number
  /** The ids of processes that did not answer, or failed. */
  readonly unanswered: readonly string[]
}

/** The calls under way, by account. */
export interface AccountCalls {
  /** How many calls the account serves; the calls in other processes as of half a second ago. */
  inFlight(accountId: string): Promise<number>
  /** Ends the calls with an error in their dialects; only the calls of this process if the store is away. */
  cancel(accountId: string): Promise<Ended>
}

/** Lets this process readmit accounts, and end their calls, for other processes. */
export function answerForAccounts(
  { handle, monitor }: Processes,
  running: RunningGateway,
  log: Log,
): void {
  handle('readmit', (input) => readmitHere(running, readmission.parse(input), log))
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
  const result = await processes.broadcast({ kind: 'readmit', input: { ...command } })
  await processes.cluster({ afresh: true })
  return endedBy(result)
}

/** The largest number that GraphQL's `Int` can hold. */
const mostShown = 2 ** 31 - 1

/** The calls of all processes, by account. */
export function callsOf(processes: Processes): AccountCalls {
  return {
    async inFlight(id) {
      const cluster = await processes.cluster()
      const all = cluster.accountIn(id).reduce((sum, { inFlight }) => sum + inFlight, 0)
      return Math.min(all, mostShown)
    },
    async cancel(accountId) {
      return endedBy(
        await processes.broadcast({ kind: 'endCalls', input: { accountId } }, { orHere: true }),
      )
    },
  }
}

function endedBy({ outcomes, unanswered }: BroadcastResult): Ended {
  const ended = outcomes.reduce(
    (sum, { result }) => sum + (Number.isSafeInteger(result) ? Number(result) : 0),
    0,
  )
  return { ended, unanswered }
}

/**
 * Ends exclusions of an account in this process. Returns how many; 0 for an unknown account. A plugin that
 * throws is logged.
 */
function readmitHere(
  { accounts, plugins }: Pick<RunningGateway, 'accounts' | 'plugins'>,
  { accountId, ...choice }: ReadmitCommand,
  log: Log,
): number {
  const account = accounts.snapshot.accounts.find(({ id }) => id === accountId)
  if (!account) return 0
  return plugins.reduce((ended, plugin) => {
    try {
      return ended + (plugin.readmit?.(account, choice) ?? 0)
    } catch (error) {
      const about = { plugin: plugin.name, account: accountId }
      log.error('a plugin cannot readmit an account', { ...about, ...describeError(error) })
      return ended
    }
  }, 0)
}
