/** Takes what gateways export by OTLP, and answers at once. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end())
})
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
// The bench is gone: so is the reason to run.
process.on('disconnect', () => process.exit(0))
