import type { RawRequest, TokenCounting, RecordLoss } from '../contract/codec.ts'
import type { TextSupport } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Loss } from '../contract/call.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Feature } from '../generate/unsupported.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import { acceptLosses, dropUnderPolicy, lossContextOf } from './losses.ts'
import { createTranslatedRequest } from './translated-request.ts'
import { translateRefusal } from './refusal.ts'
import type { TranslationServices } from '../contract/services.ts'

/** An account is asked in its own words how many tokens it would be told. */
export async function planCount(
  exchange: Routed,
  services: TranslationServices,
): Promise<AttemptPlan> {
  const client = countable(exchange.dialect)
  const account = countable(exchange.candidate.dialect)
  const losses: Loss[] = []
  const request = await readQuestion(exchange, client, account, services, losses)
  const note: RecordLoss = (field, reason) => {
    if (!losses.some((loss) => loss.field === field)) losses.push({ field, reason })
  }
  exchange.attempt.losses = losses
  const drop = dropUnderPolicy(lossContextOf(exchange, services), note)
  const codec: typeof account.codec = {
    ...account.codec,
    encodeRequest: (...asked) =>
      account.counting.encodeCountRequest(account.codec.encodeRequest(...asked)),
  }
  return {
    outbound: createTranslatedRequest(exchange, { request, account: codec }, drop),
    observer() {
      throw new Error('Nobody counts in a stream.')
    },
    read: (json) => readCount(json, account.counting, client.counting),
    translateError: (error) => translateRefusal(error, account.codec),
  }
}

type Countable = TextSupport & { readonly counting: TokenCounting }

function countable({ generate, id }: Routed['dialect']): Countable {
  const { counting } = generate ?? {}
  if (!generate || !counting) throw new Error(`Dialect "${id}" does not count.`)
  return { ...generate, counting }
}

const remote: ReadonlySet<Feature> = new Set(['audio_url', 'file_url', 'image_url'])

/** What is fetched for an answer is fetched for its count: it is part of what is told. */
async function readQuestion(
  exchange: Routed,
  client: Countable,
  { codec: { unsupported } }: Countable,
  services: TranslationServices,
  losses: Loss[],
): Promise<GenerateRequest> {
  const {
    body,
    client: connection,
    request: { query, headers },
  } = exchange
  const asked: RawRequest = {
    body: client.counting.requestOf(body.json),
    stream: false,
    query,
    headers,
  }
  const read = client.codec.decodeRequest(asked)
  const losing = lossContextOf(exchange, services)
  acceptLosses(read, unsupported, losing, remote)
  const needsFiles = [...remote].some((feature) => unsupported[feature] && read.fields[feature])
  const request = needsFiles ? await services.inline(read, unsupported, connection.signal) : read
  losses.push(...acceptLosses(request, unsupported, losing))
  return request
}

function readCount(json: unknown, account: TokenCounting, client: TokenCounting): ReadReply {
  const answer = typeof json === 'object' && json !== null ? json : {}
  const tokens = account.readCount({ ...answer })
  if (tokens === undefined) {
    throw new GatewayError('upstream_invalid_reply', "The upstream's reply has no count of tokens.")
  }
  return {
    outcome: { status: 'completed', fault: 'none' },
    body: Buffer.from(JSON.stringify(client.encodeCount(tokens))),
  }
}
