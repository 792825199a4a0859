import type { GenerateCodec } from '../contract/codec.ts'
import { GatewayError } from '../contract/errors.ts'

/**
 * An account's refusal without its body, which is in words that the client does not know. What every
 * dialect has a word for is told in the client's.
 */
export function translateRefusal(error: GatewayError, account: GenerateCodec): GatewayError {
  const { upstream } = error
  if (!upstream) return error
  const { status, json } = upstream
  const beyond = account.exceedsContext?.({ status, json }) ?? false
  return new GatewayError(beyond ? 'context_length_exceeded' : error.code, error.message, {
    ...(!beyond && { status: error.status }),
    ...(error.retry !== undefined && { retry: error.retry }),
    headers: error.headers,
    cause: error,
  })
}
