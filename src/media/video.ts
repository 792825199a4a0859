/**
 * The neutral model of video jobs. Requests and replies of every video dialect, on the side of
 * clients and on the side of accounts, are converted to and from it.
 */
import type { AccountCall } from './account-call.ts'

/** The greatest number of videos of one job: their files are numbered with one digit in base 36. */
export const mostVideos = 36

/** The status of a video job. */
export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed'

/** A client's request for a video. */
export interface VideoRequest {
  readonly prompt: string
  /** The duration. */
  readonly seconds?: number
  readonly frame?: VideoFrame
  /** The first frame, or the picture that the video follows. */
  readonly reference?: VideoImage
  readonly lastFrame?: VideoImage
  /** A completed video of the same account that this one remixes or extends. */
  readonly source?: VideoSource
  /** Set for a source that is no job of this gateway. */
  readonly foreignSource?: boolean
  /** The number of videos. */
  readonly samples?: number
  /** The number of requests in one call. This is the first of them. */
  readonly instances?: number
  readonly negativePrompt?: string
  readonly seed?: number
  /** Further parameters, by the names that the client uses. */
  readonly further: readonly string[]
}

/** The frame of a video, as far as the client specifies it. */
export interface VideoFrame {
  /** `1280x720`. */
  readonly size?: string
  /** `16:9`. */
  readonly aspectRatio?: string
  /** `720p`. */
  readonly resolution?: string
}

/** A picture in a request: its bytes, its URL, or its id. `field` is the client's name for it. */
export type VideoImage = { readonly field: string } & (
  | { readonly kind: 'bytes'; readonly mediaType: string | undefined; read(): Promise<Buffer> }
  | { readonly kind: 'url'; readonly url: string }
  /** Stored by accounts; its id is known to one dialect alone. */
  | { readonly kind: 'file'; readonly id: string }
)

/** A video that an account made, by the account's ids. */
export interface VideoSource {
  readonly upstreamId: string
  readonly sample: VideoSample | undefined
}

/** One video of a job. */
export interface VideoSample {
  /** Its address at the account. */
  readonly uri?: string
  /** Its content, where the account's status reply contains it. */
  readonly base64?: string
  /** The account's status reply contains its content, and the gateway does not store it. */
  readonly inline?: true
  readonly mediaType?: string
}

/** The state of a job, as its account reports it. */
export interface VideoState {
  readonly status: VideoStatus
  /** From 0 to 100. */
  readonly progress?: number
  /** Seconds since 1970. */
  readonly completedAt?: number
  /** Seconds since 1970. */
  readonly expiresAt?: number
  readonly seconds?: string
  readonly size?: string
  readonly error?: VideoError
  readonly samples?: readonly VideoSample[]
  /** The number of videos that the account filtered out, and its reasons. */
  readonly withheld?: { readonly count: number; readonly reasons: readonly string[] }
  /** Further members of the account's reply, for clients of the same dialect only. */
  readonly extras?: Readonly<Record<string, unknown>>
}

/** The error of a failed job. */
export interface VideoError {
  /** A name such as `moderation_blocked`, or a number of google.rpc.Code as text. */
  readonly code: string
  readonly message: string
  readonly type?: string
}

/** A job that an account has accepted. */
export interface CreatedVideo {
  readonly upstreamId: string
  readonly state: VideoState
}

/** The services that a codec uses while it encodes a request. */
export interface EncodingTools {
  /** The content of a picture, fetched if necessary. */
  bytesOf(picture: VideoImage): Promise<{ readonly bytes: Buffer; readonly mediaType: string }>
  /** Records that the account does not support this field. May throw, to exclude the account. */
  drop(field: string, reason: string): void
  /**
   * Excludes the account: it does not support this field, and without it the request would differ.
   */
  refuse(field: string, reason: string): never
}

/** A file of a job that a client can download. */
export interface VideoAsset {
  /** The index of the video, from 0. */
  readonly index: number
  /** `video`, `thumbnail`, `spritesheet`. */
  readonly variant: string
}

/** Converts between the neutral model and the video API of a dialect, on the side of accounts. */
export interface VideoCodec {
  /** Encodes a request for a video. */
  create(request: VideoRequest, upstreamModel: string, tools: EncodingTools): Promise<AccountCall>
  /** Decodes the reply to `create`; `undefined` where it contains no job. */
  readCreated(json: unknown): CreatedVideo | undefined
  /** Encodes a status request. */
  status(upstreamId: string): AccountCall
  /** Decodes the reply to `status`; `undefined` where it contains no job. */
  readStatus(json: unknown): VideoState | undefined
  /**
   * The place of an asset. `inline`: the content is in the status reply, which must be fetched
   * again. `undefined`: accounts of this dialect have no such asset.
   */
  content(upstreamId: string, asset: VideoAsset, sample?: VideoSample): VideoPlace | undefined
  /** The HTTP status of an account that has completed a job, but cannot serve its content yet. */
  readonly notReady: number
  /** Encodes a request to delete a job. Absent where the dialect cannot delete jobs. */
  remove?(upstreamId: string): AccountCall
}

/**
 * The place of an asset. `uri` is on another host, which must not receive the account's
 * credentials.
 */
export type VideoPlace =
  | { readonly call: AccountCall }
  | { readonly inline: true }
  | { uri: string }
