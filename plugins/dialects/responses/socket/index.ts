import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Authenticated } from '../../../../src/contract/exchange.ts'
import { defineOperation } from '../../../../src/contract/operation.ts'
import { acceptSocket } from '../../../../src/kit/accept-socket.ts'
import { ResponsesSocket } from './responses-socket.ts'

/** `GET /v1/responses` with an upgrade: Responses over WebSocket. */
export const connectResponses = defineOperation({
  id: 'responses.connect',
  method: 'GET',
  paths: ['/v1/responses'],
  auth: 'key',
  summary: 'Open a WebSocket, on which each `response.create` creates a response',
  upgrades: true,
  status: 101,
  replies: [],
  serve(exchange) {
    if (!exchange.request.acceptSocket && exchange.request.headers.upgrade === undefined) {
      const message =
        'This path does not allow GET: use POST, or a handshake of a WebSocket with `Upgrade: websocket`.'
      throw new GatewayError('method_not_allowed', message, { headers: { allow: 'POST' } })
    }
    const known = exchange as Authenticated
    return acceptSocket(known, (socket) => new ResponsesSocket(known, socket))
  },
})
