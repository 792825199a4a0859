import { createHmac, timingSafeEqual } from 'node:crypto'

import { type Caller, definePlugin, type GatewayPlugin } from '../../src/index.ts'

/** Where a proxy in front of the gateway tells who the caller is. */
export const assertionHeader = 'x-identity-assertion'

export interface Assertion {
  /** Who the caller is. */
  readonly subject: string
  /** Models that the caller may use. */
  readonly models: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface AssertionOptions {
  readonly secret: string
}

/** Knows callers by a signed assertion; those who bring none are left to the next authenticator. */
export function jwtLikeAuth({ secret }: AssertionOptions): GatewayPlugin {
  if (!secret) throw new Error('jwtLikeAuth: secret must not be empty.')
  return definePlugin({
    name: 'jwt-like-auth',
    onAuthenticate({ exchange }) {
      const header = exchange.request.headers[assertionHeader]
      const assertion = typeof header === 'string' ? verify(header, secret) : undefined
      return assertion && callerOf(assertion)
    },
    /** An assertion is between the proxy and the gateway. */
    onAttempt({ outbound, next }) {
      const { [assertionHeader]: _, ...headers } = outbound.headers
      return next({ ...outbound, headers })
    },
  })
}

export function signAssertion(assertion: Assertion, secret: string): string {
  const claims = Buffer.from(JSON.stringify(assertion)).toString('base64url')
  return `${claims}.${signatureOf(claims, secret).toString('base64url')}`
}

function verify(text: string, secret: string): Assertion | undefined {
  const [claims = '', signature = ''] = text.split('.')
  const expected = signatureOf(claims, secret)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const assertion = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Assertion
  return assertion.expiresAt > Date.now() ? assertion : undefined
}

function signatureOf(claims: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(claims).digest()
}

function callerOf({ subject, models }: Assertion): Caller {
  return { keyId: `user:${subject}`, mayUse: (model) => models.includes(model) }
}
