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
