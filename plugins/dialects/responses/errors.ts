import type { ErrorReply } from '../../../src/dialect.ts'
import { errorFormat } from '../../../src/error-format.ts'
import type { GatewayError } from '../../../src/errors.ts'
import { part } from '../../../src/usage.ts'

const chainingField = 'previous_response_id'

/**
 * Errors of chaining have an envelope of their own, with a string code (spec, Errors 3); all others
 * have the general one.
 */
export function responsesError(error: GatewayError): ErrorReply {
  const told = part(error.upstream?.json, 'error')
  const fromUpstream = told?.code === 'previous_response_not_found'
  if (error.param !== chainingField && !fromUpstream) return errorFormat(error)
  return {
    status: error.status,
    body: {
      error: {
        type: 'invalid_request_error',
        code: fromUpstream ? told.code : error.code,
        param: chainingField,
        message: error.message,
      },
    },
  }
}
