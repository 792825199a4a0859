import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'

/** An account that sends a large event, and then its last bytes and what follows in one write before it resets. */
export async function startResetting(large: string, behind: string) {
  const mayEnd = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n',
      )
      socket.write(large.slice(0, -100))
      void mayEnd.promise.then(() => {
        socket.write(large.slice(-100) + behind, () => setImmediate(() => socket.resetAndDestroy()))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: mayEnd.resolve,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
