import type { RequestBody } from '../contract/body.ts'
import { rulesOf } from './member-rules.ts'
import { emptyBody, parseBody, readBody } from './read-body.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Authenticated, Identified } from '../contract/exchange.ts'
import { isMultipart } from './form/boundary.ts'
import { readForm } from './form/read-form.ts'
import { refuseUnknownModel } from './refuse-model.ts'
import type { Spool } from './spool/spool.ts'
import { disposeAtEnd, leaseOf } from '../exchange/record.ts'
import type { Ticker } from '../lib/ticker.ts'
import type { Limits, Timeouts } from '../contract/limits.ts'

/** The limits and services that reading a body uses. */
interface BodySource {
  readonly limits: Limits & Timeouts
  readonly ticker: Ticker
  readonly spool: Spool
}

/** Reads the body of a request as its operation requires: JSON, or a form that goes to the spool. */
export function readRequest(exchange: Authenticated, source: BodySource): Promise<RequestBody> {
  const { operation, request } = exchange
  return operation.body === 'form' && isMultipart(request.headers['content-type'])
    ? spoolForm(exchange, source)
    : readJson(exchange, source)
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
