import type { ErrorEvent, GenerateEvent } from '../generate/events.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { GenerateResult } from '../generate/result.ts'
import type { Unsupported } from '../generate/unsupported.ts'
import type { JsonObject } from '../lib/json/object.ts'
import type { GatewayError } from './errors.ts'

/**
 * How a dialect says what the neutral model of text generation means, in both directions: clients
 * speak it to the gateway, and the gateway speaks it to accounts. Codecs know neither each other
 * nor the network. What cannot be read is a `GatewayError`: `invalid_value` and its kin with `param`
 * for a client's request, `upstream_invalid_reply` for an account's reply.
 */
export interface GenerateCodec {
  /** Its clients have no field for signatures, so that they must be kept for them. */
  readonly forgetsSignatures?: boolean
  /** Its accounts take no signature but those that they made themselves. */
  readonly bindsSignatures?: boolean
  /** Whether an answer says that the input is beyond the model's context. */
  exceedsContext?(answer: { readonly status: number; readonly json: unknown }): boolean
  /**
   * The text of an event that holds nothing else of meaning, and would mean the same with another
   * text: the gateway does not parse events that repeat it. Absent, as `EventDecoder.repeat` may be:
   * it parses every event.
   */
  textDelta?(event: JsonObject): TextDelta | undefined
  /**
   * Members of events, at any depth, that differ each time and mean nothing to its decoder; only whole
   * numbers and plain strings are passed over.
   */
  readonly volatile?: readonly string[]
  /** Members of events that count all so far: of events that repeat, only the last one's are read. */
  readonly cumulative?: readonly string[]
  /** What its accounts cannot be asked for. */
  readonly unsupported: Unsupported
  decodeRequest(asked: RawRequest): GenerateRequest
  /**
   * Holds nothing of the features in `unsupported`. Leaves out everything else that the account's model
   * cannot be asked for and records it with `drop`, or throws a `GatewayError` where the rest would mean
   * something else.
   */
  encodeRequest(request: GenerateRequest, upstreamModel: string, drop: RecordLoss): EncodedRequest
  /** A complete reply of a 2xx status. An `ErrorEvent` where it reports a failure. */
  decodeResult(reply: JsonObject, request: GenerateRequest): GenerateResult | ErrorEvent
  encodeResult(result: GenerateResult, context: ReplyContext): EncodedResult
  /** Calls `emit` in the order of `GenerateEvent`, and nothing after `finish` or `error`. */
  decodeEvents(request: GenerateRequest, emit: (event: GenerateEvent) => void): EventDecoder
  encodeEvents(context: ReplyContext, sink: FrameSink): EventEncoder
}

/** A client's request, before anybody has looked into it. */
export interface RawRequest {
  readonly body: JsonObject
  /** So many items of its history are the gateway's: the client did not tell them. */
  readonly before?: number
  /** Whether a stream is asked for, wherever the dialect says so. */
  readonly stream: boolean
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A text in an event, and the name of the member that it is. */
export interface TextDelta {
  readonly key: string
  readonly text: string
}

/** A request for an account. */
export interface EncodedRequest {
  /** In full, with the version. */
  readonly path: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** What a reply needs to know of the request that it answers. */
export interface ReplyContext {
  readonly rawRequest: RawRequest
  readonly request: GenerateRequest
  /** The exchange's id, which clients read as `x-request-id`. */
  readonly requestId: string
  /** The model as the client calls it. */
  readonly model: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** A new one with each call: the prefix and 24 letters and digits. */
  newId(prefix: string): string
  /** Something in the reply that the client's dialect has no form for. */
  readonly drop: RecordLoss
}

/** Records a loss: the client's field, the reason, and what the client can do instead. */
export type RecordLoss = (field: string, reason: string, way?: string) => void

export interface EncodedResult {
  readonly body: JsonObject
  /** What the client calls the reply. */
  readonly id: string
  /** What it calls the items in it, where its dialect names them. */
  readonly items: readonly string[]
}

/** Whether all is there that a reply needs, `certain` where nothing more of it can come. */
export type Completeness = 'likely' | 'certain'

/** Reads the events of one stream of an account. */
export interface EventDecoder {
  /** One server-sent event whose data is a JSON object. */
  decode(data: JsonObject, name: string): void
  /**
   * The event of the last `decode`, whose text `textDelta` knows, repeats with this text, which may
   * stand for several such events whose texts were joined. Absent: each of them is decoded.
   */
  repeat?(text: string): void
  /** The last of the events that were repeated, for its `cumulative` members. */
  readCumulative?(event: JsonObject): void
  /** `[DONE]` came. */
  done(): void
  /** The account closed the stream in good order. It is complete only if `finish` was emitted. */
  end(): void
  /** Of dialects in which nothing but its end tells that a stream is over. */
  readonly completeness?: Completeness | undefined
}

/** Where the frames of a stream go. */
export interface FrameSink {
  /** Whole frames. */
  write(frames: string): void
  /** A frame of which nothing is new but its text, and its number where it has one. */
  writeText(frame: TextFrame, text: string): void
  /** How many frames have been numbered; whoever numbers one by itself adds to it. */
  count: number
}

/** What stands around a text that is written as a JSON string. */
export interface TextFrame {
  readonly before: Buffer
  readonly after: Buffer
  /** Behind the frame's number, which follows `after`; absent where frames have none. */
  readonly end?: Buffer
}

/**
 * Writes the events of one stream for a client. Deltas that follow each other in one part differ in
 * their text alone, whichever frame the first of them became: several texts in one make no difference
 * to what comes after them.
 */
export interface EventEncoder {
  readonly contentType: string
  readonly id: string
  readonly items: readonly string[]
  /** The whole reply, once it has finished, of dialects in which it can be asked for again. */
  readonly reply?: JsonObject | undefined
  /** How many events there have been, in dialects that number them. */
  readonly events?: number
  encode(event: Exclude<GenerateEvent, ErrorEvent>): void
  /** The last frames of a stream that broke; then a clean end, or a reset of the connection. */
  fail(error: GatewayError): 'end' | 'reset'
  /** Harmless at any frame boundary. */
  keepAlive(): string
}

/**
 * How accounts of a dialect are asked how many tokens a request has, and how its clients ask. It
 * stands beside the codec: a question is a request that nobody answers.
 */
export interface TokenCounting {
  /** The request that a client's question is about, as its codec reads it. */
  requestOf(question: JsonObject): JsonObject
  /** An account's question, made of what its codec would ask it. */
  encodeCountRequest(request: EncodedRequest): EncodedRequest
  /** The number in an account's answer, where there is one. */
  readCount(answer: JsonObject): number | undefined
  /** The answer to a client. */
  encodeCount(tokens: number): JsonObject
}
