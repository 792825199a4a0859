/**
 * The neutral model of video jobs. Clients of every video dialect are read into it and answered out
 * of it, and accounts of every video dialect are asked by it.
 */
import type { AccountCall } from './account-call.ts'

export type VideoStatus = 'queued' | 'in_progress' | 'completed' | 'failed'

/** What a client wants filmed. */
export interface VideoRequest {
  readonly prompt: string
  readonly seconds?: number
  readonly frame?: VideoFrame
  /** The picture that the video begins with, or is made after. */
  readonly reference?: VideoImage
  readonly lastFrame?: VideoImage
  /** A completed video of the same account that this one is made of. */
  readonly source?: VideoSource
  /** Set for a source that no job of this gateway is. */
  readonly foreignSource?: boolean
  /** How many videos. */
  readonly samples?: number
  /** How many requests it is at once, of which this is the first. */
  readonly instances?: number
  readonly negativePrompt?: string
  readonly seed?: number
  /** What it asks for beyond that, as the client calls it. */
  readonly further: readonly string[]
}

/** The shape of the picture, as far as the client said. */
export interface VideoFrame {
  /** `1280x720`. */
  readonly size?: string
  /** `16:9`. */
  readonly aspectRatio?: string
  /** `720p`. */
  readonly resolution?: string
}

/** A picture, wherever it is. */
export type VideoImage = { readonly field: string } & (
  | { readonly kind: 'bytes'; readonly mediaType: string | undefined; read(): Promise<Buffer> }
  | { readonly kind: 'url'; readonly url: string }
  /** Kept by the accounts of one dialect alone. */
  | { readonly kind: 'file'; readonly id: string }
)

/** A video that an account has made, as the account calls it. */
export interface VideoSource {
  readonly upstreamId: string
  readonly sample: VideoSample | undefined
}

/** One video of a job. */
export interface VideoSample {
  /** Where the account has it. */
  readonly uri?: string
  /** Its content, where the account tells it with the job's state. */
  readonly base64?: string
  /** The account tells its content with the job's state, and it is not kept here. */
  readonly inline?: true
  readonly mediaType?: string
}

/** What an account says of a job. */
export interface VideoState {
  readonly status: VideoStatus
  /** From 0 to 100. */
  readonly progress?: number
  /** Seconds since 1970. */
  readonly completedAt?: number
  readonly expiresAt?: number
  readonly seconds?: string
  readonly size?: string
  readonly error?: VideoError
  readonly samples?: readonly VideoSample[]
  /** Videos that were made and are not given, and why. */
  readonly withheld?: { readonly count: number; readonly reasons: readonly string[] }
  /** What else its words hold: only for clients that speak the same dialect. */
  readonly extras?: Readonly<Record<string, unknown>>
}

export interface VideoError {
  /** A word (`moderation_blocked`), or a number of google.rpc.Code as text. */
  readonly code: string
  readonly message: string
  readonly type?: string
}

/** A job that an account has taken. */
export interface CreatedVideo {
  readonly upstreamId: string
  readonly state: VideoState
}

/** What a codec needs to ask for more than it can say itself. */
export interface EncodingTools {
  /** The content of a picture, fetched where it is elsewhere. */
  bytesOf(picture: VideoImage): Promise<{ readonly bytes: Buffer; readonly mediaType: string }>
  /** Tells the client that this cannot be asked for, and may refuse the account because of it. */
  drop(field: string, reason: string): void
  /** The account cannot be asked for this, and what is left would mean something else. */
  refuse(field: string, reason: string): never
}

/** What may be downloaded of a job. */
export interface VideoAsset {
  /** Which of its videos, from 0. */
  readonly index: number
  /** `video`, `thumbnail`, `spritesheet`. */
  readonly variant: string
}

/** How accounts of a dialect are asked for videos. It knows neither clients nor the network. */
export interface VideoCodec {
  create(request: VideoRequest, upstreamModel: string, tools: EncodingTools): Promise<AccountCall>
  /** `undefined` where the reply names no job. */
  readCreated(json: unknown): CreatedVideo | undefined
  status(upstreamId: string): AccountCall
  /** `undefined` where the reply tells of no job. */
  readStatus(json: unknown): VideoState | undefined
  /**
   * Where an asset is. `inline`: in the job's state, to be asked for again; `undefined`: there is no
   * such asset on accounts of this dialect.
   */
  content(upstreamId: string, asset: VideoAsset, sample?: VideoSample): VideoPlace | undefined
  /** The status with which an account asks for patience about what it has just completed. */
  readonly notReady: number
  /** Absent where accounts of this dialect cannot be asked to forget a job. */
  remove?(upstreamId: string): AccountCall
}

/** `uri` is elsewhere: what an account would be asked with must not go there. */
export type VideoPlace =
  | { readonly call: AccountCall }
  | { readonly inline: true }
  | { uri: string }
