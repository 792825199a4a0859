import { GatewayError } from '../contract/errors.ts'
import { TooMuchJson } from '../lib/json/object.ts'

/**
 * The error for a reply that is beyond the limits, or whose nesting overflowed the stack of a recursive reader;
 * `undefined` for any other defect. Callers can make an account send such replies, so that they say nothing about the
 * account.
 */
export function tooMuchReply(thrown: unknown): GatewayError | undefined {
  const message = messageFor(thrown)
  return message === undefined
    ? undefined
    : new GatewayError('upstream_reply_too_large', message, { cause: thrown })
}

function messageFor(thrown: unknown): string | undefined {
  if (thrown instanceof TooMuchJson) {
    return "The upstream's reply is nested too deeply or has too many JSON values or escapes."
  }
  if (!(thrown instanceof RangeError) || !/call stack/i.test(thrown.message)) return undefined
  return "The upstream's reply is nested too deeply."
}

/** The error for an event of a stream that is nested too deeply, has too many values or reports a failure at length. */
export function tooMuchInEvent(): GatewayError {
  const message =
    'The upstream sent an event that is too long, nested too deeply or has too many JSON values or escapes.'
  return new GatewayError('upstream_reply_too_large', message)
}
