import { GatewayError } from '../contract/errors.ts'
import type { Authenticated } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { ServeSocket } from '../contract/socket.ts'

/**
 * Opens a WebSocket in place of a reply, for the `serve` of an operation that `upgrades`. Throws `GatewayError`
 * `upgrade_required` for a request that asks for none, and as `AcceptSocket` does.
 */
export function acceptSocket(
  exchange: Authenticated,
  serve: ServeSocket,
  protocol?: string,
): Reply {
  const { request, caller, credential } = exchange
  if (request.acceptSocket) {
    const hasCredential = credential !== undefined
    const client = { keyId: caller.keyId, hasCredential, publicUrl: request.publicUrl }
    request.acceptSocket(client, serve, protocol)
    return { status: 200, headers: {}, body: null }
  }
  throw upgradeRequired()
}

/** The error for a request without the header of a handshake, which a proxy may have left out. */
export function upgradeRequired(): GatewayError {
  const message =
    'This path is a WebSocket: send a handshake with `Upgrade: websocket`, which each proxy has to pass.'
  return new GatewayError('upgrade_required', message, {
    headers: { upgrade: 'websocket', connection: 'upgrade, close' },
  })
}
