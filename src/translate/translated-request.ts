import { accountFraming } from '../kit/framing/sse.ts'
import type { Routed } from '../contract/exchange.ts'
import { GatewayError } from '../contract/errors.ts'
import { Declined, type Outbound } from '../contract/attempt.ts'
import type { RecordLoss, EncodedRequest } from '../contract/codec.ts'
import { blameUnfitModel } from '../kit/unfit-model.ts'
import { writeJson } from '../lib/json/write.ts'
import { runInTurns } from '../lib/turns.ts'
import { createOutbound, withoutHeaders } from '../upstream/outbound.ts'
import { dropForeignSignatures } from './signers.ts'
import { readTextFiles } from './text-files.ts'
import type { Translation } from './translation.ts'

/** The request and the codec of the account. */
type TranslatedRequest = Pick<Translation, 'account' | 'request'>

/**
 * Encodes the request for the account. The client's headers stay behind, because they belong to another
 * dialect. Throws `Declined` if the account's dialect cannot express the request.
 */
export async function createTranslatedRequest(
  exchange: Routed,
  translation: TranslatedRequest,
  drop: RecordLoss,
): Promise<Outbound> {
  const { candidate, call, request } = exchange
  const { account } = candidate
  const own = dropForeignSignatures(account.id, translation.account, translation.request)
  const encoded = await encode({ ...translation, request: own }, exchange, drop)
  return createOutbound(candidate, withoutHeaders(request), {
    method: 'POST',
    path: encoded.path,
    query: encoded.query,
    accept: call.stream ? accountFraming(candidate.dialect).mediaTypes[0] : 'application/json',
    contentType: 'application/json',
    headers: encoded.headers,
    body: exchange.body.release
      ? await runInTurns(writeJson(encoded.body), { owner: exchange.caller.keyId })
      : Buffer.from(JSON.stringify(encoded.body)),
  })
}

/** Turns a 4xx of the codec into `Declined`, because an account of another dialect may serve the call. */
async function encode(
  { account, request }: TranslatedRequest,
  exchange: Routed,
  drop: RecordLoss,
): Promise<EncodedRequest> {
  const { candidate } = exchange
  try {
    const read = await readTextFiles(request, exchange)
    return account.encodeRequest(read, candidate.upstreamModel, drop, candidate.account)
  } catch (thrown) {
    const error = blameUnfitModel(thrown, exchange)
    if (!GatewayError.isInstance(error) || error.status >= 500) throw error
    if (error.code === 'client_closed_request') throw error
    throw new Declined('translation', error.message, { field: error.param ?? '' })
  }
}
