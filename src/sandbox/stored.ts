/** The records that an account stores. Each is found by its id in the `Account`. */
import type { OperationPlace } from './gemini/videos/names.ts'
import type { JsonObject } from './json.ts'
import type { Scene } from './media/mp4.ts'
import type { VideoJob } from './video/video-job.ts'
import type { Frame } from './wire/frame.ts'

/** A response of `POST /v1/responses`, with the whole conversation up to and including it. */
export type StoredResponse = {
  /** The response when it is finished. */
  response: JsonObject
  /** Its progress, for a response in the background. */
  work?: BackgroundWork
  /** The input, previous turns included: each item with an id, oldest first. */
  inputItems: JsonObject[]
  /** The input and the output of this response, oldest first. */
  transcript: JsonObject[]
}

/** The progress of a response in the background: all its events, and when each of them happens. */
export type BackgroundWork = {
  events: Frame[]
  /** Milliseconds from the start to each event; Infinity for one that never happens. */
  times: number[]
  /** By the monotonic clock; undefined until the first request for the response. */
  startedAt: number | undefined
}

/** A conversation that `POST /v1/conversations` created. */
export type Conversation = {
  id: string
  /** Seconds since the epoch. */
  createdAt: number
  metadata: JsonObject
  /** Each with an id, oldest first. */
  items: JsonObject[]
  /** A response in the background, whose items are added when it is finished. */
  pending?: PendingTurn | undefined
}

/** A response in the background and the items that it adds to its conversation. */
type PendingTurn = { stored: StoredResponse; items: JsonObject[] }

/** The settings of a video job at OpenAI. */
export type VideoSettings = {
  model: string
  prompt: string
  seconds: string
  size: string
  remixedFrom: string | undefined
}

/** A video job at OpenAI. */
export type StoredVideo = VideoSettings & { id: string; job: VideoJob }

/** The settings of a video operation at Gemini. */
export type OperationSettings = {
  place: OperationPlace
  scene: Scene
  /** The number of videos. */
  count: number
  /** The bucket that receives the videos, if the request names one. */
  storageUri: string | undefined
}

/** A video operation at Gemini. */
export type VideoOperation = OperationSettings & {
  id: string
  job: VideoJob
  /** Ids of the videos; undefined until they are first requested. */
  files: string[] | undefined
}

/** One video of a finished operation. */
export type VideoFile = { id: string; scene: Scene; job: VideoJob }

/** A file at OpenAI. */
export type StoredFile = {
  id: string
  createdAt: number
  filename: string
  purpose: string
  /** In bytes. */
  size: number
  /** The first mebibyte. */
  head: Buffer
  expiresAt: number | undefined
}

/** An upload in parts at OpenAI. */
export type StoredUpload = {
  id: string
  createdAt: number
  filename: string
  purpose: string
  /** In bytes. */
  size: number
  status: 'pending' | 'completed' | 'cancelled'
  parts: Map<string, { size: number; head: Buffer }>
  file: StoredFile | undefined
}

/** A batch at OpenAI. */
export type StoredBatch = {
  id: string
  createdAt: number
  endpoint: string
  input: string
  window: string
  metadata: unknown
  status: 'validating' | 'failed' | 'in_progress' | 'completed' | 'cancelling' | 'cancelled'
  errors: JsonObject[]
  total: number
  completed: number
  failed: number
  usage: { input: number; output: number }
  model: string
  output: string | undefined
  error: string | undefined
}

/** The session that an ephemeral key of OpenAI opens. */
export type ClientSecret = {
  session: JsonObject
  /** Seconds since the epoch. */
  expiresAt: number
}

/** A batch of messages at Anthropic. */
export type StoredMessageBatch = {
  id: string
  /** Milliseconds since the epoch. */
  createdAt: number
  requests: { id: string; params: JsonObject }[]
  status: 'in_progress' | 'canceling' | 'ended'
  isCanceled: boolean
  endedAt: number | undefined
  /** The results, as JSON texts. */
  results: string[]
  counts: { succeeded: number; errored: number; canceled: number }
}

/** A file at Anthropic. */
export type StoredMessageFile = {
  id: string
  /** Milliseconds since the epoch. */
  createdAt: number
  filename: string
  /** The media type. */
  type: string
  /** In bytes. */
  size: number
  /** The first mebibyte. */
  head: Buffer
  /** Milliseconds since the epoch. */
  expiresAt: number | undefined
  /** Whether a tool has made it. */
  isMade: boolean
}

/** A cached content at Gemini. */
export type StoredCache = {
  id: string
  /** With `models/`. */
  model: string
  displayName: string
  tokens: number
  /** Milliseconds since the epoch. */
  createdAt: number
  updatedAt: number
  expiresAt: number
}

/** An image that anyone who knows its address may fetch until it expires. */
export type ImageFile = {
  bytes: Buffer
  /** The media type. */
  type: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}
