/** Limits the number of concurrent tasks. Others wait in the order of their calls. */
export interface Semaphore {
  /**
   * Acquires a slot; disposing it releases the slot. Rejects with the reason of an aborted signal.
   */
  take(signal: AbortSignal): Promise<Disposable>
}

/** A semaphore with this number of slots. */
export function createSemaphore(count: number): Semaphore {
  const waiting = new Set<() => void>()
  let free = count

  /** Releases a slot. The oldest waiting call acquires it. */
  function release(): void {
    free++
    const [next] = waiting
    next?.()
  }

  function acquire(): Disposable {
    free--
    return { [Symbol.dispose]: release }
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) return acquire()
      return new Promise((resolve, reject) => {
        const proceed = () => {
          waiting.delete(proceed)
          signal.removeEventListener('abort', cancel)
          resolve(acquire())
        }
        const cancel = () => {
          waiting.delete(proceed)
          reject(signal.reason as Error)
        }
        waiting.add(proceed)
        signal.addEventListener('abort', cancel, { once: true })
      })
    },
  }
}
