import type { DialectInfo } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Outcome } from '../contract/outcome.ts'
import { type JsonObject, isObject } from '../lib/json/object.ts'
import { stringAt } from '../lib/json/read.ts'

/**
 * Returns the error object that a body, or an event of this name, has in a form of any provider, of this
 * dialect or not: a server in front of an account answers in a form of its own, also with a 2xx status.
 * `undefined` for a body that reports no error.
 */
export function errorIn(json: unknown, name = ''): JsonObject | undefined {
  if (Array.isArray(json)) return errorInList(json, name)
  if (!isObject(json)) return undefined
  const error = reportedIn(json)
  if (error) return errorObject(error, json)
  if (name === 'error' || json.type === 'error' || json.object === 'error') return json
  return isOnlyDetail(json) ? { message: json.detail, ...json } : undefined
}

/** Google wraps some errors in a list. */
function errorInList(list: readonly unknown[], name: string): JsonObject | undefined {
  const error = list.values().find((item) => isObject(item) && errorIn(item))
  return errorIn(error ?? list.find(isObject) ?? {}, name)
}

/**
 * The error or the errors of a body. Some servers write both into each reply: without a value in them they report
 * nothing there, and an error in a body that has nothing else.
 */
function reportedIn(body: JsonObject): unknown {
  const { error, errors } = body
  if (!error && !errors) return undefined
  if (!isEmpty(error)) return error
  if (!isEmpty(errors)) return errors
  return isOnlyError(body) ? error : undefined
}

/** Whether a value has nothing in it but `null`, `false`, 0, and empty texts, lists and objects. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty)
  return isObject(value) ? Object.values(value).every(isEmpty) : !value
}

function isOnlyError(body: JsonObject): boolean {
  return Object.keys(body).every((name) => errorMembers.has(name))
}

/** Members of bodies that report an error. No event of a stream has only these. */
const errorMembers: ReadonlySet<string> = new Set([
  'error',
  'errors',
  'message',
  'Message',
  'detail',
  'code',
  'status',
  'param',
  'request_id',
])

/**
 * The error object for an `error` of any JSON type. Of several errors the first counts. No copy: an error may have a
 * hundred thousand members, and each part of the gateway asks for it.
 */
function errorObject(reported: unknown, body: JsonObject): JsonObject {
  let error = reported
  while (Array.isArray(error)) error = error[0] as unknown
  if (typeof error === 'string' && error !== '') return { message: error }
  if (isObject(error)) return error
  return typeof error === 'number' && body.code === undefined ? { ...body, code: error } : body
}

/** Servers in Python answer `{"detail": ...}`. */
function isOnlyDetail(body: JsonObject): boolean {
  return body.detail !== undefined && Object.keys(body).length === 1
}

/**
 * The message of an account's error: in `error.message` or `error`, or in `message` or `Message` of the error
 * itself, which may be a text. Google wraps some errors in a list.
 */
export function messageIn(json: unknown): string | undefined {
  const error = errorIn(json) ?? (Array.isArray(json) ? (json[0] as unknown) : json)
  return typeof error === 'string' ? error : messageOf(error)
}

/** The message of an error object; AWS has it in `Message`. */
export function messageOf(error: unknown): string | undefined {
  return stringAt(error, 'message') ?? stringAt(error, 'Message')
}

/**
 * The outcome of a body that is an error instead of a reply. The client gets an error for a failed
 * outcome with `error`, and the reply itself for a failed outcome without.
 */
export function failedOutcome(status: number, error: Record<string, unknown>): Outcome {
  const { message } = error
  return {
    status: 'failed',
    fault: faultOfStatus(status),
    httpStatus: status,
    error: new GatewayError(
      'upstream_rejected',
      typeof message === 'string' ? message : 'The upstream reported an error.',
      { status },
    ),
  }
}

/**
 * The outcome of a reply that is no answer, although it reports no error: the client gets it as it is. `answer`: the
 * model has failed, which is no evidence against the account.
 */
export function spoilt(outcome: Outcome, about?: 'answer'): Outcome {
  return { ...outcome, status: 'failed', fault: 'account', ...(about && { about }) }
}

/** Credential, credit, rate limit and server errors are the account's fault; others the caller's. */
export function faultOfStatus(status: number): 'account' | 'caller' {
  const isAccounts = clientStatus(status) >= 500 || accountStatuses.has(status)
  return isAccounts ? 'account' : 'caller'
}

const accountStatuses: ReadonlySet<number> = new Set([401, 402, 403, 408, 429])

/** The status that a client gets for an account's status: 502 if that status says nothing about the request. */
export function clientStatus(status: number): number {
  return status < 400 || status > 599 || connectionStatuses.has(status) ? 502 : status
}

/**
 * Statuses about the connection of the gateway to the account, never about the caller's request: a proxy in between
 * asks for credentials, the server is another one. `fetch` of clients fails on a 407 and repeats a 421.
 */
const connectionStatuses: ReadonlySet<number> = new Set([407, 421])

/** The HTTP status that an error object of an account's reply stands for, in the words of its dialect. */
export function statusAt(
  error: Readonly<Record<string, unknown>>,
  { upstream }: Pick<DialectInfo, 'upstream'>,
): number {
  return upstream?.statusOf?.(error) ?? statusOfError(error)
}

/** The code of an error object, if it has the form of a code. */
export function codeIn(error: Readonly<Record<string, unknown>>): string | undefined {
  const code = stringAt(error, 'code')
  return code !== undefined && codeForm.test(code) ? code : undefined
}

const codeForm = /^[a-z][a-z0-9_]{0,63}$/

/** The HTTP status that an error has as its `code`, `status` or `status_code`, if any. */
export function statusIn(error: Readonly<Record<string, unknown>>): number | undefined {
  return (
    statusOfValue(error.code) ?? statusOfValue(error.status) ?? statusOfValue(error.status_code)
  )
}

function statusOfValue(value: unknown): number | undefined {
  const status = typeof value === 'string' ? Number(value) : value
  const isStatus = typeof status === 'number' && Number.isInteger(status)
  return isStatus && status >= 400 && status < 600 ? clientStatus(status) : undefined
}

/** The HTTP status that an error in OpenAI's format stands for; 502 if its code and type are unknown. */
export function statusOfError(error: Readonly<Record<string, unknown>>): number {
  const { code, type } = error
  const known = statusIn(error) ?? openAiStatuses.get(code) ?? openAiStatuses.get(type)
  return known ?? (isCallerCode(code) ? 400 : 502)
}

const openAiStatuses = new Map<unknown, number>([
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['exceed_context_size_error', 400],
  ['content_filter', 400],
  ['content_policy_violation', 400],
  ['moderation_blocked', 400],
  ['BadRequestError', 400],
  ['value_error', 400],
  ['unprocessable_entity_error', 422],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['account_deactivated', 401],
  ['permission_error', 403],
  ['unsupported_country_region_territory', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['credit_balance_exhausted', 429],
  ['billing_hard_limit_reached', 429],
  ['billing_not_active', 429],
  ['server_error', 500],
  ['server_is_overloaded', 503],
  ['slow_down', 503],
])

/** Codes about the input, which the Responses API reports without a type (docs/wire/openai.md 1.6). */
const callerCodes = [
  /^invalid_(?!auth|token|credential|organization|project|re(?:sponse|ply))/,
  /^(?:image_|unsupported_|empty_image|failed_to_download|bio_policy|misalignment_|data_residency)/,
]

function isCallerCode(code: unknown): boolean {
  return typeof code === 'string' && callerCodes.some((pattern) => pattern.test(code))
}

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

/** For an error of an account without a message. */
export const noMessage = 'The upstream reported an error.'

/**
 * Whether a result is a failure, which accounts explain in their own words. An answer that is only cut
 * off consists of the model's words, and stays as it is.
 */
export function hasFailed({ status }: Pick<Outcome, 'status'>): boolean {
  return status === 'failed' || status === 'cancelled'
}
