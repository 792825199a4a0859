import type { Socket } from 'node:net'

import { Agent } from 'undici'

import type { RemoteClient } from '../contract/services.ts'
import { dial } from './dial.ts'
import { createAddressGuard } from './guard.ts'
import { type RemoteOptions, withDefaults } from './options.ts'
import { checkTarget } from './target.ts'

/**
 * Creates the client for URLs that an account names. Each request uses a new connection and closes
 * it. Throws `TypeError` for a malformed option.
 */
export function createRemoteClient(options: RemoteOptions = {}): RemoteClient {
  const settings = withDefaults(options)
  const { allowHttp, timeoutMs } = settings
  const permits = createAddressGuard(settings)
  const agent = new Agent({
    allowH2: false,
    bodyTimeout: 0,
    headersTimeout: 0,
    pipelining: 0,
    connect({ protocol, hostname, port }, callback) {
      try {
        const url = new URL(`${protocol}//${hostname}:${port || ''}`)
        notifyConnected(dial(url, { ...settings, permits }), protocol, timeoutMs, callback)
      } catch (error) {
        callback(error as Error, null)
      }
    },
  })
  return {
    check: (url) => checkTarget(url, allowHttp),
    send({ origin, method, path, headers }, handler) {
      agent.dispatch({ origin, path, method, headers }, handler)
    },
  }
}

type Connected = (...result: [null, Socket] | [Error, null]) => void

function notifyConnected(
  socket: Socket,
  protocol: string,
  timeoutMs: number,
  callback: Connected,
): void {
  const fail = (error: Error) => callback(error, null)
  const onTimeout = () => socket.destroy(new Error('Connecting took too long.'))
  socket.once('error', fail).setTimeout(timeoutMs, onTimeout)
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    socket.off('error', fail).setTimeout(0).off('timeout', onTimeout)
    callback(null, socket)
  })
}
