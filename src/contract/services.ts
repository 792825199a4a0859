import type { ReasoningPart, Signature, ToolCallPart } from '../generate/content.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { FeatureSupport, LossPolicy } from '../generate/unsupported.ts'
import type { JsonLimits } from '../lib/json/measure.ts'
import type { UpstreamClient } from './attempt.ts'

/** The services that translation uses besides the codecs. A gateway has one of each. */
export interface TranslationServices {
  /** For callers without a policy of their own, see `Caller.losses`. */
  readonly policy: LossPolicy
  /** The most that the gateway may hold of a streamed reply, in bytes. */
  readonly replyBytes: number
  readonly inline: InlineRemote
  /** Limits of the clients' files in a request. */
  readonly limits: RemoteLimits
  /** Limits of JSON within a request, such as the arguments of tool calls. */
  readonly json: JsonLimits
  /** Fetches a client's file. */
  readonly fetch: RemoteFetch
  /** Sends requests to hosts that an account names. */
  readonly remote: RemoteClient
  /** Stand-ins for dry runs: they check URLs, and return empty files without a request. */
  readonly unsent: Pick<TranslationServices, 'fetch' | 'inline'>
  readonly signatures: SignatureStore
}

/** Options of one fetch. */
export interface RemoteUse {
  /** The client's field that holds the URL, for messages. */
  readonly field?: UrlField
  /** Content types that the caller accepts. Absent: all that the options allow. */
  readonly accepted?: readonly string[]
  /** The largest file, in bytes, if that is less than the options allow. */
  readonly maxBytes?: number
  /** Called with the size of every chunk before it is buffered. Throws to end the fetch. */
  readonly onBytes?: (count: number) => void
  /** The id of the API key whose file it is, which has a share of the concurrent fetches. Absent: it has no limit. */
  readonly keyId?: string | undefined
}

/**
 * Fetches a client's file from the public internet. Rejects with a `GatewayError`: `invalid_value` for
 * a bad URL, host or file, `client_closed_request` when the signal aborts, and `lookup_unavailable` if
 * too many other fetches run for too long.
 */
export type RemoteFetch = (
  url: string,
  signal?: AbortSignal,
  use?: RemoteUse,
) => Promise<RemoteFile>

/** A fetched file. */
export interface RemoteFile {
  readonly bytes: Buffer
  /** One of the accepted types, in lower case and without parameters; text is in UTF-8. */
  readonly mediaType: string
}

/** A client's field that holds a URL. */
export interface UrlField {
  /** The `param` of errors. */
  readonly param: string
  /** The field's name in messages. */
  readonly label: string
}

/** Sends requests to hosts that are neither configured nor trusted, as far as `RemoteOptions` permit. */
export interface RemoteClient extends Pick<UpstreamClient, 'send'> {
  /** Throws if the URL itself is not permitted. The host's addresses are checked on connection. */
  check(url: URL): void
}

/**
 * Replaces URLs of remote media with their bytes for an account that does not support `image_url`,
 * `file_url` or `audio_url`. Returns a changed copy, or the request itself if there is nothing to
 * fetch. Fetches each URL once; the first failure ends all fetches. An image that is larger than its
 * `discarded` allows is removed, and is among the extras. `keyId` is the id of the API key whose request it is. Rejects
 * as `RemoteFetch` does.
 */
export type InlineRemote = (
  request: GenerateRequest,
  support: FeatureSupport,
  signal?: AbortSignal,
  keyId?: string,
) => Promise<GenerateRequest>

/** Limits of the files in one request, whether uploaded or fetched. */
export interface RemoteLimits {
  /** The size of one file, in bytes. */
  readonly maxBytes: number
  /** The size of all files of a request, in bytes, before base64. */
  readonly maxTotalBytes: number
  /** The number of different URLs in a request; 0 disables fetching. */
  readonly maxFiles: number
  /** The time for all files of a request, in milliseconds, queueing included. */
  readonly totalTimeoutMs: number
}

/** The reasoning before a tool call, which its provider requires back with the result. */
export interface SignedParts {
  readonly reasoning: readonly ReasoningPart[]
  readonly signature?: Signature
}

/** A tool call with its signed parts. */
export interface SignedCall extends SignedParts {
  readonly call: CallIdentity
}

/** Stores signatures for clients that have no field for them, by API key and tool call. */
export interface SignatureStore {
  /** Returns the request with the stored signatures of its tool calls; unchanged if the store fails. */
  recall(keyId: string, request: GenerateRequest): Promise<GenerateRequest>
  /** Stores signatures. Never rejects: the gateway also serves calls without a signature. */
  keep(keyId: string, calls: readonly SignedCall[]): Promise<void>
}

/** The members that identify a tool call in later requests. */
export type CallIdentity = Pick<ToolCallPart, 'id' | 'name' | 'arguments'>
