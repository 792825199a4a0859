import type { Routed } from '../contract/exchange.ts'
import { GatewayError } from '../contract/errors.ts'
import { Declined, type Outbound } from '../contract/attempt.ts'
import type { RecordLoss, EncodedRequest } from '../contract/codec.ts'
import { createOutbound, withoutHeaders } from '../upstream/outbound.ts'
import { forAccount } from './signers.ts'
import type { Translation } from './translation.ts'

/** What the account is told, and in whose words. */
type TranslatedRequest = Pick<Translation, 'account' | 'request'>

/**
 * The request in the account's own words. Of the client's headers none goes along: what they mean
 * is another dialect's business.
 */
export function createTranslatedRequest(
  exchange: Routed,
  translation: TranslatedRequest,
  drop: RecordLoss,
): Outbound {
  const { candidate, call, request } = exchange
  const { account, upstreamModel } = candidate
  const marked = forAccount(account.id, translation.account, translation.request)
  const encoded = encode({ ...translation, request: marked }, upstreamModel, drop)
  return createOutbound(candidate, withoutHeaders(request), {
    method: 'POST',
    path: encoded.path,
    query: encoded.query,
    accept: call.stream ? 'text/event-stream' : 'application/json',
    contentType: 'application/json',
    headers: encoded.headers,
    body: Buffer.from(JSON.stringify(encoded.body)),
  })
}

/** What this account cannot be asked for another one may well be. */
function encode(
  { account, request }: TranslatedRequest,
  upstreamModel: string,
  drop: RecordLoss,
): EncodedRequest {
  try {
    return account.encodeRequest(request, upstreamModel, drop)
  } catch (error) {
    if (!GatewayError.isInstance(error) || error.status >= 500) throw error
    throw new Declined('translation', error.message, { field: error.param ?? '' })
  }
}
