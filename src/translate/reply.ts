import type { Account } from '../accounts/account.ts'
import type { JsonObject } from '../codec.ts'
import { GatewayError } from '../errors.ts'
import { Collector } from '../generate/collect.ts'
import { throughMappers } from '../generate/mapper.ts'
import { eventsOf } from '../generate/replay.ts'
import type { GenerateResult } from '../generate/result.ts'
import type { ReadReply } from '../upstream/approach.ts'
import { translatedOutcome, toldFailure } from './outcome.ts'
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
  if ('type' in told) return { outcome: toldFailure(told, upstream).outcome }
  if (signatures) for (const event of eventsOf(told)) signatures.push(event)
  const result = mapped(told, translation)
  const { body, id, items } = client.codec.encodeResult(result, context)
  const stops = result.choices.map(({ stop }) => stop.reason)
  translation.reply = body
  const kept = client.keeping?.keep(translation.conversation, body)
  const named = { kind: client.produces, id, model: result.model, items, kept }
  return {
    outcome: translatedOutcome(stops, result.usage, named),
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** As its stream would have been changed. */
function mapped(result: GenerateResult, { mappers }: Translation): GenerateResult {
  if (mappers.length === 0) return result
  const collector = new Collector()
  const push = throughMappers(mappers, (event) => collector.push(event))
  for (const event of eventsOf(result)) push(event)
  if (!collector.result) throw new Error('A mapper of events took the end away.')
  return collector.result
}
