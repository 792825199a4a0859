import { GatewayError } from '../contract/errors.ts'

/**
 * The error for a reply whose nesting overflowed the stack of a recursive reader; `undefined` for any
 * other defect. Callers can make an account nest its replies, so that it says nothing about the account.
 */
export function tooDeepReply(thrown: unknown): GatewayError | undefined {
  if (!(thrown instanceof RangeError) || !/call stack/i.test(thrown.message)) return undefined
  return new GatewayError(
    'upstream_reply_too_large',
    "The upstream's reply is nested too deeply.",
    {
      cause: thrown,
    },
  )
}

/** The error for an event of a stream that is nested too deeply, has too many values or reports a failure at length. */
export function tooMuchInEvent(): GatewayError {
  const message =
    'The upstream sent an event that is too long, nested too deeply or has too many JSON values.'
  return new GatewayError('upstream_reply_too_large', message)
}
