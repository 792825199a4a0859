import type { JsonObject } from '../lib/json/object.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { Drawing, DrawingRequest } from '../media/drawing.ts'
import type { EmbeddingRequest, EmbeddingResult } from '../media/embedding.ts'
import type { RecordLoss } from './codec.ts'
import type { Usage } from './outcome.ts'

/** What every neutral request has. */
export interface ConvertedRequest {
  /** Further members, by the names that the client uses: no account of another dialect gets them. */
  readonly further: readonly string[]
}

/** A reply in neutral form. */
export interface ConvertedReply<Result> {
  readonly result: Result
  /** The model that the account names. Absent: it names none. */
  readonly model?: string | undefined
  /** Absent: the account reports none. */
  readonly usage?: Usage | undefined
}

/** Asks accounts of a dialect by a neutral model, for calls whose reply is one JSON document. */
export interface AccountConverter<Request, Result> {
  /**
   * Writes the requests to an account: one, or several where the account takes fewer inputs in one. Reports to `drop`
   * what is left out, and throws `GatewayError` if the rest would mean something else.
   */
  encode(request: Request, upstreamModel: string, drop: RecordLoss): readonly AccountCall[]
  /** Reads the replies to these requests, in their order. Throws `GatewayError` `upstream_invalid_reply`. */
  decode(replies: readonly JsonObject[], request: Request): ConvertedReply<Result>
}

/** Serves clients of a dialect with accounts of others. */
export interface ClientConverter<Request, Result> {
  /** Reads a client's request. Throws `GatewayError`. */
  decodeRequest(body: JsonObject): Request
  /** Writes a reply to a client's request. `model` is the model that the reply names. */
  encodeReply(reply: ConvertedReply<Result>, body: JsonObject, model: string): JsonObject
}

/** Both sides. */
export interface Converter<Request, Result>
  extends AccountConverter<Request, Result>, ClientConverter<Request, Result> {}

/** How accounts of a dialect serve clients of other dialects, by capability. */
export interface AccountConverters {
  readonly embed?: Partial<AccountConverter<EmbeddingRequest, EmbeddingResult>>
  readonly 'generate-image'?: Partial<AccountConverter<DrawingRequest, Drawing>>
}

/** As `AccountConverters`, for clients of the dialect too. A dialect may have one side alone. */
export interface Converters {
  readonly embed?: Partial<Converter<EmbeddingRequest, EmbeddingResult>>
  readonly 'generate-image'?: Partial<Converter<DrawingRequest, Drawing>>
}

/** The capabilities whose calls are converted by a neutral model of their own. */
export const convertedCapabilities = [
  'embed',
  'generate-image',
] as const satisfies readonly (keyof Converters)[]

/** A capability whose calls are converted. */
export type ConvertedCapability = (typeof convertedCapabilities)[number]

/** Whether calls of a capability are converted so. */
export function isConverted(capability: string): capability is ConvertedCapability {
  return (convertedCapabilities as readonly string[]).includes(capability)
}
