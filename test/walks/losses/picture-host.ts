import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const read = (name: string) => readFileSync(`${import.meta.dirname}/tls/${name}.pem`, 'utf8')

/** For `127.0.0.1` only, and signed by itself. */
const certificate = read('certificate')
const key = read('key')

/** From here on this process takes the certificate of the host, as with `NODE_EXTRA_CA_CERTS`. */
export function trustPictureHosts(): void {
  setDefaultCACertificates([...getCACertificates('default'), certificate])
}

export interface PictureHost extends AsyncDisposable {
  /** As operators allow it: host and port. */
  readonly address: string
  readonly url: string
  readonly requests: readonly IncomingMessage[]
  /** How many connections there have been. */
  connections(): number
}

/** A host of one file on loopback, with https. */
export async function startPictureHost(bytes: Buffer, type: string): Promise<PictureHost> {
  const requests: IncomingMessage[] = []
  let connections = 0
  const server = createServer({ cert: certificate, key }, (request, response) => {
    requests.push(request)
    response.writeHead(200, { 'content-type': type }).end(bytes)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    url: `https://${address}`,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
