import { FairQueue } from './fair-queue.ts'

/** Limits the number of concurrent tasks. */
export interface Semaphore {
  /**
   * Acquires a slot; disposing it releases the slot. Owners that wait take turns, and the tasks of one wait in the
   * order of their calls. Rejects with the reason of an aborted signal.
   */
  take(signal: AbortSignal, owner?: string): Promise<Disposable>
}

/** A semaphore with this number of slots, of which a named owner gets at most `share`: the others then find one. */
export function createSemaphore(count: number, share = count): Semaphore {
  const waiting = new FairQueue<() => void>()
  /** The slots that named owners have. */
  const taken = new Map<string, number>()
  let free = count

  const mayTake = (owner: string) => free > 0 && (taken.get(owner) ?? 0) < share

  function acquire(owner: string): Disposable {
    free--
    if (owner !== unnamed) taken.set(owner, (taken.get(owner) ?? 0) + 1)
    return { [Symbol.dispose]: () => release(owner) }
  }

  function release(owner: string): void {
    free++
    const left = (taken.get(owner) ?? 0) - 1
    if (left > 0) taken.set(owner, left)
    else taken.delete(owner)
    waiting.take(mayTake)?.()
  }

  return {
    async take(signal, owner = unnamed) {
      signal.throwIfAborted()
      if (mayTake(owner)) {
        waiting.noteServed(owner)
        return acquire(owner)
      }
      return new Promise((resolve, reject) => {
        const proceed = () => {
          signal.removeEventListener('abort', cancel)
          resolve(acquire(owner))
        }
        const cancel = () => {
          waiting.delete(owner, proceed)
          reject(signal.reason as Error)
        }
        waiting.add(owner, proceed)
        signal.addEventListener('abort', cancel, { once: true })
      })
    },
  }
}

const unnamed = ''
