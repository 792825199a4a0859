import type { Routed } from '../../../src/contract/exchange.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import { createNativeRequest } from '../../../src/upstream/native.ts'
import type { AttemptPlan } from '../../../src/contract/attempt.ts'
import type { Outbound } from '../../../src/contract/outbound.ts'
import type { TranslationServices } from '../../../src/contract/services.ts'
import type { ImageField } from './call.ts'
import { ImageObserver } from './observer.ts'
import type { ImageDependencies } from './parts.ts'
import { readImages } from './reply.ts'
import type { ResultContext } from './result-fields.ts'

/** Returns the client's request to the account, with these edits besides the model's name. */
export function imageRequestOf(
  exchange: Routed,
  path: string,
  edits: readonly ByteEdit[] = [],
): Outbound {
  const { request, call } = exchange
  const edited = { ...exchange, call: { ...call, edits: [...call.edits, ...edits] } }
  return createNativeRequest(edited, { path, query: request.query })
}

/** Options of `planImageAttempt`. */
interface ImagePlanOptions extends Pick<ImageDependencies, 'results' | 'log'>, ResultContext {
  /** The image field of the reply; `undefined` leaves it to the account. */
  readonly replyField: ImageField | undefined
  /** Prefix of event names. */
  readonly events: string
  readonly services: Pick<TranslationServices, 'fetch'>
}

/** Plans an attempt: events and JSON replies are brought to the contract, JSON replies are converted. */
export function planImageAttempt(
  exchange: Routed,
  outbound: Outbound,
  { values, kind, replyField, events, services, results, log, now }: ImagePlanOptions,
): AttemptPlan {
  const conversion = () => ({
    results,
    log,
    fetch: services.fetch,
    signal: exchange.client.signal,
    keyId: exchange.caller.keyId,
    request: exchange.request,
  })
  return {
    outbound,
    observer: () => new ImageObserver(exchange, events, { values, kind, now }),
    read: (json) => readImages(json, { values, kind, replyField, conversion, now }),
  }
}
