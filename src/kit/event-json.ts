import { GatewayError } from '../contract/errors.ts'
import { type JsonObject, TooMuchJson, parseWithin } from '../lib/json/object.ts'
import { tooMuchInEvent } from './too-deep.ts'

/**
 * Parses the data of an event. Returns the error for data that is no JSON object; that of an event beyond
 * the limits, which callers can make an account send, is not the account's fault.
 */
export function eventJson(data: string): JsonObject | GatewayError {
  try {
    return objectOrBroken(parseWithin(data))
  } catch (error) {
    return error instanceof TooMuchJson ? tooMuchInEvent() : brokenEvent()
  }
}

/** The value of an event's data, or the error for one that is no object. */
export function objectOrBroken(value: unknown): JsonObject | GatewayError {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : brokenEvent()
}

/** The error for an event that cannot be read. */
export function brokenEvent(): GatewayError {
  return new GatewayError('upstream_stream_broken', 'The upstream sent a malformed event.')
}
