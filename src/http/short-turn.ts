/** The turns of the event loop to wait for a short one. */
const mostTurns = 2_000

/** A turn in which hardly any bytes can have arrived unseen, at first and later. Milliseconds. */
const shortTurnMs = (turn: number) => (turn < mostTurns / 2 ? 0.05 : 0.5)

/**
 * Calls `act` right after a short turn of the event loop, in which `count` has not changed: nothing has arrived that
 * Node has not read, but within the last microseconds. On a process that has no short turn, `act` is called after 2,000.
 */
export function afterShortTurn(act: () => void, count: () => number = () => 0): void {
  const next = (turn: number, before: number, since: number) => {
    const now = performance.now()
    const isQuiet = count() === before && now - since < shortTurnMs(turn)
    if (isQuiet || turn === mostTurns) act()
    else setImmediate(next, turn + 1, count(), now)
  }
  setImmediate(next, 1, count(), performance.now())
}
