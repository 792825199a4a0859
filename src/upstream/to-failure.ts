import { toGatewayError } from '../errors.ts'
import { AttemptFailure } from './failure.ts'

/** What ended an attempt: its own failure, or what whoever stands around it threw. */
export function toFailure(thrown: unknown): AttemptFailure {
  if (thrown instanceof AttemptFailure) return thrown
  const error = toGatewayError(thrown)
  const fault = error.status < 500 ? 'caller' : 'gateway'
  return new AttemptFailure(error, false, { status: 'failed', fault, error })
}
