import { GatewayError } from '../contract/errors.ts'
import { type JsonObject, TooMuchJson, parseWithin } from '../lib/json/object.ts'
import { tooMuchInEvent } from './too-deep.ts'

/**
 * Parses the data of an event. Returns the error for data that is no JSON object. The error for an event beyond
 * the limits does not count against the account: callers can make an account send such events.
 */
export function eventJson(data: string): JsonObject | GatewayError {
  try {
    const value = parseWithin(data)
    return typeof value === 'object' && value !== null ? (value as JsonObject) : brokenEvent()
  } catch (error) {
    return error instanceof TooMuchJson ? tooMuchInEvent() : brokenEvent()
  }
}

/** The error for an event that cannot be read. */
function brokenEvent(): GatewayError {
  return new GatewayError('upstream_stream_broken', 'The upstream sent a malformed event.')
}
