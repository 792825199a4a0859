/**
 * The load gives way to the gateway, as it would on a machine of its own. On two cores the threads of the gateway's
 * garbage collector find none of them free otherwise, and what they cannot do falls to its event loop.
 */

import { constants, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL } = constants.priority

/** Gives way from now on, with all threads and processes that begin later. */
export function giveWay(): void {
  setPriority(PRIORITY_BELOW_NORMAL)
}

/** Does work, such as the start of a process, that does not give way. Only root may: others compete with the load. */
export function atUsualPriority<Result>(work: () => Result): Result {
  try {
    setPriority(PRIORITY_NORMAL)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
  const result = work()
  giveWay()
  return result
}
