import type { Candidate } from '../contract/candidate.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { errorIn } from '../kit/upstream-error.ts'
import { reportedUsage } from '../kit/usage.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ErrorEvent, GenerateEvent } from '../generate/events.ts'
import { Collector } from '../generate/collect.ts'
import { throughMappers } from '../generate/mapper.ts'
import { eventsOf } from '../generate/replay.ts'
import type { GenerateResult } from '../generate/result.ts'
import { WaitingMappers } from '../generate/waiting-mappers.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { ReadReply } from '../contract/attempt.ts'
import type { Usage } from '../contract/outcome.ts'
import { cleanRefusals } from './encoded-reply.ts'
import { storeReply } from './persist-reply.ts'
import { failureOutcome, translatedOutcome } from './outcome.ts'
import { type Translation, nameModel } from './translation.ts'

/** What mappers of a reply need, and the function that notes its usage, also if a mapper refuses the reply. */
interface ReplyOptions {
  readonly signal?: (() => AbortSignal) | undefined
  readonly onUsage?: (usage: Usage | undefined) => void
}

/**
 * Translates an account's JSON reply for the client; a promise only if a mapper waits, until `signal`
 * aborts. Throws `GatewayError` if the
 * reply is not an object or cannot be read.
 */
export function translateReply(
  json: unknown,
  translation: Translation,
  upstream: Pick<Candidate, 'account' | 'dialect'>,
  { signal = () => new AbortController().signal, onUsage = () => {} }: ReplyOptions = {},
): MaybePromise<ReadReply> {
  const { account, request, signatures, mappers } = translation
  if (typeof json !== 'object' || json === null) {
    throw new GatewayError('upstream_invalid_reply', "The upstream's reply is not a JSON object.")
  }
  const decoded = account.decodeResult(json as JsonObject, request)
  if ('type' in decoded) {
    return { outcome: failureOutcome(decoded, upstream).outcome, failedHere: !errorIn(json) }
  }
  onUsage(reportedUsage(decoded.usage))
  if (signatures) for (const event of eventsOf(decoded)) signatures.push(event)
  const result = mappers.some(({ waits }) => waits)
    ? mapWaiting(decoded, mappers, signal())
    : mapResult(decoded, mappers)
  const encode = (mapped: GenerateResult | ErrorEvent) => encodeReply(mapped, translation, upstream)
  return isThenable(result) ? result.then(encode) : encode(result)
}

function encodeReply(
  result: GenerateResult | ErrorEvent,
  translation: Translation,
  upstream: Pick<Candidate, 'account' | 'dialect'>,
): ReadReply {
  const { client, context } = translation
  if ('type' in result)
    return { outcome: failureOutcome(result, upstream).outcome, failedHere: true }
  nameModel(translation, result.model)
  const clean = cleanRefusals(result, upstream.account)
  const { body, id, items } = client.codec.encodeResult(clean, context)
  const stops = result.choices.map(({ stop }) => stop.reason)
  const stored = storeReply(translation, body)
  const clientReply = { kind: client.produces, id, model: result.model, items, stored }
  const outcome = translatedOutcome(stops, result.usage, clientReply)
  return { outcome, body: Buffer.from(JSON.stringify(body)) }
}

type Mappers = Translation['mappers']

/** The result after the mappers, which change it as they would its stream; or their error event. */
function mapResult(result: GenerateResult, mappers: Mappers): GenerateResult | ErrorEvent {
  if (mappers.length === 0) return result
  const mapped = new MappedResult()
  const emit = throughMappers(mappers, (event) => mapped.add(event))
  for (const event of eventsOf(result)) emit(event)
  return mapped.result()
}

/** The same with mappers that wait. Rejects as they do, and when the signal aborts. */
async function mapWaiting(
  result: GenerateResult,
  mappers: Mappers,
  signal: AbortSignal,
): Promise<GenerateResult | ErrorEvent> {
  const mapped = new MappedResult()
  const chain = new WaitingMappers(mappers, (event) => mapped.add(event))
  signal.addEventListener('abort', () => chain.cancel(), { once: true })
  for (const event of eventsOf(result)) chain.push(event)
  while (chain.step) await chain.step
  return mapped.result()
}

/** Collects the events that pass the mappers. */
class MappedResult {
  readonly #collector = new Collector()
  #error: ErrorEvent | undefined

  add(event: GenerateEvent): void {
    if (event.type === 'error') this.#error ??= event
    else this.#collector.collect(event)
  }

  result(): GenerateResult | ErrorEvent {
    const result = this.#error ?? this.#collector.result
    if (!result) throw new Error('A mapper dropped the `finish` event of the reply.')
    return result
  }
}
