import type { AttemptPlan } from '../contract/attempt.ts'
import type { Attempt, Routed } from '../contract/exchange.ts'
import type { ForwardOperation, NativeForward, PlannedForward } from '../contract/operation.ts'
import { resumeAttempt } from '../exchange/record.ts'
import type { MaybePromise } from '../lib/maybe-promise.ts'
import { planCount } from '../translate/count.ts'
import { planTranslatedAttempt } from '../translate/plan.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { planNativeAttempt } from '../upstream/native.ts'
import { accountClientOf } from './account-client.ts'

/**
 * Puts together the request to the account that routing chose, and how its reply is read: the client's
 * own bytes where the account speaks its dialect, a translation elsewhere. Rejects with `Declined`
 * where this account cannot serve the call, with `GatewayError` where none can.
 */
export function prepare(
  exchange: Routed,
  operation: ForwardOperation,
  environment: AttemptEnvironment,
): MaybePromise<AttemptPlan> {
  const { forward } = operation
  if ('plan' in forward) return planOwn(exchange, forward, environment)
  const { candidate, progress } = exchange
  const { translation, hooks } = environment
  const isGenerated = operation.capability === 'generate' && exchange.dialect.generate
  const mappers = isGenerated ? hooks.events(exchange) : []
  const asWritten = candidate.native && !progress.routing?.stored
  const asIs = asWritten && mappers.length === 0
  if (asIs || (candidate.native && !isGenerated)) return planNativeAttempt(exchange, forward)
  if (operation.capability === 'count-tokens') return planCount(exchange, translation)
  const native: NativeForward | undefined = asWritten ? forward : undefined
  return planTranslatedAttempt(exchange, translation, mappers, native)
}

/** Look-ups on the way are no attempts at the operation, and are not billed. */
async function planOwn(
  exchange: Routed,
  forward: PlannedForward,
  environment: AttemptEnvironment,
): Promise<AttemptPlan> {
  const { progress } = exchange
  const { attempt, attempts }: { attempt: Attempt; attempts: number } = {
    attempt: exchange.attempt,
    attempts: progress.attempts,
  }
  try {
    const client = accountClientOf(exchange, environment)
    return await forward.plan(exchange, environment.translation, client)
  } finally {
    resumeAttempt(exchange, attempt)
    Object.assign(progress, { attempt, attempts })
  }
}
