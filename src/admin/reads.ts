import { createSemaphore } from '../lib/semaphore.ts'

/** Reads of the store at the same time. The calls of clients use the same connection. */
const concurrency = 4

/** The reads of one principal at a time, so that the other principals always get one. */
const mostOfPrincipal = 2

/** The part of the store that the queries of this process may use at a time. */
export interface Reads {
  /**
   * Reads when there is room, in the order of the principal's calls. Rejects with the reason of the signal: then
   * the operation is over, and a walk must not go on.
   */
  run<T>(
    principal: string,
    signal: AbortSignal | undefined,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

/** Creates the register of reads of a process. */
export function createReads(): Reads {
  const slots = createSemaphore(concurrency, mostOfPrincipal)
  return {
    async run(principal, signal = new AbortController().signal, read) {
      using _slot = await slots.take(signal, principal)
      return await read(signal)
    },
  }
}
