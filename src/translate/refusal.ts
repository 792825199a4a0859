import type { GenerateCodec } from '../contract/codec.ts'
import { GatewayError } from '../contract/errors.ts'

/**
 * The error of an account for a client of another dialect: without the upstream's body, which is in the
 * account's dialect. An exceeded context gets its own code, because every dialect has one for it.
 */
export function translateRefusal(error: GatewayError, account: GenerateCodec): GatewayError {
  const { upstream } = error
  if (!upstream) return error
  const { status, json } = upstream
  const isTooLong = account.exceedsContext?.({ status, json }) ?? false
  return new GatewayError(isTooLong ? 'context_length_exceeded' : error.code, error.message, {
    ...(!isTooLong && { status: error.status }),
    ...(error.retry !== undefined && { retry: error.retry }),
    headers: error.headers,
    cause: error,
  })
}
