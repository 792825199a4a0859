import { once } from 'node:events'
import { type AddressInfo, type Server, createServer } from 'node:net'

import type { Endpoint, Settings } from '../configuration/settings.ts'
import { explainListenError } from './addresses.ts'
import type { Terminal } from './command.ts'
import { workerNumber } from './workers.ts'

/** The ports that every worker listens on by itself. Without any, the primary process listens for all. */
interface WorkerPorts {
  readonly api?: number
  readonly admin?: number
}

/** The environment variable with the `WorkerPorts` of a worker process, as JSON. */
const portsVariable = 'DRAGOMAN_WORKER_PORTS'

/**
 * Whether the system lets several processes listen on one port and divides the connections. With a
 * primary process that listens for all, the connections that it has accepted but not yet passed on
 * would be dropped when the last worker stops accepting.
 */
const canShare = process.platform === 'linux'

/**
 * Chooses the ports of all workers, and makes sure that no other process has them: the system would
 * let two gateways of one user share a port, and each would get half of the other's calls. Resolves
 * with environment variables for the workers. Rejects with `CommandError` if an address is unavailable.
 */
export async function chooseWorkerPorts({ listen, admin }: Settings) {
  if (!canShare) return { [portsVariable]: '{}' }
  await using api = await openServer(listen, '--port')
  await using other = admin ? await openServer(admin, '--admin-port') : undefined
  const ports: WorkerPorts = { api: portOf(api), ...(other && { admin: portOf(other) }) }
  return { [portsVariable]: JSON.stringify(ports) }
}

/** The ports that this process shares with others. It has none if it is no worker. */
export function readWorkerPorts(env: Terminal['env']): WorkerPorts {
  return workerNumber(env) === undefined ? {} : JSON.parse(env[portsVariable] ?? '{}')
}

async function openServer({ host, port }: Endpoint, flag: string): Promise<Server> {
  const server = createServer().listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw explainListenError(error, { host, port }, flag)
  })
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
