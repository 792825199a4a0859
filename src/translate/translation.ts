import { replyModelOf } from '../upstream/native.ts'
import { clientFraming } from '../kit/framing/sse.ts'
import { GatewayError } from '../contract/errors.ts'
import { type JsonLimits, JsonMeasure } from '../lib/json/measure.ts'
import { nextTurn } from '../lib/turns.ts'
import type { AccountCodec, RawRequest, ReplyContext } from '../contract/codec.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { AccountText, TextSupport } from '../contract/dialect-info.ts'
import type { Routed, Understood } from '../contract/exchange.ts'
import type { Produced } from '../contract/outcome.ts'
import { type FeatureSupport, lackOf } from '../generate/unsupported.ts'
import type { EventMapper } from '../generate/mapper.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { Conversation } from '../contract/stored.ts'
import { newId } from '../lib/ids.ts'
import { Losses, codecFor, needsRemoteFiles, remoteFeatures } from './losses.ts'
import type { TranslationServices } from '../contract/services.ts'
import { SignatureCollector } from './signature-collector.ts'
import { markSignatures } from './signers.ts'
import { StopSequences } from './stop-sequences.ts'

/** The state of one attempt whose reply is translated. */
export interface Translation {
  /** The API key whose call it is. */
  readonly keyId: string
  readonly request: GenerateRequest
  readonly client: TextSupport
  readonly account: AccountCodec
  readonly context: ReplyContext & { model: string }
  /** The model that the reply names in place of the one that the account reports, see `Account.replyModel`. */
  readonly replyModel: string | undefined
  /** Change the events of the reply between the account's decoder and the client's encoder. */
  readonly mappers: readonly EventMapper[]
  /** Set if the client's dialect has no field for signatures. */
  readonly signatures: SignatureCollector | undefined
  readonly conversation: Conversation
  readonly losses: Losses
  /** The complete reply in the client's dialect. */
  reply: JsonObject | undefined
  /** The resource to store for the reply. */
  stored: Pick<Produced, 'binds' | 'stored'> | undefined
}

/**
 * Decodes the client's request and prepares its translation. With `isNative` the client's own request
 * goes out, so it has no losses. Throws `Declined` if the account cannot serve the request under the
 * caller's loss policy, and `GatewayError` for a malformed request.
 */
export async function openTranslation(
  exchange: Routed,
  services: TranslationServices,
  pluginMappers: readonly EventMapper[],
  isNative = false,
): Promise<Translation> {
  const client = translatable(exchange.dialect)
  const { candidate, progress } = exchange
  const { codec } = translatable(candidate.dialect)
  const ofAccount = codec.forAccount?.(candidate.account) ?? codec
  const account = markSignatures(candidate, codecFor(candidate, ofAccount))
  const conversation = conversationOf(exchange, client)
  const rawRequest = rawRequestOf(exchange, conversation)
  const decoded = (progress.decoded ??= await decodeRequest(exchange, client, rawRequest, services))
  const losses = new Losses(exchange, services)
  const request = isNative
    ? decoded
    : await prepare(decoded, exchange, account, { ...services, losses })
  progress.decoded = request
  const isForeign = candidate.dialect !== exchange.dialect
  return {
    keyId: exchange.caller.keyId,
    request,
    client,
    account,
    context: replyContext(exchange, rawRequest, request, losses),
    replyModel: replyModelOf(exchange),
    mappers: isNative ? pluginMappers : [...emulations(request, account), ...pluginMappers],
    signatures: isForeign && client.codec.forgetsSignatures ? new SignatureCollector() : undefined,
    conversation,
    losses,
    reply: undefined,
    stored: undefined,
  }
}

/** A dialect, with how it generates text. */
interface Generating<Text extends AccountText> {
  readonly id: string
  readonly generate?: Text
}

function translatable<Text extends AccountText>({ generate, id }: Generating<Text>): Text {
  if (!generate) throw new Error(`Dialect "${id}" cannot be translated.`)
  return generate
}

async function decodeRequest(
  { id, caller, body }: Routed,
  { codec }: TextSupport,
  rawRequest: RawRequest,
  { signatures, json }: TranslationServices,
): Promise<GenerateRequest> {
  const request = { ...codec.decodeRequest(rawRequest), exchangeId: id }
  if (body.isLarge) {
    await nextTurn(caller.keyId)
    checkArguments(request, json)
  }
  return codec.forgetsSignatures ? signatures.recall(caller.keyId, request) : request
}

/**
 * Refuses tool calls whose arguments together are more JSON than a body may contain: codecs parse each.
 * Throws `GatewayError` 413.
 */
function checkArguments({ turns }: GenerateRequest, { jsonDepth, jsonValues }: JsonLimits): void {
  let left = jsonValues
  for (const turn of turns) {
    for (const part of turn.role === 'assistant' ? turn.content : []) {
      if (part.type !== 'tool_call') continue
      const limits = { jsonDepth, jsonValues: left }
      const measure = JsonMeasure.of(Buffer.from(part.arguments), limits)
      // Each codec decides about arguments that are nested too deeply.
      if (measure.excess === 'jsonValues') throw tooManyArguments(jsonValues)
      left -= measure.values
    }
  }
}

function tooManyArguments(most: number): GatewayError {
  const message = `The arguments of the tool calls have more than ${most} JSON values and names.`
  return new GatewayError('request_too_large', message)
}

/** Accepts the losses and fetches remote files, in this order: a declined request fetches nothing. */
async function prepare(
  decoded: GenerateRequest,
  exchange: Routed,
  support: FeatureSupport,
  { inline, losses }: Pick<TranslationServices, 'inline'> & { readonly losses: Losses },
): Promise<GenerateRequest> {
  losses.accept(decoded, support, remoteFeatures)
  if (!needsRemoteFiles(decoded, support)) return decoded
  const { client, caller } = exchange
  const request = await inline(decoded, support, client.signal, caller.keyId)
  losses.accept(request, support)
  return request
}

function emulations({ stop = [] }: GenerateRequest, support: FeatureSupport): EventMapper[] {
  return stop.length > 0 && lackOf(support, 'stop') ? [new StopSequences(stop)] : []
}

/** The client's body, after the stored transcript that it continues. */
function conversationOf(
  { body, call, progress }: Routed,
  { transcripts }: TextSupport,
): Conversation {
  const transcript = progress.routing?.stored?.value
  if (transcript && transcripts) {
    return { body: body.json, ...transcripts.resume(body.json, transcript) }
  }
  // The account stores the resources that the call refers to, so the turns before are unknown here.
  const isPartial = call.refersTo.length > 0
  return { body: body.json, resumed: body.json, before: 0, isPartial }
}

function rawRequestOf(
  { call, request }: Understood,
  { resumed, before }: Conversation,
): RawRequest {
  const { query, headers } = request
  return { body: resumed, before, stream: call.stream, query, headers }
}

function replyContext(
  routed: Routed,
  rawRequest: RawRequest,
  request: GenerateRequest,
  losses: Losses,
): Translation['context'] {
  const { id, errors, candidate } = routed
  return {
    rawRequest,
    request,
    requestId: id,
    errors,
    model: replyModelOf(routed) ?? candidate.upstreamModel,
    now: Date.now(),
    newId,
    framing: clientFraming(routed.dialect, routed.request),
    drop: losses.dropFromReply,
  }
}

/** Sets the model that the reply names, now that the account has named its own or none. */
export function nameModel(
  { context, replyModel }: Translation,
  reported: string | undefined,
): void {
  context.model = replyModel ?? (reported || context.model)
}
