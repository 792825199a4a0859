import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'

/**
 * An account that sends a large event, and then its last bytes, `behind` in the same write and `later` in others
 * before it resets, or ends, the connection.
 */
export async function startEnding(
  large: string,
  {
    behind = '',
    later = [],
    resets = false,
  }: { behind?: string; later?: string[]; resets?: boolean },
) {
  const mayEnd = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).once('close', () => closed.resolve()))
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n',
      )
      socket.write(large.slice(0, -100))
      void mayEnd.promise.then(() => {
        void writeEach(socket, [large.slice(-100) + behind, ...later]).then(() => {
          if (resets) socket.resetAndDestroy()
          else socket.end()
          written.resolve()
        })
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: mayEnd.resolve,
    written: written.promise,
    /** Resolves when the gateway has closed the connection too. */
    closed: closed.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Writes texts, each of which arrives by itself. */
async function writeEach(socket: Socket, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await new Promise((resolve) => void socket.write(text, () => setImmediate(resolve)))
  }
}
