import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import pipeline from '../../config/gateway.config.ts'
import {
  type Config,
  type LineSink,
  type RunningGateway,
  createLineWriter,
  createLog,
  startGateway,
} from '../../src/index.ts'

/** An application that embeds the shipped gateway, with nothing but public entries. */
export function embedGateway(config: Config, stdout: LineSink): Promise<RunningGateway> {
  return startGateway({
    pipeline,
    config,
    log: createLog(stdout),
    lines: createLineWriter(stdout),
  })
}

export interface Host extends AsyncDisposable {
  readonly url: string
}

/** A plain server of an application on a free port. */
export async function startHost(listener: RequestListener): Promise<Host> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
