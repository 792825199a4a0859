import type { Routed } from '../../../src/contract/exchange.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import { createNativeRequest } from '../../../src/upstream/native-request.ts'
import type { AttemptPlan, Outbound } from '../../../src/contract/attempt.ts'
import type { TranslationServices } from '../../../src/contract/services.ts'
import { type ImageField, imagesIn } from './call.ts'
import { ImageObserver } from './observer.ts'
import type { ImageParts } from './parts.ts'
import { readImages } from './reply.ts'
import type { Values } from './values.ts'

/** The client's own request to the account, with these edits besides the model's name. */
export function imageRequestOf(
  exchange: Routed,
  path: string,
  edits: readonly ByteEdit[] = [],
): Outbound {
  const { request, call } = exchange
  const edited = { ...exchange, call: { ...call, edits: [...call.edits, ...edits] } }
  return createNativeRequest(edited, { path, query: request.query })
}

/** What the answer depends on. */
export interface ImagePlanOptions extends Pick<ImageParts, 'results' | 'log' | 'now'> {
  readonly values: Values
  /** Where the client awaits its images. */
  readonly due: ImageField | undefined
  /** How the names of events begin. */
  readonly events: string
  readonly services: Pick<TranslationServices, 'fetch'>
}

/** How the answer to it is read: frames pass as they are, replies with the contract's fields. */
export function planImageAttempt(
  exchange: Routed,
  outbound: Outbound,
  { values, due, events, services, results, log, now }: ImagePlanOptions,
): AttemptPlan {
  const turning = () => ({
    results,
    log,
    fetch: services.fetch,
    signal: exchange.client.signal,
  })
  return {
    outbound,
    observer: () => new ImageObserver(exchange, events, imagesIn(values)),
    read: (json) => readImages(json, { values, due, turning, now }),
  }
}
