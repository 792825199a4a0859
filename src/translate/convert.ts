import { type AttemptPlan, Declined, type ReadReply } from '../contract/attempt.ts'
import {
  type AccountConverter,
  type ClientConverter,
  type ConvertedRequest,
  isConverted,
} from '../contract/conversion.ts'
import type { RecordLoss } from '../contract/codec.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { AccountClient } from '../contract/operation.ts'
import type { Outbound } from '../contract/outbound.ts'
import type { TranslationServices } from '../contract/services.ts'
import { blameUnfitModel } from '../kit/unfit-model.ts'
import { errorIn, failedOutcome, statusAt } from '../kit/upstream-error.ts'
import { type JsonObject, isObject } from '../lib/json/object.ts'
import { isThenable, type MaybePromise } from '../lib/maybe-promise.ts'
import { writeJson } from '../lib/json/write.ts'
import { runInTurns } from '../lib/turns.ts'
import type { AccountCall } from '../media/account-call.ts'
import { brokenAttempt } from '../upstream/failure.ts'
import { replyModelOf } from '../upstream/native.ts'
import { createOutbound, withoutHeaders } from '../upstream/outbound.ts'
import { writtenReply } from '../upstream/written-reply.ts'
import { Losses } from './losses.ts'

/** The most requests that one call makes to an account. */
const mostRequests = 32

/** The converters of any capability: a client's side and an account's side have the same neutral model. */
type ClientSide = ClientConverter<ConvertedRequest, object>
type AccountSide = AccountConverter<ConvertedRequest, object>

/**
 * Plans an attempt of a call that a neutral model of its own converts for an account of another dialect. Where an account
 * takes fewer inputs in one request than the call has, the requests before the last one are sent here. Rejects with
 * `Declined` if the account cannot serve the call.
 */
export async function planConversion(
  exchange: Routed,
  { policy }: Pick<TranslationServices, 'policy'>,
  accountClient: AccountClient,
): Promise<AttemptPlan> {
  const { body, candidate } = exchange
  const { client, account } = sidesOf(exchange)
  const { dropFromRequest: drop } = new Losses(exchange, { policy })
  const { request, calls } = encode(exchange, client, account, drop)
  const last = calls.at(-1)!
  const before = exchange.isDryRun
    ? []
    : await answersTo(calls.slice(0, -1), (call) => accountClient.fetchJson(candidate, call))
  return {
    outbound: await outboundOf(exchange, last, drop),
    observer() {
      throw new Error('A converted reply is no stream.')
    },
    read(json, received): MaybePromise<ReadReply> {
      const error = errorIn(json)
      if (error)
        return {
          outcome: failedOutcome(statusAt(error, { upstream: candidate.dialect.upstream }), error),
        }
      const replies = [...before, json].filter(isObject)
      if (replies.length < calls.length) throw notJson()
      const reply = decoded(account, replies, request)
      if (GatewayError.isInstance(reply)) return refusedReply(reply)
      const model = replyModelOf(exchange) ?? reply.model ?? candidate.upstreamModel
      const outcome = { status: 'completed', fault: 'none', usage: reply.usage } as const
      const written = writtenReply(
        client.encodeReply(reply, body.json, model),
        received?.length ?? 0,
        exchange,
      )
      return isThenable(written)
        ? written.then((bytes) => ({ outcome, body: bytes }))
        : { outcome, body: written }
    },
    translateError: withoutBody,
  }
}

function sidesOf({ operation, dialect, candidate }: Routed) {
  const { capability = '' } = operation
  if (isConverted(capability)) {
    const client: Partial<ClientSide> = dialect.converts?.[capability] ?? {}
    const account: Partial<AccountSide> = candidate.dialect.converts?.[capability] ?? {}
    if (isClientSide(client) && isAccountSide(account)) return { client, account }
  }
  throw new Error(`Dialect "${candidate.dialect.id}" converts no calls of "${capability}".`)
}

function isClientSide(side: Partial<ClientSide>): side is ClientSide {
  return side.decodeRequest !== undefined && side.encodeReply !== undefined
}

function isAccountSide(side: Partial<AccountSide>): side is AccountSide {
  return side.encode !== undefined && side.decode !== undefined
}

/** A 4xx of a codec is about the account's dialect: an account of another one may serve the call. */
function encode(exchange: Routed, client: ClientSide, account: AccountSide, drop: RecordLoss) {
  const { body, candidate } = exchange
  try {
    const request = client.decodeRequest(body.json)
    for (const field of request.further) drop(field, 'the account does not support it')
    const calls = account.encode(request, candidate.upstreamModel, drop)
    if (calls.length > mostRequests) throw tooMany(calls.length)
    return { request, calls }
  } catch (thrown) {
    const error = blameUnfitModel(thrown, exchange)
    if (!GatewayError.isInstance(error) || error.status >= 500) throw error
    throw new Declined('translation', error.message, { field: error.param ?? '' })
  }
}

function tooMany(requests: number): GatewayError {
  const message = `The account would have to be asked ${requests} times, and ${mostRequests} are the most for one call. Send fewer inputs.`
  return new GatewayError('invalid_value', message)
}

/** The reply in neutral form, or the error for a request whose answer the account's filters have taken. */
function decoded(account: AccountSide, replies: readonly JsonObject[], request: ConvertedRequest) {
  try {
    return account.decode(replies, request)
  } catch (thrown) {
    if (GatewayError.isInstance(thrown) && thrown.status < 500) return thrown
    throw thrown
  }
}

function refusedReply(error: GatewayError): ReadReply {
  const { status: httpStatus } = error
  return { failedHere: true, outcome: { status: 'failed', fault: 'caller', httpStatus, error } }
}

/** Asks one after the other. A failure of the account is one of the attempt, so that another account may serve. */
async function answersTo(
  calls: readonly AccountCall[],
  ask: (call: AccountCall) => ReturnType<AccountClient['fetchJson']>,
): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const call of calls) {
    try {
      answers.push((await ask(call)).json)
    } catch (thrown) {
      const isOfAccount =
        GatewayError.isInstance(thrown) && (thrown.status >= 500 || thrown.status === 429)
      throw isOfAccount ? brokenAttempt(thrown) : thrown
    }
  }
  return answers
}

async function outboundOf(
  exchange: Routed,
  { method, path, query, json = {} }: AccountCall,
  drop: RecordLoss,
): Promise<Outbound> {
  const { body, caller, candidate, request } = exchange
  return createOutbound(candidate, withoutHeaders(request), {
    method,
    path,
    query,
    accept: 'application/json',
    contentType: 'application/json',
    body: body.isLarge
      ? await runInTurns(writeJson(json), { owner: caller.keyId })
      : Buffer.from(JSON.stringify(json)),
    drop,
  })
}

function notJson(): GatewayError {
  return new GatewayError('upstream_invalid_reply', "The upstream's reply is not a JSON object.")
}

/** The body of an error is in the account's dialect. */
function withoutBody(error: GatewayError): GatewayError {
  if (!error.upstream) return error
  return new GatewayError(error.code, error.message, {
    status: error.status,
    ...(error.retry !== undefined && { retry: error.retry }),
    headers: error.headers,
    cause: error,
  })
}
