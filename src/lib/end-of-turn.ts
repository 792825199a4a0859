let waiting: (() => void)[] = []

/**
 * Runs work at the end of this turn of the event loop, together with all other such work. It must not throw.
 * A turn under load reads much for many clients. Where each piece is written at once, a client falls asleep
 * between two of them, and to wake it costs more than the write: a quarter of a whole request (`npm run bench`).
 */
export function atEndOfTurn(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(runAll)
}

function runAll(): void {
  const all = waiting
  waiting = []
  for (const work of all) work()
}
