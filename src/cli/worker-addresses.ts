import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, type Server, createServer } from 'node:net'

import type { Endpoint } from '../configuration/endpoints.ts'
import type { Settings } from '../configuration/settings.ts'
import { explainListenError } from './addresses.ts'
import type { Terminal } from './command.ts'
import { workerNumber } from './workers.ts'

/** Where every worker listens by itself. Where there is no address, the primary process listens for all. */
interface WorkerAddresses {
  readonly api?: Endpoint
  readonly admin?: Endpoint
}

/** The environment variable with the `WorkerAddresses` of a worker process, as JSON. */
const addressesVariable = 'DRAGOMAN_WORKER_ADDRESSES'

/**
 * Whether the system lets several processes listen on one port and divides the connections. With a
 * primary process that listens for all, the connections that it has accepted but not yet passed on
 * would be dropped when the last worker stops accepting.
 */
const canShare = process.platform === 'linux'

/**
 * Claims the addresses of all workers until `claims` is disposed of: the system would let two gateways of
 * one user share a port, and each would get half of the other's calls. Resolves with environment variables
 * for the workers. Rejects with `CommandError` if another gateway with workers has an address.
 */
export async function claimWorkerAddresses(
  { listen, admin }: Settings,
  claims: AsyncDisposableStack,
) {
  if (!canShare) return { [addressesVariable]: '{}' }
  // The probes listen until all ports are chosen, so that the system chooses different ones.
  await using probes = new AsyncDisposableStack()
  const claim = async (endpoint: Endpoint, flag: string): Promise<Endpoint> => {
    try {
      const address = await choose(endpoint, probes)
      claims.use(await hold(address)).unref()
      return address
    } catch (error) {
      throw explainListenError(error, endpoint, flag)
    }
  }
  const addresses: WorkerAddresses = {
    api: await claim(listen, '--port'),
    ...(admin && { admin: await claim(admin, '--admin-port') }),
  }
  return { [addressesVariable]: JSON.stringify(addresses) }
}

/** The addresses that this process shares with others. Empty outside of a worker. */
export function readWorkerAddresses(env: Terminal['env']): WorkerAddresses {
  return workerNumber(env) === undefined ? {} : JSON.parse(env[addressesVariable] ?? '{}')
}

/** Resolves the host name, which may have another address later, and chooses a port in place of 0. */
async function choose({ host, port }: Endpoint, probes: AsyncDisposableStack): Promise<Endpoint> {
  const { address } = await lookup(host)
  if (port !== 0) return { host: address, port }
  const probe = probes.use(await opened(createRefusingServer().listen(0, address)))
  return { host: address, port: (probe.address() as AddressInfo).port }
}

/**
 * Reserves an address with a Unix socket in the abstract namespace, which belongs to the network namespace as the
 * ports do. A socket that listens on the address itself would get the connections of clients.
 */
function hold({ host, port }: Endpoint): Promise<Server> {
  return opened(createRefusingServer().listen(`\0dragoman:${host}:${port}`))
}

/** A server that ends each connection at once: to close it waits for no client. */
function createRefusingServer(): Server {
  return createServer((socket) => socket.destroy())
}

async function opened(server: Server): Promise<Server> {
  await once(server, 'listening')
  return server
}
