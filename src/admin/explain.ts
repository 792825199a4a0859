import type { Explanation } from '../attempt/explain.ts'
import { callerOfKey } from '../accounts/caller-of-key.ts'
import { excessError } from '../body/held-body.ts'
import { hasClients } from '../contract/dialect.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ForwardOperation } from '../contract/operation.ts'
import type { Caller } from '../contract/request.ts'
import type { Route } from '../exchange/routes.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { isObject } from '../lib/json/object.ts'
import { nearest } from '../lib/nearest.ts'
import { findCallKey } from './call-key.ts'
import type { AdminServices } from './services.ts'
import { quote } from './store-errors.ts'

/** The request of which an operator asks how it would be served. */
interface ExplainInput {
  /** Whose request it would be. */
  readonly keyId: string
  /** The id of the client's dialect: `chat`. */
  readonly dialect: string
  /** The id of an operation of the dialect: `messages.count_tokens`. Absent: that which creates. */
  readonly operation?: string | null | undefined
  /** The `{id}` of the operation's path. */
  readonly id?: string | null | undefined
  readonly model?: string | null | undefined
  readonly previousResponseId?: string | null | undefined
  /** The body, or its exact JSON text. Absent: the least one. Its members go before the members above. */
  readonly body?: unknown
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | null | undefined
}

type Services = Pick<AdminServices, 'running' | 'settings'>

/** The longest dry run, in milliseconds, the wait for others included. */
const longestMs = 10_000

const mostHeaders = 32
const longestHeader = 1_024

/** Credentials belong to no dry run; the others describe the bytes of the body, which are known. */
const ownHeaders =
  /^(?:authorization|proxy-authorization|cookie|x-api-key|x-goog-api-key|host|expect|connection|content-(?:type|length|encoding)|transfer-encoding)$/

/** Explains a request by a dry run. Rejects with `GatewayError` for an input of which no request can be made. */
export async function explainInput(services: Services, input: ExplainInput): Promise<Explanation> {
  const key = await findCallKey(services, input.keyId)
  if (!key) throw unusable(`There is no key ${quote(input.keyId)}: \`keys list\` shows all.`)
  return explainFor(services, callerOfKey(key, services.running.teams), input)
}

/** The same for a caller; `undefined` is one whose key is not valid. */
export function explainFor(
  { running, settings }: Services,
  caller: Caller | undefined,
  input: Omit<ExplainInput, 'keyId'>,
): Promise<Explanation> {
  const { method, pattern, operation } = routeOf(running, input)
  const headers = headersOf(input)
  return running.gateway.explain({
    method,
    path: pathOf(pattern, input),
    headers: {
      ...(operation.body !== 'none' && { 'content-type': 'application/json' }),
      ...operation.least?.headers,
      ...headers,
    },
    body: bodyOf(operation, pattern, input, settings().limits),
    caller,
    signal: AbortSignal.timeout(longestMs),
  })
}

/** A route whose operation chooses an account. */
export interface ForwardRoute extends Route {
  readonly operation: ForwardOperation
}

/** The capabilities of the operations that create, as a dialect without another choice means. */
const usual: ReadonlySet<string> = new Set(['generate', 'generate-image', 'video'])

function routeOf(
  { gateway: { routes }, plugins }: Services['running'],
  { dialect, operation }: Pick<ExplainInput, 'dialect' | 'operation'>,
): ForwardRoute {
  const known = routes.filter(choosesAccount)
  const own = known.filter((route) => route.dialect.id === dialect)
  if (own.length === 0) {
    const isOfAccounts = plugins.some(({ dialects = [] }) =>
      dialects.some((one) => one.id === dialect && !hasClients(one)),
    )
    const found = isOfAccounts
      ? `Only accounts speak ${quote(dialect)}: name the dialect of a client.`
      : `No dialect ${quote(dialect)} chooses accounts.`
    const ids = known.map((route) => route.dialect.id)
    throw unusable(`${found}${meant(dialect, ids)}`)
  }
  const wanted = operation ?? undefined
  const found =
    wanted === undefined ? usualOf(own) : own.find((route) => route.operation.id === wanted)
  if (found) return found
  const ids = own.map((route) => route.operation.id)
  throw unusable(
    `No operation ${quote(wanted ?? '')} of this dialect chooses accounts.${meant(wanted ?? '', ids)}`,
  )
}

/** The route that a dialect means without an operation. */
function usualOf(own: readonly ForwardRoute[]): ForwardRoute | undefined {
  return own.find((route) => usual.has(route.operation.capability)) ?? own[0]
}

/** An operation that a dry run can explain. */
export interface ExplainableOperation {
  readonly dialect: string
  readonly operation: string
  /** One line of its documentation. */
  readonly summary: string
  /** Whether its dialect means it without an operation. */
  readonly isUsual: boolean
  /** Whether its path has an `{id}`, which the input then names. */
  readonly needsId: boolean
}

/** The operations that dry runs explain, in the order of their dialects. */
export function explainableOperations({
  gateway: { routes },
}: Pick<Services['running'], 'gateway'>): ExplainableOperation[] {
  const byDialect = Map.groupBy(routes.filter(choosesAccount), ({ dialect }) => dialect.id)
  return [...byDialect.values()].flatMap((own) => {
    const meant = usualOf(own)?.operation
    return own
      .filter(
        ({ operation }, index) => own.findIndex((one) => one.operation === operation) === index,
      )
      .filter(({ pattern }) => parametersOf(plainPattern(pattern)).every(canBeGiven))
      .map(({ dialect, operation, pattern }) => ({
        dialect: dialect.id,
        operation: operation.id,
        summary: operation.summary,
        isUsual: operation === meant,
        needsId: parametersOf(plainPattern(pattern)).includes('id'),
      }))
  })
}

/** Whether a dry run can explain the operation of a route. */
export function choosesAccount(route: Route): route is ForwardRoute {
  return 'forward' in route.operation
}

function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, new Set(known))
  return near === undefined
    ? ` Known: ${[...new Set(known)].join(', ')}.`
    : ` Did you mean \`${near}\`?`
}

/** Fills the pattern of a path; of a choice of words, the first one. */
function pathOf(pattern: string, { id, model }: Pick<ExplainInput, 'id' | 'model'>): string {
  const values = { ...(id && { id }), ...(model && { model }) }
  const plain = plainPattern(pattern)
  for (const name of parametersOf(plain)) {
    if (Object.hasOwn(values, name)) continue
    throw unusable(
      canBeGiven(name)
        ? `The path of this operation needs \`${name}\`.`
        : 'The path of this operation has further parameters, which cannot be given.',
    )
  }
  return plain.replaceAll(/\{(\w+)([+*]?)\}/g, (_, name: string, repeat: string) =>
    encoded(values[name as keyof typeof values] ?? '', repeat !== ''),
  )
}

/** A pattern with the first word of each choice. */
function plainPattern(pattern: string): string {
  return pattern.replaceAll(/\{\w+:([^|}]+)[^}]*\}/g, '$1').replaceAll('~}', '}')
}

function parametersOf(plain: string): string[] {
  return [...plain.matchAll(/\{(\w+)[+*]?\}/g)].map(([, name = '']) => name)
}

function canBeGiven(parameter: string): boolean {
  return parameter === 'id' || parameter === 'model'
}

/** A value in a path as clients write it. The gateway refuses an impossible value as it does for a call. */
function encoded(value: string, hasSegments: boolean): string {
  const text = encodeURIComponent(value.toWellFormed()).replaceAll(
    /%(?:3A|40)/g,
    decodeURIComponent,
  )
  return hasSegments ? text.replaceAll('%2F', '/') : text
}

function bodyOf(
  { body: kind, least, method }: ForwardOperation,
  pattern: string,
  { body, ...input }: Omit<ExplainInput, 'keyId'>,
  limits: Parameters<typeof excessError>[1],
): Buffer {
  const given = body ?? least?.body
  if (given === undefined && (kind !== undefined || method !== 'POST')) return Buffer.alloc(0)
  const named = membersOf(least, pattern, input)
  if (given === undefined || isObject(given)) return write({ ...named, ...given }, limits)
  if (typeof body === 'string') return Buffer.from(withMembers(body, named))
  if (Object.keys(named).length > 0) throw notAdded()
  return write(given, limits)
}

/** The members of the body that an input names apart from it. */
function membersOf(
  least: ForwardOperation['least'],
  pattern: string,
  { model, previousResponseId }: Pick<ExplainInput, 'model' | 'previousResponseId'>,
): JsonObject {
  const continues = least?.continues?.['response']
  if (previousResponseId && !continues) {
    throw unusable('This operation continues no response by its id.')
  }
  return {
    ...(model && !/\{model[+*]?\}/.test(pattern) && { model }),
    ...(previousResponseId && continues?.(previousResponseId)),
  }
}

/** A text of JSON with the members that it lacks. The rest stays as it is: its bytes count. */
function withMembers(text: string, named: JsonObject): string {
  if (Object.keys(named).length === 0) return text
  const object = objectIn(text)
  const lacking = Object.entries(named).filter(([name]) => !Object.hasOwn(object, name))
  if (lacking.length === 0) return text
  const members = JSON.stringify(Object.fromEntries(lacking)).slice(1, -1)
  const separator = Object.keys(object).length > 0 ? ',' : ''
  return text.replace('{', () => `{${members}${separator}`)
}

function objectIn(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notAdded()
  }
  if (!isObject(value)) throw notAdded()
  return value
}

function notAdded(): GatewayError {
  return unusable('The body is no JSON object: `model` and `previousResponseId` cannot be added.')
}

function write(value: unknown, limits: Parameters<typeof excessError>[1]): Buffer {
  try {
    return Buffer.from(JSON.stringify(value))
  } catch (error) {
    throw error instanceof RangeError ? excessError('jsonDepth', limits) : error
  }
}

function headersOf({ headers }: Pick<ExplainInput, 'headers'>): Record<string, string> {
  const given = headers ?? []
  if (given.length > mostHeaders) throw unusable(`At most ${mostHeaders} headers can be given.`)
  return Object.fromEntries(
    given.map(({ name, value }) => {
      const lower = name.toLowerCase()
      const isValid = /^[a-z\d!#$%&'*+.^_`|~-]{1,64}$/.test(lower) && isHeaderValue(value)
      if (!isValid || ownHeaders.test(lower))
        throw unusable(`The header ${quote(name)} cannot be given.`)
      return [lower, value]
    }),
  )
}

function isHeaderValue(value: string): boolean {
  return value.length <= longestHeader && /^[\t\x20-\x7e]*$/.test(value)
}

function unusable(message: string): GatewayError {
  return new GatewayError('invalid_value', message)
}
