import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { dialectOf } from '../requests/service.ts'
import { dialects } from '../requests/dialects.ts'

/** An account that reads all and answers each dialect with its smallest reply. */
export interface BriefAccount extends AsyncDisposable {
  readonly url: string
}

/** Starts an account that stores nothing of its requests. */
export async function startBriefAccount(): Promise<BriefAccount> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(dialects[dialectOf(request.url ?? '')].reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
