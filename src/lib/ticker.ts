/** Something with deadlines of its own, asked about them at a coarse beat. */
export interface Watched {
  /** `now` in milliseconds of `performance.now()`. */
  tick(now: number): void
  /** The process is about to end, and nobody can wait any longer. */
  interrupt?(): void
  /** Its place among the watched: the ticker's own. */
  slot?: number | undefined
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

/**
 * Beats every `everyMs` while something is watched, and never keeps the process alive.
 *
 * The watched stand in an array. A `Set` that grows and shrinks with every request leaves a chain of
 * outgrown tables behind it, through which the dead kept later ones alive (seen in GC traces).
 */
export function createTicker(everyMs = 100): Ticker {
  const all: Watched[] = []
  let timer: NodeJS.Timeout | undefined

  function beat(): void {
    const now = performance.now()
    // Backwards: whoever ends gives its place to the last one, which has had its turn.
    for (let index = all.length - 1; index >= 0; index--) {
      const watched = all[index]
      if (watched) tickSafely(watched, now)
    }
    if (all.length === 0) stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(watched) {
      watched.slot = all.push(watched) - 1
      timer ??= setInterval(beat, everyMs).unref()
    },
    delete(watched) {
      const { slot } = watched
      const last = all.at(-1)
      if (slot === undefined || last === undefined || all[slot] !== watched) return
      all[slot] = last
      last.slot = slot
      all.pop()
      watched.slot = undefined
    },
    interrupt() {
      for (const watched of all.slice()) watched.interrupt?.()
    },
    close: stop,
  }
}
