import type { CredentialSource } from '../../../src/kit/credential.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'

/** The subprotocols that a client offers in its handshake. */
export function offeredProtocols({ headers }: Pick<ClientRequest, 'headers'>): readonly string[] {
  return (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
}

const prefix = 'openai-insecure-api-key.'

/** `Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.<key>`, since browsers can send no headers. */
export const protocolKey: CredentialSource = (request) =>
  offeredProtocols(request)
    .find((name) => name.startsWith(prefix))
    ?.slice(prefix.length) || undefined
