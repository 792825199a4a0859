import { type AnyPlan, type AttemptPlan, Declined } from '../contract/attempt.ts'
import type { Routed } from '../contract/exchange.ts'
import type { ForwardOperation, NativeForward, PlannedForward } from '../contract/operation.ts'
import { isThenable, type MaybePromise } from '../lib/maybe-promise.ts'
import { lacksOf } from '../route/route.ts'
import { blameUnfitModel } from '../kit/unfit-model.ts'
import { planConversion } from '../translate/convert.ts'
import { planCount } from '../translate/count.ts'
import { OtherFormOfText } from '../translate/other-form.ts'
import { planTranslatedAttempt } from '../translate/plan.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'
import { planNativeAttempt } from '../upstream/native.ts'
import { accountClientOf, besideAttempt } from './account-client.ts'

/**
 * Plans an attempt: the request to the account and the reader of its reply. A native account gets the
 * client's bytes with the call's edits, others a translation. Rejects with `Declined` if this account
 * cannot serve the call, with `GatewayError` if none can.
 */
export function prepare(
  exchange: Routed,
  operation: ForwardOperation,
  environment: AttemptEnvironment,
): MaybePromise<AnyPlan> {
  const rethrow = (thrown: unknown): never => {
    throw blameUnfitModel(thrown, exchange)
  }
  try {
    const plan = planAttempt(exchange, operation, environment)
    return isThenable(plan) ? plan.catch(rethrow) : plan
  } catch (thrown) {
    return rethrow(thrown)
  }
}

function planAttempt(
  exchange: Routed,
  operation: ForwardOperation,
  environment: AttemptEnvironment,
): MaybePromise<AnyPlan> {
  const { forward } = operation
  const { candidate, progress } = exchange
  if ('plan' in forward) {
    const isOther = !candidate.native && exchange.dialect.converts !== undefined
    return isOther ? planConverted(exchange, environment) : planOwn(exchange, forward, environment)
  }
  const { routing } = progress
  if (routing?.relocation && !routing.renamed && !exchange.isDryRun) {
    return relocate(exchange, forward, environment).then(() =>
      planAttempt(exchange, operation, environment),
    )
  }
  const { translation, hooks } = environment
  const isGenerated = operation.capability === 'generate' && exchange.dialect.generate
  const mappers = isGenerated ? hooks.events(exchange) : []
  const sendsOriginal =
    candidate.native && !progress.routing?.stored && !(isGenerated && needsStorage(exchange))
  const passesThrough = sendsOriginal && mappers.length === 0
  if (passesThrough || (candidate.native && !isGenerated)) {
    const plan = planNativeAttempt(exchange, forward, translation.policy)
    const isReadable = isGenerated && !exchange.call.nativeOnly
    if (isReadable && !('content' in plan))
      plan.otherForm = new OtherFormOfText(exchange, translation)
    exchange.body.releaseJson?.()
    return plan
  }
  const plan = () => {
    if (isGenerated)
      return planTranslatedAttempt(
        exchange,
        translation,
        mappers,
        sendsOriginal ? forward : undefined,
      )
    return operation.capability === 'count-tokens'
      ? planCount(exchange, translation)
      : planConverted(exchange, environment)
  }
  const { body } = exchange
  return body.restoreJson ? body.restoreJson().then(plan) : plan()
}

/** Whether the gateway has to store the response, because the account cannot. */
function needsStorage({ candidate, dialect, body }: Routed): boolean {
  if (!dialect.generate?.transcripts || !lacksOf(candidate).includes('stored-responses'))
    return false
  return body.json.store !== false
}

/** The requests before the last one do not count as attempts. */
function planConverted(exchange: Routed, environment: AttemptEnvironment): Promise<AttemptPlan> {
  const client = accountClientOf(exchange, environment)
  return besideAttempt(exchange, () => planConversion(exchange, environment.translation, client))
}

/** Calls the operation's `plan`. Its look-ups do not count as attempts. */
async function planOwn(
  exchange: Routed,
  forward: PlannedForward,
  environment: AttemptEnvironment,
): Promise<AnyPlan> {
  const client = accountClientOf(exchange, environment)
  return besideAttempt(exchange, () => forward.plan(exchange, environment.translation, client))
}

/**
 * Moves the unused resource of a call to the account of the attempt: creates it there, and records that.
 * Throws `Declined` if the account does not create it, and `GatewayError` if the store cannot record it.
 */
async function relocate(
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
