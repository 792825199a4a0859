import type { VideoError, VideoState, VideoStatus } from '../../../src/media/video.ts'
import { numberAt, objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** Members of docs/wire/contract.md; all others are passed through as extras. */
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
  canceled: 'failed',
  expired: 'failed',
}

/** Reads the state of a job from an account's video object; `undefined` without a status. */
export function readVideo(json: unknown): VideoState | undefined {
  const accountStatus = stringAt(json, 'status')
  if (accountStatus === undefined) return undefined
  const status = statuses[accountStatus] ?? 'in_progress'
  const extras = Object.fromEntries(
    Object.entries(json as object).filter(([name]) => !known.has(name)),
  )
  return {
    status,
    ...present('progress', numberAt(json, 'progress')),
    ...present('completedAt', numberAt(json, 'completed_at')),
    ...present('expiresAt', numberAt(json, 'expires_at')),
    ...present('seconds', stringAt(json, 'seconds') ?? numberAt(json, 'seconds')?.toString()),
    ...present('size', stringAt(json, 'size')),
    ...(status === 'failed' && { error: readError(objectAt(json, 'error'), accountStatus) }),
    ...(status === 'completed' && { samples: [{}] }),
    extras,
  }
}

function readError(error: unknown, status: string): VideoError {
  const [code, message] = [stringAt(error, 'code'), stringAt(error, 'message')]
  return {
    code: code ?? numberAt(error, 'code')?.toString() ?? 'video_generation_failed',
    message: message ?? `The video is ${status}.`,
    ...present('type', stringAt(error, 'type')),
  }
}

function present<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>)
}
