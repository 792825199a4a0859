import type { NativeForward } from '../contract/operation.ts'
import type { Routed } from '../contract/exchange.ts'
import type { EventMapper } from '../generate/mapper.ts'
import { type AttemptPlan, Declined } from '../contract/attempt.ts'
import { planNativeAttempt } from '../upstream/native.ts'
import { dropUnderPolicy, lossContextOf } from './losses.ts'
import { persistReply } from './persist-reply.ts'
import { TranslatingObserver } from './observer.ts'
import { createTranslatedRequest } from './translated-request.ts'
import { translateRefusal } from './refusal.ts'
import { translateReply } from './reply.ts'
import type { TranslationServices } from '../contract/services.ts'
import { openTranslation } from './translation.ts'

/**
 * An account is asked in its own words, and its answer is written anew in the client's. Given an
 * operation the client's own request goes out: only the answer is written anew.
 */
export async function planTranslatedAttempt(
  exchange: Routed,
  services: TranslationServices,
  plugged: readonly EventMapper[],
  asWritten?: NativeForward,
): Promise<AttemptPlan> {
  if (asWritten) refuseVerbatim(exchange)
  const translation = await openTranslation(exchange, services, plugged, asWritten !== undefined)
  const { candidate } = exchange
  const drop = dropUnderPolicy(lossContextOf(exchange, services), translation.context.drop)
  return {
    outbound: asWritten
      ? planNativeAttempt(exchange, asWritten).outbound
      : createTranslatedRequest(exchange, translation, drop),
    observer: () => new TranslatingObserver(translation, candidate.account),
    read: (json) => translateReply(json, translation, candidate.account),
    ...(!candidate.native && {
      translateError: (error) => translateRefusal(error, translation.account),
    }),
    persist: () => persistReply(exchange, translation, services),
  }
}

/** Plugins edit what is answered at once; an account whose answers they leave alone may be had. */
function refuseVerbatim({ call: { nativeOnly } }: Routed): void {
  if (!nativeOnly) return
  const { field, reason } = nativeOnly
  const sentence = `\`${field}\`: a plugin of the gateway edits the answer, and ${reason}.`
  throw new Declined('translation', sentence, { field })
}
