import type { Candidate } from '../contract/candidate.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { errorIn } from '../kit/upstream-error.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ErrorEvent } from '../generate/events.ts'
import { Collector } from '../generate/collect.ts'
import { throughMappers } from '../generate/mapper.ts'
import { eventsOf } from '../generate/replay.ts'
import type { GenerateResult } from '../generate/result.ts'
import type { ReadReply } from '../contract/attempt.ts'
import { cleanRefusals } from './refusal-filter.ts'
import { storeReply } from './persist-reply.ts'
import { failureOutcome, translatedOutcome } from './outcome.ts'
import { type Translation, nameModel } from './translation.ts'

/**
 * Translates an account's JSON reply for the client. Throws `GatewayError` if the reply is not an object
 * or cannot be read.
 */
export function translateReply(
  json: unknown,
  translation: Translation,
  upstream: Pick<Candidate, 'account' | 'dialect'>,
): ReadReply {
  const { account, client, context, request, signatures } = translation
  if (typeof json !== 'object' || json === null) {
    throw new GatewayError('upstream_invalid_reply', "The upstream's reply is not a JSON object.")
  }
  const decoded = account.decodeResult(json as JsonObject, request)
  if ('type' in decoded) {
    return { outcome: failureOutcome(decoded, upstream).outcome, failedHere: !errorIn(json) }
  }
  if (signatures) for (const event of eventsOf(decoded)) signatures.push(event)
  const result = mapResult(decoded, translation)
  if ('type' in result)
    return { outcome: failureOutcome(result, upstream).outcome, failedHere: true }
  nameModel(translation, result.model)
  const clean = cleanRefusals(result, upstream.account)
  const { body, id, items } = client.codec.encodeResult(clean, context)
  const stops = result.choices.map(({ stop }) => stop.reason)
  const stored = storeReply(translation, body)
  const clientReply = { kind: client.produces, id, model: result.model, items, stored }
  return {
    outcome: translatedOutcome(stops, result.usage, clientReply),
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** The result after the mappers, which change it as they would its stream; or their error event. */
function mapResult(result: GenerateResult, { mappers }: Translation): GenerateResult | ErrorEvent {
  if (mappers.length === 0) return result
  const collector = new Collector()
  const errors: ErrorEvent[] = []
  const emit = throughMappers(mappers, (event) => {
    if (event.type === 'error') errors.push(event)
    else collector.collect(event)
  })
  for (const event of eventsOf(result)) emit(event)
  if (errors[0]) return errors[0]
  if (!collector.result) throw new Error('A mapper dropped the `finish` event of the reply.')
  return collector.result
}
