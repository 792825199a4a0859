import type { Signature } from '../generate/content.ts'
import type { ErrorEvent, GenerateEvent } from '../generate/events.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { GenerateResult, GenerateUsage } from '../generate/result.ts'
import type { FeatureSupport } from '../generate/unsupported.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { Account } from './account.ts'
import type { GatewayError } from './errors.ts'
import type { Framing } from './framing.ts'
import type { ErrorForm } from './request.ts'

/**
 * Converts between the wire format of accounts and the neutral model of text generation. A codec knows
 * neither other codecs nor the network. It throws a `GatewayError` `upstream_invalid_reply` for an account's
 * reply that it cannot read.
 */
export interface AccountCodec extends FeatureSupport {
  /** Accounts accept only signatures that they issued themselves. */
  readonly bindsSignatures?: boolean
  /**
   * Whether only the server that issued a signature accepts it, with any of its accounts. Absent: accounts of
   * all servers accept it, or as `bindsSignatures` says.
   */
  bindsToServer?(signature: Signature): boolean
  /** Whether an error reply says that the input exceeds the model's context. */
  exceedsContext?(reply: { readonly status: number; readonly json: unknown }): boolean
  /**
   * Writes a request to an account. The gateway has refused or reported every feature that `supports` does
   * not name; the codec leaves it out, or writes something in its place that `lacks` describes. The codec
   * reports to `drop` the other features that the account's model does not support, or throws a
   * `GatewayError` if the rest of the request would mean something else. Without `account`, it
   * writes for an account with the dialect's defaults.
   */
  encodeRequest(
    request: GenerateRequest,
    upstreamModel: string,
    drop: RecordLoss,
    account?: AccountTraits,
  ): EncodedRequest
  /** The codec for the replies of accounts with such traits. `undefined`: this one. */
  forAccount?(account: AccountTraits): AccountCodec | undefined
  /** Reads a complete reply of a 2xx status. Returns an `ErrorEvent` if the reply reports a failure. */
  decodeResult(reply: JsonObject, request: GenerateRequest): GenerateResult | ErrorEvent
  /** Calls `emit` in the order that `GenerateEvent` states, and never after `finish` or `error`. */
  decodeEvents(request: GenerateRequest, emit: (event: GenerateEvent) => void): EventDecoder
}

/**
 * Converts both ways, for the dialect's clients too. It throws `invalid_value`, `missing_required_parameter` and the
 * like with `param` for a client's request that it cannot read.
 */
export interface GenerateCodec extends AccountCodec {
  /**
   * Clients have no field for the signatures of reasoning or of tool calls: the gateway stores the signatures, and
   * adds them when a client brings the result of the call.
   */
  readonly forgetsSignatures?: boolean
  /** Reads a client's request. */
  decodeRequest(request: RawRequest): GenerateRequest
  /** Writes a complete reply for a client. */
  encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult
  /** Writes a stream for a client. */
  encodeEvents(context: ReplyContext, sink: FrameSink): EventEncoder
}

/** The settings of an account that change the requests to it. */
export type AccountTraits = Pick<
  Account,
  'outputLimitField' | 'asksForUsage' | 'lacks' | 'options' | 'thinksInText'
>

/** A client's request before the codec has checked it. */
export interface RawRequest {
  readonly body: JsonObject
  /** The number of leading history items that the gateway added from a transcript. */
  readonly before?: number
  /** Whether the client requests a stream, by the body, the path or the query. */
  readonly stream: boolean
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A request to an account in its dialect. */
export interface EncodedRequest {
  /** The full path, with the version. */
  readonly path: string
  /** Without the question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** The facts of the request that a reply depends on. */
export interface ReplyContext {
  readonly rawRequest: RawRequest
  readonly request: GenerateRequest
  /** The exchange's id, which clients read as `x-request-id`. */
  readonly requestId: string
  /** The form of an error inside the stream. Absent: `spec`. */
  readonly errors?: ErrorForm
  /** The model that the reply names. It is final from the `start` event, or the complete result, on. */
  readonly model: string
  /**
   * When the attempt began, before the account was asked, in milliseconds since 1970: the time of creation that a
   * reply shows, and where its latency starts.
   */
  readonly now: number
  /** Returns a new id: the prefix and 24 letters and digits. */
  newId(prefix: string): string
  /** How the stream to the client is framed. */
  readonly framing: Framing
  /** Records a part of the reply that the client's dialect cannot represent. */
  readonly drop: RecordLoss
}

/** Records a loss: the field as the client names it, the reason, and an alternative, see `Loss`. */
export type RecordLoss = (field: string, reason: string, way?: string) => void

/** A complete reply for a client. */
export interface EncodedResult {
  readonly body: JsonObject
  /** The reply's id, as the client reads it. */
  readonly id: string
  /** The ids of its items, for dialects that have such ids. */
  readonly items: readonly string[]
}

/** Whether a stream without an end marker is complete: `certain` if nothing more can follow. */
export type Completeness = 'likely' | 'certain'

/** Decodes the events of one stream from an account. */
export interface EventDecoder {
  /**
   * Decodes one event whose data is a JSON object. With `isError`, the framing marks it as an error
   * (`FramedEvent.isError`). Of such an event, and of one whose form marks it (`errorIn` of the dialect kit), only
   * an `error` that the decoder emits counts. Without one the gateway reports the event's message with the status
   * that `upstream.statusOf` reads from it.
   */
  decode(data: JsonObject, name: string, isError?: boolean): void
  /** The stream's `[DONE]` arrived. Absent: it means nothing. */
  done?(): void
  /**
   * The account closed the stream cleanly. The reply is complete only if `finish` was emitted. Absent: an
   * event completes the reply.
   */
  end?(): void
  /** For dialects whose streams have no end marker. */
  readonly completeness?: Completeness | undefined
  /** The counts so far, for a reply that is not read to its end. Absent: `finish` alone has them. */
  readonly usage?: GenerateUsage | undefined
}

/** Receives the frames of a stream to a client. */
export interface FrameSink {
  /** Writes whole frames, see `ReplyContext.framing`. */
  write(frames: string | Buffer): void
}

/**
 * How often a byte of a text, and of an image or audio, counts against `Limits.replyBytes`: the last events of a
 * stream repeat it, all in one turn of the event loop.
 */
export interface ReplyWeights {
  readonly text: number
  readonly media: number
}

/**
 * Encodes the events of one stream for a client. Successive deltas of one part may only differ in
 * their text, and an encoder must treat a delta of two joined texts as it treats two deltas.
 */
export interface EventEncoder {
  /** Absent: the content type of the framing. */
  readonly contentType?: string
  /** The reply's id, as the client reads it. */
  readonly id: string
  /** The ids of its items. */
  readonly items: readonly string[]
  /** The complete reply after `finish`, for dialects in which clients can retrieve it later. */
  readonly reply?: JsonObject | undefined
  /** For dialects whose last events repeat the reply. Absent: they do not, and each byte counts once. */
  readonly weights?: ReplyWeights
  /** The number of events written, in dialects that number them. */
  readonly events?: number
  encode(event: Exclude<GenerateEvent, ErrorEvent>): void
  /** Writes the last frames of a broken stream. Then the stream ends, or the connection is reset. */
  fail(error: GatewayError): 'end' | 'reset'
  /** A frame without meaning, which may follow any other frame. Absent: the framing's. */
  keepAlive?(): string
}

/** How accounts count the tokens of a request without generating a reply. */
export interface AccountCounting {
  /** Turns a request that the codec made for an account into a count request to it. */
  encodeCountRequest(request: EncodedRequest): EncodedRequest
  /** Reads the number of tokens from an account's reply; `undefined` if the reply lacks it. */
  readCount(reply: JsonObject): number | undefined
}

/** Token counts for the dialect's clients too. */
export interface TokenCounting extends AccountCounting {
  /** Extracts the request to be counted from a client's count request, for the codec to read. */
  requestOf(countRequest: JsonObject): JsonObject
  /** Writes the reply for a client. */
  encodeCount(tokens: number): JsonObject
}
