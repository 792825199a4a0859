import type { Call } from '../contract/call.ts'
import type { VideoError, VideoSample, VideoState, VideoStatus } from '../media/video.ts'

/**
 * Work that an account has taken and goes on with, as it is stored: whose it is, where it is, and
 * what was last known of it.
 */
export interface Job {
  /** What clients know it by, whatever dialect they speak. */
  readonly id: string
  readonly kind: 'video'
  /** The key that asked for it. Another key's jobs look exactly like unknown ones. */
  readonly keyId: string
  readonly accountId: string
  /** What is spoken to the account. */
  readonly dialect: string
  /** The platform model. */
  readonly model: string
  /** What the client called it. */
  readonly requested: string
  /** What the account calls it. */
  readonly upstreamId: string
  readonly status: VideoStatus
  /** From 0 to 100. */
  readonly progress: number
  /** Seconds since 1970, as all times of a job. */
  readonly createdAt: number
  readonly completedAt?: number
  /** From when on it is nobody's. */
  readonly expiresAt: number
  readonly prompt: string
  /** `''` where nobody has said. */
  readonly seconds: string
  /** `1280x720`; `''` where nobody has said. */
  readonly size: string
  readonly remixedFrom?: string
  readonly error?: VideoError
  readonly samples?: readonly VideoSample[]
  readonly withheld?: VideoState['withheld']
  /** What else the account said, in its dialect's words. */
  readonly extras?: Readonly<Record<string, unknown>>
}

/** A job of which no account has told when it ends is kept so long, in seconds. */
export const jobSeconds = 48 * 60 * 60

/** Whether nothing more is to come of it. */
export function isOver({ status }: Pick<Job, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

const plain = { stream: false, refersTo: [], edits: [], losses: [] } satisfies Partial<Call>

/** Asks about a job: whoever owns it may, whatever models it may use by now. */
export const aboutJob: Call = { ...plain, model: '' }

/** Orders a job: the account is paid for it, so that it goes on until it can be asked for. */
export const orderJob = { ...plain, finishWithoutClient: true } satisfies Partial<Call>
