import { once } from 'node:events'
import { type AddressInfo, type Socket, createServer } from 'node:net'

/** A server that takes connections and never answers. */
export interface SilentServer extends AsyncDisposable {
  readonly port: number
}

/** Listens on a free port of this machine. */
export async function listenSilently(): Promise<SilentServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
