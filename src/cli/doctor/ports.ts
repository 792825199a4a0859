import { once } from 'node:events'
import { createServer } from 'node:net'

import type { Endpoint } from '../../configuration/endpoints.ts'
import type { Settings } from '../../configuration/settings.ts'
import { isObject } from '../../lib/json/object.ts'
import { bracketed } from '../../lib/hosts.ts'
import { reachable } from '../healthcheck/address.ts'
import { type Finding, fail, ok } from './finding.ts'
import { askLittle } from './http.ts'

/** How long a process that holds a port may take to answer, in milliseconds. */
const answerMs = 2_000

/** The current use of a gateway's ports. */
interface PortsReport {
  readonly findings: readonly Finding[]
  /** Whether a gateway listens on the address of the API. */
  readonly isServing: boolean
}

/** Finds out whether a gateway could listen on its addresses, or does. Nothing is sent to strangers but a probe. */
export async function checkPorts({
  listen,
  admin,
}: Pick<Settings, 'listen' | 'admin'>): Promise<PortsReport> {
  const api = await checkPort('port of the API', listen, '--port')
  const operators = admin ? [await checkPort('admin port', admin, '--admin-port')] : []
  return { findings: [api, ...operators].map(({ finding }) => finding), isServing: api.isServing }
}

async function checkPort(
  name: string,
  endpoint: Endpoint,
  flag: string,
): Promise<{ readonly finding: Finding; readonly isServing: boolean }> {
  const found = (finding: Finding, isServing = false) => ({ finding, isServing })
  const { host, port } = endpoint
  const shown = `${bracketed(host)}:${port}`
  const another = `choose another with ${flag}`
  const code = await listenFault(endpoint)
  if (code === undefined)
    return found(ok(name, port === 0 ? `${host} has free ports.` : `${shown} is free.`))
  if (code === 'EACCES') {
    const fix = `${another} from 1024, or permit it: setcap, AmbientCapabilities=CAP_NET_BIND_SERVICE`
    return found(fail(name, `${shown} is not permitted for this user.`, fix))
  }
  if (code !== 'EADDRINUSE')
    return found(fail(name, `${shown} is not an address of this machine (${code}).`, another))
  if (await isGateway(endpoint)) return found(ok(name, `A gateway listens on ${shown}.`), true)
  const fix = `end the other program, or ${another}`
  return found(fail(name, `Another program listens on ${shown}.`, fix))
}

/** The code of the error of listening; `undefined` if it succeeds. The socket is closed at once. */
async function listenFault({ host, port }: Endpoint): Promise<string | undefined> {
  const server = createServer((socket) => socket.destroy())
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

async function isGateway({ host, port }: Endpoint): Promise<boolean> {
  try {
    const url = new URL(`http://${bracketed(reachable(host))}:${port}/livez`)
    const { status, headers, text } = await askLittle(url, { longestMs: answerMs })
    const body: unknown = JSON.parse(text)
    return (
      status === 200 &&
      headers['x-request-id'] !== undefined &&
      isObject(body) &&
      body['status'] === 'ok'
    )
  } catch {
    return false
  }
}
