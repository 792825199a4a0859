import type { NativeForward } from '../contract/operation.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import { nextTurn, runInTurns } from '../lib/turns.ts'
import type { EventMapper } from '../generate/mapper.ts'
import { type AttemptPlan, Declined } from '../contract/attempt.ts'
import type { Outbound } from '../contract/outbound.ts'
import { planNativeAttempt } from '../upstream/native.ts'
import { persistReply } from './persist-reply.ts'
import { TranslatingObserver } from './observer.ts'
import { translateRefusal } from './outcome.ts'
import { OtherFormOfText } from './other-form.ts'
import { assertTranslatable } from './reply-size.ts'
import { translateReply } from './reply.ts'
import type { TranslationServices } from '../contract/services.ts'
import { type Translation, openTranslation } from './translation.ts'
import { accountFraming } from '../kit/framing/sse.ts'
import type { EncodedRequest, RecordLoss } from '../contract/codec.ts'
import { assertReadable, hasOtherCharset } from '../kit/codec/file-text.ts'
import { blameUnfitModel } from '../kit/unfit-model.ts'
import { writeJson } from '../lib/json/write.ts'
import { createOutbound, withoutHeaders } from '../upstream/outbound.ts'
import { dropForeignSignatures } from './signers.ts'

/**
 * Plans an attempt whose request is encoded for the account's dialect and whose reply is encoded for
 * the client's. `pluginMappers` change the events of the reply. With `nativeForward` the client's own
 * request goes out, and only the reply is encoded again. Throws `Declined` if the account cannot serve
 * the call, and `GatewayError` for a malformed request.
 */
export async function planTranslatedAttempt(
  exchange: Routed,
  services: TranslationServices,
  pluginMappers: readonly EventMapper[],
  nativeForward?: NativeForward,
): Promise<AttemptPlan> {
  if (nativeForward) declineNativeOnly(exchange)
  const isNative = nativeForward !== undefined
  const translation = await openTranslation(exchange, services, pluginMappers, isNative)
  // Decoding and encoding a large request each have a turn of the event loop.
  if (exchange.body.isLarge) await nextTurn(exchange.caller.keyId)
  const { candidate } = exchange
  return {
    outbound: nativeForward
      ? planNativeAttempt(exchange, nativeForward, services.policy).outbound
      : await createTranslatedRequest(exchange, translation, translation.losses.dropFromRequest),
    observer: () => new TranslatingObserver(translation, candidate, services),
    read(json, received, signal) {
      if (received) assertTranslatable(received)
      return translateReply(json, translation, candidate, {
        signal,
        // A plugin may refuse what the account has been paid for.
        onUsage: (usage) => (exchange.attempt.usage = usage),
      })
    },
    otherForm: new OtherFormOfText(exchange, services, translation),
    ...(!candidate.native && {
      translateError: (error) => translateRefusal(error, translation.account),
    }),
    persist: () => persistReply(exchange, translation, services),
  }
}

/** Declines a call whose reply must reach the client unchanged: here plugins edit the reply. */
function declineNativeOnly({ call: { nativeOnly } }: Routed): void {
  if (!nativeOnly) return
  const { field, reason } = nativeOnly
  const sentence = `\`${field}\`: a plugin of the gateway edits the answer, and ${reason}.`
  throw new Declined('translation', sentence, { field })
}

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
  const own = dropForeignSignatures(candidate, translation.account, translation.request)
  const encoded = encode({ ...translation, request: own }, exchange, drop)
  // Encoding a large request takes most of a turn of the event loop; writing it begins in the next one.
  if (exchange.body.isLarge) await nextTurn(exchange.caller.keyId)
  return createOutbound(candidate, withoutHeaders(request), {
    method: 'POST',
    path: encoded.path,
    query: encoded.query,
    accept: call.stream ? accountFraming(candidate.dialect).mediaTypes[0] : 'application/json',
    contentType: 'application/json',
    headers: encoded.headers,
    stream: call.stream,
    drop,
    body: exchange.body.isLarge
      ? await runInTurns(writeJson(encoded.body), { owner: exchange.caller.keyId })
      : Buffer.from(JSON.stringify(encoded.body)),
  })
}

/** Turns a 4xx of the codec into `Declined`, because an account of another dialect may serve the call. */
function encode(
  { account, request }: TranslatedRequest,
  exchange: Routed,
  drop: RecordLoss,
): EncodedRequest {
  const { candidate } = exchange
  try {
    if (request.fields.file_input !== undefined) assertReadable(request, hasOtherCharset)
    return account.encodeRequest(request, candidate.upstreamModel, drop, candidate.account)
  } catch (thrown) {
    const error = blameUnfitModel(thrown, exchange)
    if (!GatewayError.isInstance(error) || error.status >= 500) throw error
    throw new Declined('translation', error.message, { field: error.param ?? '' })
  }
}
