import type { Outcome } from '../contract/outcome.ts'
import { isObject } from '../lib/json/object.ts'
import { errorIn } from './upstream-error.ts'

/** For an error of an account without a message. */
export const noMessage = 'The upstream reported an error.'

/**
 * Whether a result is a failure, which accounts explain in their own words. An answer that is only cut
 * off consists of the model's words, and stays as it is.
 */
export function hasFailed({ status }: Pick<Outcome, 'status'>): boolean {
  return status === 'failed' || status === 'cancelled'
}

/**
 * Whether an event of a stream reports an error in a form that any provider has for it, of this dialect or not: a
 * server in front of an account answers in a form of its own. Google wraps some errors in a list.
 */
export function isErrorEvent(name: string, data: unknown): boolean {
  if (name === 'error') return true
  const body: unknown = Array.isArray(data) && data.length === 1 ? data[0] : data
  if (!isObject(body)) return false
  if (body.type === 'error' || body.object === 'error') return true
  return errorIn(body) !== undefined || isOnlyDetail(body)
}

/** Servers in Python answer `{"detail": ...}`. */
function isOnlyDetail(body: Readonly<Record<string, unknown>>): boolean {
  return body.detail !== undefined && Object.keys(body).length === 1
}
