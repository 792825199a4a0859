import type { Socket } from 'node:net'

/** Connections that end with an answer which is decided but perhaps not sent. */
const ending = new WeakSet<Socket>()

/** Marks a connection whose current answer is its last. */
export function markLastAnswer(socket: Socket): void {
  ending.add(socket)
}

/** Whether a request follows the last answer of its connection: its own could not be sent. */
export function isAfterLastAnswer(socket: Socket): boolean {
  return ending.has(socket)
}
