import type { Account } from '../contract/account.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { errorIn } from '../kit/upstream-error.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ErrorEvent } from '../generate/events.ts'
import { Collector } from '../generate/collect.ts'
import { throughMappers } from '../generate/mapper.ts'
import { eventsOf } from '../generate/replay.ts'
import type { GenerateResult } from '../generate/result.ts'
import type { ReadReply } from '../contract/attempt.ts'
import { storeReply } from './persist-reply.ts'
import { failureOutcome, translatedOutcome } from './outcome.ts'
import type { Translation } from './translation.ts'

/** An account's JSON reply as its client reads it, and what it means. */
export function translateReply(
  json: unknown,
  translation: Translation,
  upstream: Account,
): ReadReply {
  const { account, client, context, request, signatures } = translation
  if (typeof json !== 'object' || json === null) {
    throw new GatewayError('upstream_invalid_reply', "The upstream's reply is no object.")
  }
  const told = account.decodeResult(json as JsonObject, request)
  if ('type' in told) {
    return { outcome: failureOutcome(told, upstream).outcome, failedHere: !errorIn(json) }
  }
  if (signatures) for (const event of eventsOf(told)) signatures.push(event)
  const result = mapped(told, translation)
  if ('type' in result)
    return { outcome: failureOutcome(result, upstream).outcome, failedHere: true }
  const { body, id, items } = client.codec.encodeResult(result, context)
  const stops = result.choices.map(({ stop }) => stop.reason)
  const keeping = storeReply(translation, body)
  const named = { kind: client.produces, id, model: result.model, items, keeping }
  return {
    outcome: translatedOutcome(stops, result.usage, named),
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** As its stream would have been changed, or the error that stands instead of it. */
function mapped(result: GenerateResult, { mappers }: Translation): GenerateResult | ErrorEvent {
  if (mappers.length === 0) return result
  const collector = new Collector()
  const errors: ErrorEvent[] = []
  const push = throughMappers(mappers, (event) => {
    if (event.type === 'error') errors.push(event)
    else collector.collect(event)
  })
  for (const event of eventsOf(result)) push(event)
  if (errors[0]) return errors[0]
  if (!collector.result) throw new Error('The reply lost its end on its way.')
  return collector.result
}
