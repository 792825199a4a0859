/**
 * The load runs at a lower priority than the gateway. On two cores the helper threads of the gateway's garbage
 * collector would find no free core otherwise, and the event loop would do their work.
 */

import { constants, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL } = constants.priority

/** Lowers the priority of this thread, and of all threads and processes that it starts later. */
export function lowerPriority(): void {
  setPriority(PRIORITY_BELOW_NORMAL)
}

/** Starts a process at the usual priority. Only root may; for other users it has the priority of the load. */
export function atUsualPriority<Result>(work: () => Result): Result {
  try {
    setPriority(PRIORITY_NORMAL)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
  const result = work()
  lowerPriority()
  return result
}
