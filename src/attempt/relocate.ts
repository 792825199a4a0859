import { Declined } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { NativeForward } from '../contract/operation.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { accountClientOf, besideAttempt } from './account-client.ts'

/**
 * Moves the unused resource of a call to the account of the attempt: creates it there, and records that.
 * Throws `Declined` if the account does not create it, and `GatewayError` if the store cannot record it.
 */
export async function relocate(
  exchange: Routed,
  { recreate }: NativeForward,
  environment: AttemptEnvironment,
): Promise<void> {
  const { candidate, progress } = exchange
  const { routing } = progress
  if (!routing?.relocation || !recreate || !candidate.native) throw cannotStore()
  const { seed, settle } = routing.relocation
  const client = accountClientOf(exchange, environment)
  const upstreamId = await besideAttempt(exchange, async () => {
    const reply = await client.fetchJson(candidate, recreate.call(seed)).catch(() => undefined)
    return recreate.idOf(reply?.json)
  })
  if (upstreamId === undefined || !plainId.test(upstreamId)) throw cannotStore()
  routing.relocated(await settle(candidate.account.id, upstreamId))
}

/** An id that JSON writes in one way only, so that replies can be renamed byte for byte. */
const plainId = /^[\w.:-]{1,512}$/

function cannotStore(): Declined {
  return new Declined('bindings', 'it does not create the resource that the call refers to')
}
