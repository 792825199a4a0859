import type { RawRequest, TokenCounting, RecordLoss } from '../contract/codec.ts'
import type { TextSupport } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Loss } from '../contract/call.ts'
import type { Routed } from '../contract/exchange.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import { decodedRequestOf, keepDecoded } from './decoded-requests.ts'
import { acceptLosses, dropUnderPolicy, lossContextOf } from './losses.ts'
import { createTranslatedRequest } from './translated-request.ts'
import { translateRefusal } from './refusal.ts'
import type { TranslationServices } from '../contract/services.ts'
import { needsRemoteFiles, remoteFeatures } from './remote-files.ts'

/**
 * Plans an attempt to count the tokens of a request with an account of another dialect. Throws
 * `Declined` if the account cannot serve the request, and `GatewayError` for a malformed one.
 */
export async function planCount(
  exchange: Routed,
  services: TranslationServices,
): Promise<AttemptPlan> {
  const client = countingOf(exchange.dialect)
  const account = countingOf(exchange.candidate.dialect)
  const losses: Loss[] = []
  const request = await readCountRequest(exchange, client, account, services, losses)
  const record: RecordLoss = (field, reason) => {
    if (!losses.some((loss) => loss.field === field)) losses.push({ field, reason })
  }
  exchange.attempt.losses = losses
  const drop = dropUnderPolicy(lossContextOf(exchange, services), record)
  const codec: typeof account.codec = {
    ...account.codec,
    encodeRequest: (...parameters) =>
      account.counting.encodeCountRequest(account.codec.encodeRequest(...parameters)),
  }
  return {
    outbound: await createTranslatedRequest(exchange, { request, account: codec }, drop),
    observer() {
      throw new Error('A reply with a token count is not a stream.')
    },
    read: (json) => readCount(json, account.counting, client.counting),
    translateError: (error) => translateRefusal(error, account.codec),
  }
}

type CountingDialect = TextSupport & { readonly counting: TokenCounting }

function countingOf({ generate, id }: Routed['dialect']): CountingDialect {
  const { counting } = generate ?? {}
  if (!generate || !counting) throw new Error(`Dialect "${id}" does not count tokens.`)
  return { ...generate, counting }
}

/**
 * Decodes the request to count. Remote files are fetched as for a generation, because their content
 * counts.
 */
async function readCountRequest(
  exchange: Routed,
  client: CountingDialect,
  { codec }: CountingDialect,
  services: TranslationServices,
  losses: Loss[],
): Promise<GenerateRequest> {
  const {
    body,
    client: connection,
    request: { query, headers },
  } = exchange
  const rawRequest: RawRequest = {
    body: client.counting.requestOf(body.json),
    stream: false,
    query,
    headers,
  }
  const decoded =
    decodedRequestOf(exchange) ?? keepDecoded(exchange, client.codec.decodeRequest(rawRequest))
  const context = lossContextOf(exchange, services)
  acceptLosses(decoded, codec, context, remoteFeatures)
  const request = needsRemoteFiles(decoded, codec)
    ? await services.inline(decoded, codec, connection.signal, exchange.caller.keyId)
    : decoded
  losses.push(...acceptLosses(request, codec, context))
  keepDecoded(exchange, request)
  return request
}

function readCount(json: unknown, account: TokenCounting, client: TokenCounting): ReadReply {
  const reply = typeof json === 'object' && json !== null ? json : {}
  const tokens = account.readCount({ ...reply })
  if (tokens === undefined) {
    throw new GatewayError('upstream_invalid_reply', "The upstream's reply has no count of tokens.")
  }
  return {
    outcome: { status: 'completed', fault: 'none' },
    body: Buffer.from(JSON.stringify(client.encodeCount(tokens))),
  }
}
