import { createHmac } from 'node:crypto'

import { definePlugin, type GatewayPlugin, type Outbound } from '../../src/index.ts'

export const signatureHeader = 'x-request-signature'

export interface RequestSigningOptions {
  /** The secret shared with an account, by the account's id; those without one get no signature. */
  readonly secrets: Readonly<Record<string, string>>
}

/** Signs what goes to an account, so that it can tell the gateway's requests from others. */
export function requestSigning({ secrets }: RequestSigningOptions): GatewayPlugin {
  return definePlugin({
    name: 'request-signing',
    onAttempt({ exchange, outbound, next }) {
      const secret = secrets[exchange.candidate.account.id]
      if (secret === undefined) return next()
      const headers = { ...outbound.headers, [signatureHeader]: sign(outbound, secret) }
      return next({ ...outbound, headers })
    },
  })
}

/**
 * Over what the account gets: its own path, and the body with the model as it calls it. A form goes
 * by as a stream, of which only the length is signed.
 */
export function sign(
  { method, path, body }: Pick<Outbound, 'method' | 'path' | 'body'>,
  secret: string,
): string {
  const signature = createHmac('sha256', secret).update(`${method} ${path}\n`)
  const signed = body === null || Buffer.isBuffer(body) ? body : `length ${body.length}`
  return signature.update(signed ?? '').digest('base64')
}
