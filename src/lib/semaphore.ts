/** Lets so many work at once; the others wait in their order. */
export interface Semaphore {
  /** Rejects with the signal's reason when that comes first. Disposing gives the slot back. */
  take(signal: AbortSignal): Promise<Disposable>
}

export function createSemaphore(count: number): Semaphore {
  const waiting = new Set<() => void>()
  let free = count

  /** A slot that is given back goes to the one who has waited longest. */
  function giveBack(): void {
    free++
    const [next] = waiting
    next?.()
  }

  function occupy(): Disposable {
    free--
    return { [Symbol.dispose]: giveBack }
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) return occupy()
      return new Promise((resolve, reject) => {
        const proceed = () => {
          waiting.delete(proceed)
          signal.removeEventListener('abort', leave)
          resolve(occupy())
        }
        const leave = () => {
          waiting.delete(proceed)
          reject(signal.reason as Error)
        }
        waiting.add(proceed)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}
