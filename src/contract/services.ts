import type { ReasoningPart, Signature, ToolCallPart } from '../generate/content.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { Unsupported, LossPolicy } from '../generate/unsupported.ts'
import type { UpstreamClient } from './attempt.ts'

/** What translation needs besides the codecs. One for a gateway. */
export interface TranslationServices {
  /** For callers whose key says nothing of it. */
  readonly policy: LossPolicy
  /** Whether frames of a stream that repeat are copied as bytes (docs/fast-path.md). */
  readonly fastPath: boolean
  readonly inline: InlineRemote
  /** How much of clients' files goes into requests. */
  readonly limits: RemoteLimits
  /** Fetches one remote file of a client. */
  readonly fetch: RemoteFetch
  /** Asks hosts that an account names. */
  readonly remote: RemoteClient
  readonly signatures: SignatureStore
}

/** What a fetch is for. */
export interface RemoteUse {
  /** The client's field that holds the URL, for messages. */
  readonly field?: UrlField
  /** Content types that are expected; absent, all of the options. */
  readonly accepted?: readonly string[]
  /** Told of every piece before it is kept. Throws to end the fetch. */
  readonly onBytes?: (count: number) => void
}

/**
 * Fetches a client's file from the public internet. Rejects with a `GatewayError`: `invalid_value`
 * whatever is wrong with the URL, its host or the file, `client_closed_request` when the signal
 * fires, and `lookup_unavailable` when no slot came free in time.
 */
export type RemoteFetch = (
  url: string,
  signal?: AbortSignal,
  use?: RemoteUse,
) => Promise<RemoteFile>

export interface RemoteFile {
  readonly bytes: Buffer
  /** One of the accepted, in lower case and without parameters; text is in UTF-8. */
  readonly mediaType: string
}

/** The client's field that holds an URL. */
export interface UrlField {
  /** As errors refer to it. */
  readonly param: string
  /** As messages name it. */
  readonly label: string
}

/** Asks hosts that others named for what they have, and none that `RemoteOptions` do not permit. */
export interface RemoteClient extends Pick<UpstreamClient, 'send'> {
  /** Throws where an URL is none that may be asked for, whatever its host's address. */
  check(url: URL): void
}

/**
 * The request with the bytes of remote media in place of their URLs, where an account lacks
 * `image_url`, `file_url` or `audio_url`. The request given is left as it is, and is returned itself where
 * nothing is to be fetched. Each URL is fetched once, and the first failure ends all fetches.
 * Rejects with a `GatewayError`, see `RemoteFetch`; the signal fires when the client leaves.
 */
export type InlineRemote = (
  request: GenerateRequest,
  lacks: Unsupported,
  signal?: AbortSignal,
) => Promise<GenerateRequest>

/** How much of files goes into a request, wherever they are. */
export interface RemoteLimits {
  /** Of one file, in bytes. */
  readonly maxBytes: number
  /** Of all files of a request, in bytes, before base64. */
  readonly maxTotalBytes: number
  /** Different URLs in a request; 0 fetches none. */
  readonly maxFiles: number
  /** For all files of a request, waiting included. */
  readonly totalTimeoutMs: number
}

/** What was thought before a tool was called, as its provider wants it back with the result. */
export interface SignedParts {
  readonly reasoning: readonly ReasoningPart[]
  readonly signature?: Signature
}

/** A call and what was signed with it. */
export interface SignedCall extends SignedParts {
  readonly call: CallIdentity
}

/** Keeps signatures for clients that have no field for them, by key and tool call. */
export interface SignatureStore {
  /** The request with what is known of its calls. Without it, where the store does not answer. */
  recall(keyId: string, request: GenerateRequest): Promise<GenerateRequest>
  /** Never rejects: a call without its signature is served all the same. */
  keep(keyId: string, calls: readonly SignedCall[]): Promise<void>
}

/** What makes a call this call and no other, whoever tells of it. */
export type CallIdentity = Pick<ToolCallPart, 'id' | 'name' | 'arguments'>
