export interface TimedSweep {
  /** Sweeps now and from time to time. */
  begin(): void
  close(): void
}

export interface TimedSweepOptions {
  sweep(): Promise<void>
  /** From one sweep to the next, in milliseconds. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** What is done again and again while the process lives, and keeps none alive. Never two at once. */
export function createTimedSweep({ sweep, everyMs, onError }: TimedSweepOptions): TimedSweep {
  let timer: NodeJS.Timeout | undefined
  let isSweeping = false

  async function once(): Promise<void> {
    if (isSweeping) return
    isSweeping = true
    try {
      await sweep()
    } catch (error) {
      onError(error)
    } finally {
      isSweeping = false
    }
  }

  return {
    begin() {
      void once()
      timer ??= setInterval(() => void once(), everyMs).unref()
    },
    close() {
      clearInterval(timer)
      timer = undefined
    },
  }
}
