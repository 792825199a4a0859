import type { RawRequest, GenerateCodec, ReplyContext } from '../contract/codec.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { TextSupport } from '../contract/dialect-info.ts'
import type { Loss } from '../contract/call.ts'
import type { Routed, Understood } from '../contract/exchange.ts'
import type { Produced } from '../contract/outcome.ts'
import type { Feature, Unsupported } from '../generate/unsupported.ts'
import type { EventMapper } from '../generate/mapper.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { Conversation } from '../contract/stored.ts'
import { newId } from '../lib/ids.ts'
import { acceptLosses, lossContextOf } from './losses.ts'
import type { TranslationServices } from '../contract/services.ts'
import { SignatureCollector } from './signature-collector.ts'
import { signedBy } from './signers.ts'
import { StopSequences } from './stop-sequences.ts'

/** One attempt at an account in the words of another dialect than the client's. */
export interface Translation {
  readonly request: GenerateRequest
  readonly client: TextSupport
  readonly account: GenerateCodec
  readonly context: ReplyContext
  /** What changes the events of the reply between account and client. */
  readonly mappers: readonly EventMapper[]
  /** Where the client has no field for signatures. */
  readonly signatures: SignatureCollector | undefined
  readonly conversation: Conversation
  /** As the client got it, once it is complete. */
  reply: JsonObject | undefined
  /** What is kept of that. */
  stored: Pick<Produced, 'binds' | 'stored'> | undefined
}

/** What the client asks for in the words of the neutral model, from one attempt to the next. */
const known = new WeakMap<Understood, GenerateRequest>()

/**
 * Reads the client's request and puts together what translating it needs. Throws `Declined` where
 * the account cannot serve it, a `GatewayError` where the request cannot be read or would lose what
 * must not be lost. What goes out as the client wrote it loses nothing.
 */
export async function openTranslation(
  exchange: Routed,
  services: TranslationServices,
  plugged: readonly EventMapper[],
  asWritten = false,
): Promise<Translation> {
  const client = translatable(exchange.dialect)
  const { candidate } = exchange
  const account = signedBy(candidate.account.id, translatable(candidate.dialect).codec)
  const conversation = conversationOf(exchange, client)
  const asked = askedBy(exchange, conversation)
  const read = known.get(exchange) ?? (await readRequest(exchange, client, asked, services))
  const { request, losses } = asWritten
    ? { request: read, losses: [] }
    : await prepare(read, exchange, account.unsupported, services)
  known.set(exchange, request)
  exchange.attempt.losses = losses
  const isForeign = candidate.dialect !== exchange.dialect
  return {
    request,
    client,
    account,
    context: replyContext(exchange, asked, request, losses),
    mappers: asWritten ? plugged : [...emulations(request, account.unsupported), ...plugged],
    signatures: isForeign && client.codec.forgetsSignatures ? new SignatureCollector() : undefined,
    conversation,
    reply: undefined,
    stored: undefined,
  }
}

function translatable({ generate, id }: Routed['dialect']): TextSupport {
  if (!generate) throw new Error(`Dialect "${id}" cannot be translated.`)
  return generate
}

async function readRequest(
  { id, caller }: Routed,
  { codec }: TextSupport,
  asked: RawRequest,
  { signatures }: TranslationServices,
): Promise<GenerateRequest> {
  const request = { ...codec.decodeRequest(asked), exchangeId: id }
  return codec.forgetsSignatures ? signatures.recall(caller.keyId, request) : request
}

const remote: ReadonlySet<Feature> = new Set(['audio_url', 'file_url', 'image_url'])

/** What must be declined is declined before anything is fetched for it. */
async function prepare(
  read: GenerateRequest,
  exchange: Routed,
  lacks: Unsupported,
  services: TranslationServices,
): Promise<{ request: GenerateRequest; losses: Loss[] }> {
  const losing = lossContextOf(exchange, services)
  const losses = acceptLosses(read, lacks, losing, remote)
  const needsFiles = [...remote].some((feature) => lacks[feature] && read.fields[feature])
  if (!needsFiles) return { request: read, losses }
  const request = await services.inline(read, lacks, exchange.client.signal)
  return { request, losses: acceptLosses(request, lacks, losing) }
}

function emulations({ stop = [] }: GenerateRequest, lacks: Unsupported): EventMapper[] {
  return lacks.stop && stop.length > 0 ? [new StopSequences(stop)] : []
}

/** What the gateway keeps stands in front of what the client says. */
function conversationOf(
  { body, call, progress }: Routed,
  { transcripts }: TextSupport,
): Conversation {
  const kept = progress.routing?.stored?.value
  if (kept && transcripts) return { body: body.json, ...transcripts.resume(body.json, kept) }
  // What the account keeps itself is known to nobody else.
  const isPartial = call.refersTo.length > 0
  return { body: body.json, resumed: body.json, before: 0, isPartial }
}

function askedBy({ call, request }: Understood, { resumed, before }: Conversation): RawRequest {
  const { query, headers } = request
  return { body: resumed, before, stream: call.stream, query, headers }
}

function replyContext(
  { id, model, attempt }: Routed,
  asked: RawRequest,
  request: GenerateRequest,
  losses: readonly Loss[],
): ReplyContext {
  const told = [...losses]
  attempt.losses = told
  return {
    rawRequest: asked,
    request,
    requestId: id,
    model: model.requested,
    now: Date.now(),
    newId,
    drop: (field, reason) => {
      if (!told.some((loss) => loss.field === field)) told.push({ field, reason })
    },
  }
}
