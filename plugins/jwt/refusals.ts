import { errors } from 'jose'

import { GatewayError } from '../../src/contract/errors.ts'

/** Why a token is refused, for operators: a client that guesses learns only that it is. */
export type RefusalReason =
  | 'keys_unavailable'
  | 'malformed'
  | 'algorithm'
  | 'unknown_key'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'no_expiry'
  | 'issuer'
  | 'audience'
  | 'subject'
  | 'claim'

/** The reason of a token for an error of `jose`. Any other error is one of the look-up of its key. */
export function reasonFor(error: unknown): RefusalReason {
  if (!(error instanceof errors.JOSEError)) return 'keys_unavailable'
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed) return reasonForClaim(error)
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (error instanceof errors.JWKSNoMatchingKey) return 'unknown_key'
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'unknown_key'
  const isAlgorithm =
    error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported
  return isAlgorithm ? 'algorithm' : 'malformed'
}

function reasonForClaim({ claim }: errors.JWTClaimValidationFailed): RefusalReason {
  if (claim === 'exp') return 'no_expiry'
  return ofClaims[claim] ?? 'claim'
}

const ofClaims: Readonly<Record<string, RefusalReason>> = {
  iss: 'issuer',
  aud: 'audience',
  nbf: 'not_yet_valid',
  sub: 'subject',
}

/**
 * The error that the client gets: 401 for a refused token, 503 if the issuer's keys cannot be read. `keyId` is the
 * caller of a token that would be valid, had it not expired.
 */
export function refusalFor(reason: RefusalReason, cause: unknown, keyId?: string): GatewayError {
  if (reason === 'keys_unavailable') {
    const message = 'The keys of the token issuer cannot be read at the moment.'
    return new GatewayError('service_unavailable', message, { retryAfterMs: 1_000, cause })
  }
  if (reason === 'expired') {
    const refusedKey = { refused: 'expired', keyId } as const
    return new GatewayError('unauthenticated', 'The token has expired.', { refusedKey })
  }
  return new GatewayError('unauthenticated', 'The token is not valid here.')
}
