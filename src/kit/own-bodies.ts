import { GatewayError } from '../contract/errors.ts'
import type { Outcome } from '../contract/outcome.ts'
import { type JsonObject, isObject } from '../lib/json/object.ts'
import { errorIn, isEmpty, messageOf, statusIn } from './upstream-error.ts'

/** Whether a dialect knows a body, or an event of this name, as its own: by a member of each reply, or a type. */
export type OwnMark = (body: JsonObject, name: string) => boolean

/**
 * Returns the error object that a body, or an event of this name, has in a form of any provider, or in none: a body
 * that is not the dialect's own and has a message is an error too. `undefined` for a body that reports no error.
 */
export function errorUnless(isOwn: OwnMark, json: unknown, name = ''): JsonObject | undefined {
  const error = errorIn(json, name)
  return error || !isObject(json) || isOwn(json, name) ? error : bareErrorIn(json)
}

/** Servers in Python end a stream with a `detail` and other members, proxies with `{"message": ...}`. */
function bareErrorIn(body: JsonObject): JsonObject | undefined {
  const message = typeof body.detail === 'string' ? body.detail : messageOf(body)
  if (message !== undefined) return body.message === message ? body : { ...body, message }
  return hasAny(body, ['detail']) || isErrorType(body.type) ? body : undefined
}

/**
 * Reads the outcomes of replies as `outcomeOf` does. Throws `upstream_invalid_reply` for a JSON reply without an error
 * that is not the dialect's own, such as `{}`.
 */
export function outcomeOfOwn(
  isOwn: OwnMark,
  outcomeOf: (json: unknown) => Outcome,
): (json: unknown) => Outcome {
  return (json) => {
    const outcome = outcomeOf(json)
    if (outcome.error || (isObject(json) && isOwn(json, ''))) return outcome
    const message = "The upstream's reply has no part of a reply of its API."
    throw new GatewayError('upstream_invalid_reply', message)
  }
}

/** Whether a body has one of these members, with a value. */
export function hasAny(body: JsonObject, names: readonly string[]): boolean {
  return names.some((name) => body[name] !== undefined && body[name] !== null)
}

/**
 * Whether a body has one of these members in a body without a message or a status of an error. An empty member of a
 * reply alone is no mark: some servers write it into errors too.
 */
export function hasAnyWithoutError(body: JsonObject, names: readonly string[]): boolean {
  return hasAny(body, names) && !hasMessage(body) && statusIn(body) === undefined
}

/** Whether a body has a message at its top, in the form of any provider. Few replies have one. */
export function hasMessage(body: JsonObject): boolean {
  return Boolean(messageOf(body)) || !isEmpty(body.detail)
}

/** Whether a type names an error, such as `overloaded_error` or `ThrottlingException`. */
export function isErrorType(type: unknown): boolean {
  return typeof type === 'string' && /(?:error|exception)$/i.test(type)
}

/**
 * Whether a body may be an event that its API gets later: it has a type that names no error, and no message
 * beside a code or a status of an error.
 */
export function isLaterEvent(body: JsonObject): boolean {
  const { type, code, status } = body
  if (typeof type !== 'string' || isErrorType(type)) return false
  return !hasMessage(body) || (isEmpty(code) && statusIn({ code: status }) === undefined)
}

/** Whether a value is a list with items. */
export function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
