import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A collector that begins its first answers and never ends them. */
export interface DrippingCollector extends AsyncDisposable {
  readonly url: string
  readonly host: string
  /** The paths of all requests. */
  readonly paths: readonly string[]
  /** The answers that have not ended. */
  readonly open: number
}

/** Starts one whose first `count` answers drip: a byte comes often enough that no connection is idle. */
export async function startDrippingCollector(count: number): Promise<DrippingCollector> {
  const paths: string[] = []
  let open = 0
  const server = createServer((request, response) => {
    request.resume()
    if (paths.push(request.url ?? '') > count) {
      response.end()
      return
    }
    open++
    response.writeHead(200)
    const dripping = setInterval(() => response.write('x'), 10)
    response.on('close', () => {
      clearInterval(dripping)
      open--
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    paths,
    get open() {
      return open
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
