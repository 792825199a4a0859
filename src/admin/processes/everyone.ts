import { GatewayError } from '../../contract/errors.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import type { Command } from './command-records.ts'
import type { CommandOutcome, SendOptions } from './commands.ts'
import { silentIn } from './everywhere.ts'
import type { Processes } from './index.ts'

/** What all processes made of a command. */
export interface Everyone {
  readonly outcomes: readonly CommandOutcome[]
  /** The ids of processes that did not perform it, as far as is known. */
  readonly silent: readonly string[]
}

/** Has a command performed by all processes. Rejects as `Processes.broadcast` does. */
export async function commandAll(
  processes: Processes,
  command: Command,
  options: Pick<SendOptions, 'deadlineMs' | 'asker'> = {},
): Promise<Everyone> {
  const outcomes = await processes.broadcast(command, options)
  const asked = outcomes.map(({ processId }) => processId)
  const silent = new Set([...asked, ...silentIn(await processes.view())])
  for (const { processId, status } of outcomes) if (status === 'DONE') silent.delete(processId)
  return { outcomes, silent: [...silent] }
}

/** The same, but only by this process if the store is away, or too many commands wait already. */
export async function commandAllOrHere(
  processes: Processes,
  command: Command,
  options?: Pick<SendOptions, 'deadlineMs' | 'asker'>,
): Promise<Everyone> {
  try {
    return await commandAll(processes, command, options)
  } catch (error) {
    if (!(error instanceof StoreUnavailable) && !GatewayError.isInstance(error)) throw error
    const outcomes = await processes.broadcast(command, { only: processes.id })
    const view = await processes.view()
    const others = view.processes.map(({ id }) => id).filter((id) => id !== processes.id)
    const here = outcomes.filter(({ status }) => status !== 'DONE').map((one) => one.processId)
    return { outcomes, silent: [...new Set([...here, ...others, ...silentIn(view)])] }
  }
}
