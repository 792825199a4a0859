import type { RequestBody } from '../contract/body.ts'
import { rulesOf } from './members.ts'
import { emptyBody, parseBody, readBody } from './read-body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Identified } from '../contract/exchange.ts'
import { isForm, isMultipart } from './form/boundary.ts'
import { readForm } from './form/read-form.ts'
import { readOpaque } from './read-opaque.ts'
import type { Spool } from './spool/spool.ts'
import { disposeAtEnd, enterCall, leaseOf } from '../exchange/record.ts'
import type { Ticker } from '../lib/ticker.ts'
import type { Limits, Timeouts } from '../contract/limits.ts'
import type { ModelInPath } from '../contract/operation.ts'
import { resolveModel } from '../kit/models.ts'
import { type ByteRange, decodeString } from '../lib/json/scan.ts'

/** The limits and services that reading a body uses. */
interface BodySource {
  readonly limits: Limits & Timeouts
  readonly ticker: Ticker
  readonly spool: Spool
}

/** Reads the body of a request as its operation requires: JSON, or a form or anything that goes to the spool. */
export function readRequest(exchange: Authenticated, source: BodySource): Promise<RequestBody> {
  const { operation, request } = exchange
  const type = request.headers['content-type']
  const isAny = operation.body === 'opaque'
  if (isAny ? isForm(type) : operation.body === 'form' && isMultipart(type))
    return spoolForm(exchange, source)
  return isAny ? spoolOpaque(exchange, source) : readJson(exchange, source)
}

/** Reads a JSON body. Rejects with `GatewayError` 400 if there is one and the operation takes none. */
export async function readJson(
  exchange: Identified,
  { limits, ticker }: BodySource,
): Promise<RequestBody> {
  const lease = () => leaseOf(exchange)
  const bytes = await readBody(exchange.request, limits, ticker, lease)
  exchange.progress.bytesIn = bytes.length
  exchange.progress.capture?.readBody(bytes)
  const { body } = exchange.operation
  if (bytes.length === 0 && body && body !== 'form') return emptyBody
  if (body === 'none')
    throw new GatewayError('invalid_request', 'This operation does not accept a body.')
  return parseBody(bytes, {
    limits,
    request: exchange,
    lease,
    check: (large, members) => refuseUnknownModel(exchange, large, members),
  })
}

async function spoolForm(
  exchange: Authenticated,
  { limits, ticker, spool }: BodySource,
): Promise<RequestBody> {
  const { form, spooled } = await readForm(
    exchange.request,
    limits,
    ticker,
    { spool, keyId: exchange.caller.keyId },
    rulesOf(exchange.operation),
  )
  disposeAtEnd(exchange, spooled)
  exchange.progress.bytesIn = form.size
  exchange.progress.capture?.readForm(form)
  return { ...emptyBody, form }
}

async function spoolOpaque(
  exchange: Authenticated,
  { limits, ticker, spool }: BodySource,
): Promise<RequestBody> {
  const { keyId } = exchange.caller
  const received = await readOpaque(exchange.request, limits, ticker, { spool, keyId })
  if (!received) return emptyBody
  const { opaque, spooled } = received
  disposeAtEnd(exchange, spooled)
  exchange.progress.bytesIn = opaque.length
  const encoding = exchange.request.headers['content-encoding']
  await exchange.progress.capture?.readOpaque(opaque, encoding)
  return { ...emptyBody, opaque }
}

/** Capabilities whose requests name the model in their `model` member. */
const withModel: ReadonlySet<string | undefined> = new Set([
  'generate',
  'count-tokens',
  'compact',
  'embed',
  'generate-image',
  'moderate',
  'rerank',
  'edit-image',
  'speak',
  'video',
])

/** Members that refer to a stored resource, whose account may have left with its model. */
const references = ['previous_response_id', 'conversation']

/** The longest `model`, in bytes with escapes, that is looked at. */
const longestBytes = 4096

const quote = 0x22

/**
 * Refuses a large body for a model that does not exist or that the caller may not use, before the body
 * is parsed. Throws `GatewayError` `model_not_found`.
 */
function refuseUnknownModel(
  exchange: Identified,
  bytes: Buffer,
  members: ReadonlyMap<string, ByteRange>,
): void {
  const operation: Identified['operation'] & ModelInPath = exchange.operation
  if (!withModel.has(operation.capability) || operation.modelOf || !isCalled(exchange)) return
  const at = members.get('model')
  if (!at || bytes[at.start] !== quote || at.end - at.start > longestBytes) return
  if (references.some((name) => members.has(name))) return
  refuse(exchange, { model: decodeString(bytes, at), alternatives: [] })
}

/**
 * Refuses a body of unknown or large size for a model in the path that does not exist or that the
 * caller may not use, before the body is read. Throws `GatewayError` `model_not_found`.
 */
export function refuseUnknownPathModel(exchange: Authenticated, operation: ModelInPath): void {
  if (operation.modelOf && isLarge(exchange)) refuse(exchange, operation.modelOf(exchange))
}

function refuse(exchange: Authenticated, named: ReturnType<ModelOf>): void {
  const call = { ...named, stream: false, refersTo: [], edits: [], losses: [] }
  // Before the model is resolved, so that the access log has an unknown one.
  enterCall(exchange, call)
  if (call.model.trim() !== '') resolveModel(exchange, call)
}

type ModelOf = NonNullable<ModelInPath['modelOf']>

function isCalled(exchange: Identified): exchange is Authenticated {
  return (exchange as Partial<Authenticated>).caller !== undefined
}

/** The size, in bytes, from which on a body is worth a check of its own. */
const largeBytes = 64 * 1024

function isLarge({ request: { headers } }: Authenticated): boolean {
  if (headers['content-encoding'] !== undefined) return true
  return !(Number(headers['content-length']) <= largeBytes)
}
