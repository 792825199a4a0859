/** The bench's side of the gauges: they come to it, and it orders them all at once. */

import { type AddressInfo, createServer, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'

import type { LoopOrder, LoopReport } from './workers-gauge.ts'

export interface Gauges {
  readonly port: number
  /** How many have come. */
  count(): number
  /** Resolves with a report of each, by name; rejects where one ends without any. */
  measure(order: LoopOrder): Promise<LoopReport[]>
  close(): void
}

/** Opens a port for gauges. */
export async function openGauges(): Promise<Gauges> {
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    // Whoever waits for its report learns of it.
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    count: () => sockets.length,
    async measure(order) {
      const reports = await Promise.all(sockets.map((socket) => ask(socket, order)))
      return reports.toSorted((one, other) => one.name.localeCompare(other.name))
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** How much later than ordered a report may come, in milliseconds. */
const patienceMillis = 10_000

async function ask(socket: Socket, order: LoopOrder): Promise<LoopReport> {
  const { warmupMillis, windowMillis } = order
  socket.setTimeout(warmupMillis + windowMillis + patienceMillis, () => socket.destroy())
  socket.end(JSON.stringify(order))
  try {
    return (await json(socket)) as LoopReport
  } catch (cause) {
    throw new Error('a process under measurement ended early or is silent', { cause })
  }
}
