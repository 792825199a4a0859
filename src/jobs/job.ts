import type { Call } from '../contract/call.ts'
import type { VideoError, VideoSample, VideoState, VideoStatus } from '../media/video.ts'

/** The record of work that an account does asynchronously, with its last known state. */
export interface Job {
  /** The gateway's id, the same in every dialect. */
  readonly id: string
  readonly kind: 'video'
  /** The API key that created it. For other keys the job does not exist. */
  readonly keyId: string
  /** The team of that key when it created the job. Absent: it had none. */
  readonly team?: string
  readonly accountId: string
  /** The dialect in which the account created it. */
  readonly dialect: string
  /** The platform model. */
  readonly model: string
  /** The platform model as operators see it. Absent: `model`, which contains no secret. */
  readonly shownModel?: string
  /** The model as the client named it. */
  readonly requested: string
  /** The account's name of the model. Absent from older records. */
  readonly upstreamModel?: string
  /** The account's id of the job. */
  readonly upstreamId: string
  readonly status: VideoStatus
  /** From 0 to 100. */
  readonly progress: number
  /** In seconds since 1970, as all times of a job. */
  readonly createdAt: number
  readonly completedAt?: number
  /** When the record expires. */
  readonly expiresAt: number
  readonly prompt: string
  /** `''` if unknown. */
  readonly seconds: string
  /** `1280x720`; `''` if unknown. */
  readonly size: string
  readonly remixedFrom?: string
  /** The trace of the exchange that created it, as a `traceparent`. */
  readonly trace?: string
  readonly error?: VideoError
  readonly samples?: readonly VideoSample[]
  readonly withheld?: VideoState['withheld']
  /** Further fields of the account's reply, in its dialect. */
  readonly extras?: Readonly<Record<string, unknown>>
}

/** How long a job is stored if its account reports no expiry, in seconds. */
export const jobSeconds = 48 * 60 * 60

/** The longest time that a job is stored, in seconds since its creation. The account cannot extend it. */
export const longestJobSeconds = 30 * 24 * 60 * 60

/**
 * When a job expires, in seconds since 1970: at `reported`, or at `usual` if its account reports none,
 * or one before the order. No record outlives the store's own limit.
 */
export function expiryOf(createdAt: number, reported: number | undefined, usual: number): number {
  const expiry = reported !== undefined && reported > createdAt ? reported : usual
  return Math.min(expiry, createdAt + longestJobSeconds)
}

/** Whether the status is final. */
export function isOver({ status }: Pick<Job, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

const noReferences = { stream: false, refersTo: [], edits: [], losses: [] } satisfies Partial<Call>

/** The call of a request about a job. It names no model, so the owner needs no access to one. */
export const aboutJob: Call = { ...noReferences, model: '' }

/** The call of a request that creates a job. The attempt goes on without the client, because it is billed. */
export const orderJob = { ...noReferences, finishWithoutClient: true } satisfies Partial<Call>
