import type { Authenticated } from '../contract/exchange.ts'
import { leaseOf } from '../exchange/record.ts'
import { smallJson } from '../lib/json/measure.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { writeJson } from '../lib/json/write.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { runInTurns } from '../lib/turns.ts'

/** Text of a number for the bytes of one in base64. */
const mostGrowth = 4

/**
 * Writes a reply that the gateway has made of an account's reply of so many bytes: a large one in turns of the event loop.
 * Rejects with `GatewayError` 503 without memory.
 */
export function writtenReply(
  reply: JsonObject,
  receivedBytes: number,
  exchange: Authenticated,
): MaybePromise<Buffer> {
  if (receivedBytes <= smallJson) return Buffer.from(JSON.stringify(reply))
  return writeLarge(reply, receivedBytes, exchange)
}

async function writeLarge(
  reply: JsonObject,
  receivedBytes: number,
  exchange: Authenticated,
): Promise<Buffer> {
  const lease = leaseOf(exchange)
  await lease.hold('reply', lease.held('reply') + mostGrowth * receivedBytes)
  return runInTurns(writeJson(reply), { owner: exchange.caller.keyId })
}
