import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Outbound } from '../../src/contract/outbound.ts'
import type { DialectName, Reading } from './clients/index.ts'
import { readers } from './clients/index.ts'
import { approach, type Asking, exchangeOf } from './kernel.ts'
import { relayed, type Relayed, replied } from './relayed.ts'

/** What an account is asked for a client's request. */
export async function askedOf(asking: Asking): Promise<Outbound & { readonly json: JsonObject }> {
  const { outbound } = await approach(exchangeOf(asking))
  const json = JSON.parse((outbound.body as Buffer).toString()) as JsonObject
  return { ...outbound, json }
}

/** What a client gets of an account's stream, chunk by chunk. */
export async function streamedTo(
  client: DialectName,
  account: DialectName,
  events: readonly JsonObject[],
): Promise<Relayed & { readonly reading: Reading }> {
  const frames = events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`))
  const reply = relayed(frames, await approach(exchangeOf({ client, account, stream: true })))
  return { ...reply, reading: readers[client].stream(reply.wire) }
}

/** What a client gets of an account's reply in one piece. */
export async function answeredTo(
  client: DialectName,
  account: DialectName,
  reply: JsonObject,
): Promise<{ readonly json: JsonObject; readonly reading: Reading }> {
  const plan = await approach(exchangeOf({ client, account, stream: false }))
  const { body } = await replied(reply, plan)
  if (!body) throw new Error('The reply failed.')
  return { json: body, reading: readers[client].body(body) }
}
