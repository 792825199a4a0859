import { once } from 'node:events'
import { connect } from 'node:net'

import { type Finding, fail, ok } from './finding.ts'
import { reasonOf } from './http.ts'

/** How long a connection may take, in milliseconds. */
const longestMs = 3_000

/** Opens a connection to a collector of traces by gRPC, and says nothing on it. `source` names its address. */
export async function checkGrpcCollector(
  check: string,
  { protocol, hostname, port, host, origin }: URL,
  source: string,
): Promise<Finding> {
  const usualPort = protocol === 'https:' ? 443 : 80
  const socket = connect({
    // An IPv6 address is in brackets in a URL.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPort : Number(port),
    signal: AbortSignal.timeout(longestMs),
  })
  try {
    await once(socket, 'connect')
    return ok(check, `The collector for traces at ${host} takes connections; gRPC was not tried.`)
  } catch (error) {
    const fix = `start the collector, or correct ${source}; calls are served without it`
    const what = `The collector for traces at ${origin} cannot be reached. ${reasonOf(error)}`
    return fail(check, what, fix)
  } finally {
    socket.destroy()
  }
}
