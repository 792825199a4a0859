/** How long to wait for a short turn of the event loop, in milliseconds. */
const mostMs = 1_000

/** A turn in which hardly any bytes can have arrived unseen, at first and later. Milliseconds. */
const shortTurnMs = (waitedMs: number) => (waitedMs < mostMs / 2 ? 0.05 : 0.5)

/**
 * Calls `act` right after a short turn of the event loop, in which `count` has not changed: nothing has arrived that
 * Node has not read, but within the last microseconds. On a process that has no short turn, such as one that works in
 * turns of some milliseconds, `act` is called after a second: a shutdown waits for it.
 */
export function afterShortTurn(act: () => void, count: () => number = () => 0): void {
  const begunAt = performance.now()
  const next = (before: number, since: number) => {
    const now = performance.now()
    const waitedMs = now - begunAt
    const isQuiet = count() === before && now - since < shortTurnMs(waitedMs)
    if (isQuiet || waitedMs > mostMs) act()
    else setImmediate(next, count(), now)
  }
  setImmediate(next, count(), begunAt)
}
