import type { ErrorContext, ErrorReply } from '../../../src/contract/dialect-info.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import { objectAt } from '../../../src/lib/json/read.ts'

const chainingField = 'previous_response_id'

/**
 * Returns the error reply. Chaining errors and `conversation_model_mismatch` have an envelope with a
 * string code (docs/wire/contract.md 5); all other errors have the general envelope.
 */
export function responsesError(error: GatewayError, context: ErrorContext): ErrorReply {
  const upstreamError = objectAt(error.upstream?.json, 'error')
  const fromUpstream = upstreamError?.code === 'previous_response_not_found'
  const isChaining = error.param === chainingField || error.code === 'conversation_model_mismatch'
  if (!isChaining && !fromUpstream) return errorEnvelope(error, context)
  return {
    status: error.status,
    body: {
      error: {
        type: 'invalid_request_error',
        code: fromUpstream ? upstreamError.code : error.code,
        param: fromUpstream ? chainingField : error.param,
        message: error.message,
      },
    },
  }
}
