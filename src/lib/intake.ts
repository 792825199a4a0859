/** The bytes that all large senders together may bring in one turn of the event loop. */
const mostPerTurn = 2 * 1024 * 1024

/** The senders that have paused, in order. */
const waiting: (() => void)[] = []
/** The bytes that have come in this turn. */
let arrived = 0

/**
 * Counts bytes of a large sender. Returns a promise if this turn of the event loop has had enough of
 * them: the sender must pause until it resolves. The system hands over two megabytes of each of fifty
 * connections in one turn, and reading them takes a tenth of a second. Senders do not wait in the queue of
 * `nextTurn`: many of them would keep work that is under way from its end.
 */
export function takeIn(bytes: number): Promise<void> | undefined {
  if (arrived === 0 && waiting.length === 0) setImmediate(beginTurn)
  arrived += bytes
  return arrived > mostPerTurn ? new Promise((resolve) => waiting.push(resolve)) : undefined
}

/** Lets one sender go on: it alone may bring as much as a turn takes. */
function beginTurn(): void {
  arrived = 0
  const resolve = waiting.shift()
  if (waiting.length > 0) setImmediate(beginTurn)
  resolve?.()
}
