import type { VideoError, VideoState, VideoStatus } from '../../../src/media/video.ts'
import { count, part, text } from '../../../src/lib/json/read.ts'

/** What the contract names; everything else is the account's own. */
const known = new Set([
  'id',
  'object',
  'created_at',
  'completed_at',
  'expires_at',
  'model',
  'status',
  'progress',
  'seconds',
  'size',
  'prompt',
  'remixed_from_video_id',
  'error',
])

const statuses: Readonly<Record<string, VideoStatus>> = {
  pending: 'queued',
  queued: 'queued',
  in_progress: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  expired: 'failed',
}

/** What a video of an account says of its job. */
export function readVideo(json: unknown): VideoState | undefined {
  const told = text(json, 'status')
  if (told === undefined) return undefined
  const status = statuses[told] ?? 'in_progress'
  const extras = Object.fromEntries(
    Object.entries(json as object).filter(([name]) => !known.has(name)),
  )
  return {
    status,
    ...present('progress', count(json, 'progress')),
    ...present('completedAt', count(json, 'completed_at')),
    ...present('expiresAt', count(json, 'expires_at')),
    ...present('seconds', text(json, 'seconds') ?? count(json, 'seconds')?.toString()),
    ...present('size', text(json, 'size')),
    ...(status === 'failed' && { error: readError(part(json, 'error'), told) }),
    ...(status === 'completed' && { samples: [{}] }),
    extras,
  }
}

function readError(error: unknown, status: string): VideoError {
  return {
    code: text(error, 'code') ?? 'video_generation_failed',
    message: text(error, 'message') ?? `The video is ${status}.`,
    ...present('type', text(error, 'type')),
  }
}

function present<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>)
}
