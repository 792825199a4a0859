import { nextTurn } from './turns.ts'

/** The bytes that all large senders together may bring in one turn of the event loop. */
const mostPerTurn = 1024 * 1024

/** The bytes that have come in this turn. */
let arrived = 0

function beginTurn(): void {
  arrived = 0
}

/**
 * Counts bytes of a large sender. Returns a promise if this turn of the event loop has had enough of
 * them: the sender must pause until it resolves. The system hands over two megabytes of each of fifty
 * connections in one turn, and copying them takes a tenth of a second.
 */
export function takeIn(bytes: number): Promise<void> | undefined {
  if (arrived === 0) setImmediate(beginTurn)
  arrived += bytes
  return arrived > mostPerTurn ? nextTurn() : undefined
}
