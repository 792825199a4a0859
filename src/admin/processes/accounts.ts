import { z } from 'zod'

import type { Log } from '../../lib/log.ts'
import { type ReadmitCommand, readmitHere } from '../accounts/readmit.ts'
import type { AdminServices } from '../services.ts'
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

/** Lets this process readmit accounts for other processes. */
export function answerForAccounts(
  { handle }: Processes,
  running: Parameters<typeof readmitHere>[0],
  log: Log,
): void {
  handle('readmit', (input) => readmitHere(running, readmission.parse(input), log))
}

/** Ends exclusions of an account in all processes. Resolves with how many; see `Processes.broadcast`. */
export async function readmitEverywhere(
  processes: Processes,
  command: ReadmitCommand,
): Promise<number> {
  const outcomes = await processes.broadcast({ kind: 'readmit', input: { ...command } })
  return outcomes.reduce((sum, { result }) => sum + (typeof result === 'number' ? result : 0), 0)
}

/** The calls of this process, by account. */
export function callsOf({ monitor, cancel }: Processes): NonNullable<AdminServices['calls']> {
  const callsAt = (id: string) =>
    monitor.inFlight.filter(({ progress }) => progress.attempt?.candidate.account.id === id)
  return {
    inFlight: (id) => callsAt(id).length,
    cancel: (id) => callsAt(id).forEach((exchange) => cancel(exchange.id)),
  }
}
