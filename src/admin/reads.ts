import { type Semaphore, createSemaphore } from '../lib/semaphore.ts'

/** Reads of the store at the same time. The calls of clients use the same connection. */
const mostAtOnce = 4

/** Those of one principal, so that the others always get one. */
const mostOfPrincipal = 2

/** The part of the store that the queries of this process may use at a time. */
export interface Reads {
  /**
   * Reads when there is room, in the order of the calls. Rejects with the reason of the signal: then
   * the operation is over, and a walk must not go on.
   */
  run<T>(
    principal: string,
    signal: AbortSignal | undefined,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

/** The reads of one principal, while it has any. */
interface Share {
  readonly slots: Semaphore
  reads: number
}

/** Creates the register of reads of a process. */
export function createReads(): Reads {
  const slots = createSemaphore(mostAtOnce)
  const shares = new Map<string, Share>()
  return {
    async run(principal, signal = new AbortController().signal, read) {
      const share = shares.get(principal) ?? { slots: createSemaphore(mostOfPrincipal), reads: 0 }
      shares.set(principal, share)
      share.reads++
      try {
        // First its own, so that its other reads hold no slot of all while they wait.
        using _own = await share.slots.take(signal)
        using _slot = await slots.take(signal)
        return await read(signal)
      } finally {
        if (--share.reads === 0) shares.delete(principal)
      }
    },
  }
}
