import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server whose answers have no end. */
interface Endless extends AsyncDisposable {
  readonly url: string
  /** Resolves with the bytes that it has sent, once its client has left. */
  left(): Promise<number>
}

/** A server that answers every request without an end, and counts what it could send. */
export async function startEndless(): Promise<Endless> {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  let sent = 0
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.once('close', resolve)
    const write = () => {
      while (!response.destroyed) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', write)
      }
    }
    write()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    left: () => left.then(() => sent),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
