/** Something with deadlines of its own, asked about them at a coarse beat. */
export interface Watched {
  /** `now` in milliseconds of `performance.now()`. */
  tick(now: number): void
  /** The process is about to end, and nobody can wait any longer. */
  interrupt?(): void
}

/** One timer for all streams and reads, instead of one each: setting a deadline is an assignment. */
export interface Ticker {
  add(watched: Watched): void
  delete(watched: Watched): void
  /** Tells all that there is no more time. */
  interrupt(): void
  close(): void
}

/** What one of them throws must not cost the others their deadlines. */
function tickSafely(watched: Watched, now: number): void {
  try {
    watched.tick(now)
  } catch {
    // Attempts report their own defects; there is nobody else to tell here.
  }
}

/** Beats every `everyMs` while something is watched, and never keeps the process alive. */
export function createTicker(everyMs = 100): Ticker {
  const all = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined

  function beat(): void {
    const now = performance.now()
    for (const watched of all) tickSafely(watched, now)
    if (all.size === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(watched) {
      all.add(watched)
      timer ??= setInterval(beat, everyMs).unref()
    },
    delete: (watched) => void all.delete(watched),
    interrupt() {
      for (const watched of all) watched.interrupt?.()
    },
    close: stop,
  }
}
