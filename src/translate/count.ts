import type { AccountCounting, RawRequest, TokenCounting } from '../contract/codec.ts'
import type { AccountText, TextSupport } from '../contract/dialect-info.ts'
import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import { Losses, codecFor, needsRemoteFiles, remoteFeatures } from './losses.ts'
import { createTranslatedRequest } from './plan.ts'
import { translateRefusal } from './outcome.ts'
import type { TranslationServices } from '../contract/services.ts'

/**
 * Plans an attempt to count the tokens of a request with an account of another dialect. Throws
 * `Declined` if the account cannot serve the request, and `GatewayError` for a malformed one.
 */
export async function planCount(
  exchange: Routed,
  services: TranslationServices,
): Promise<AttemptPlan> {
  const client = countingOf(exchange.dialect)
  const counting = countingOf(exchange.candidate.dialect)
  const account = { ...counting, codec: codecFor(exchange.candidate, counting.codec) }
  const losses = new Losses(exchange, services)
  const request = await readCountRequest(exchange, client, account, services, losses)
  const codec: typeof account.codec = {
    ...account.codec,
    encodeRequest: (...parameters) =>
      account.counting.encodeCountRequest(account.codec.encodeRequest(...parameters)),
  }
  return {
    outbound: await createTranslatedRequest(
      exchange,
      { request, account: codec },
      losses.dropFromRequest,
    ),
    observer() {
      throw new Error('A reply with a token count is not a stream.')
    },
    read: (json) => readCount(json, account.counting, client.counting),
    translateError: (error) => translateRefusal(error, account.codec),
  }
}

type CountingDialect = TextSupport & { readonly counting: TokenCounting }

function countingOf(dialect: Routed['dialect']): CountingDialect
function countingOf(dialect: Candidate['dialect']): Required<AccountText>
function countingOf({ generate, id }: Candidate['dialect'] | Routed['dialect']) {
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
  { codec }: AccountText,
  services: TranslationServices,
  losses: Losses,
): Promise<GenerateRequest> {
  const {
    body,
    progress,
    client: connection,
    request: { query, headers },
  } = exchange
  const rawRequest: RawRequest = {
    body: client.counting.requestOf(body.json),
    stream: false,
    query,
    headers,
  }
  const decoded = (progress.decoded ??= client.codec.decodeRequest(rawRequest))
  losses.accept(decoded, codec, remoteFeatures)
  const request = needsRemoteFiles(decoded, codec)
    ? await services.inline(decoded, codec, connection.signal, exchange.caller.keyId)
    : decoded
  losses.accept(request, codec)
  progress.decoded = request
  return request
}

function readCount(json: unknown, account: AccountCounting, client: TokenCounting): ReadReply {
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
