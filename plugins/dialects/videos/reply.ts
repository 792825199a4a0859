import { GatewayError } from '../../../src/contract/errors.ts'
import type { ClientRequest } from '../../../src/contract/request.ts'
import { type Job, isOver } from '../../../src/jobs/job.ts'

const prefix = 'video_'

/** What clients of this dialect call a job. */
export function shownId(id: string): string {
  return prefix + id
}

/** The job that a client means; `''` for what no job is called. */
export function jobId(shown: string): string {
  return shown.startsWith(prefix) ? shown.slice(prefix.length) : ''
}

/**
 * The contract's video job, with the account's further fields where it speaks this dialect. A job
 * that waits is `pending`; the official SDKs, whose pollers stop at a word they do not know, read
 * `queued` (docs/wire/openai.md 4.3).
 */
export function showVideo(job: Job, { headers }: Pick<ClientRequest, 'headers'>): object {
  const waits = isStainless(headers) ? 'queued' : 'pending'
  return {
    ...(job.dialect === 'videos' && job.extras),
    id: shownId(job.id),
    object: 'video',
    created_at: job.createdAt,
    completed_at: job.completedAt ?? null,
    expires_at: isOver(job) ? job.expiresAt : null,
    model: job.requested,
    status: job.status === 'queued' ? waits : job.status,
    progress: job.progress,
    seconds: job.seconds,
    size: job.size,
    prompt: job.prompt,
    remixed_from_video_id: job.remixedFrom === undefined ? null : shownId(job.remixedFrom),
    error: showError(job),
  }
}

function isStainless(headers: ClientRequest['headers']): boolean {
  return Object.keys(headers).some((name) => name.startsWith('x-stainless-'))
}

/** Of google.rpc.Code, as far as videos fail of them. */
const codes: Readonly<Record<string, string>> = {
  '3': 'invalid_argument',
  '4': 'deadline_exceeded',
  '7': 'permission_denied',
  '8': 'resource_exhausted',
  '13': 'internal_error',
  '14': 'unavailable',
}

function showError({ error, withheld }: Job): object | null {
  if (!error) return null
  const isClients = withheld !== undefined || error.code === '3'
  const code = withheld
    ? 'moderation_blocked'
    : /^\d+$/.test(error.code)
      ? codes[error.code]
      : error.code
  return {
    code: code ?? 'video_generation_failed',
    message: error.message,
    type: error.type ?? (isClients ? 'invalid_request_error' : 'server_error'),
  }
}

/** How long pollers are asked to wait where the account does not say, in milliseconds. */
const usualPollMs = 2_000

/** `openai-poll-after-ms` while there is something to wait for, as the SDKs' pollers read it. */
export function pollHeaders(job: Job, pollAfterMs = String(usualPollMs)): Record<string, string> {
  return isOver(job) ? {} : { 'openai-poll-after-ms': pollAfterMs }
}

/** Longer ids are nobody's, and would only fill answers. Characters. */
const longestShown = 200

/** Never made, another key's, or too old: all look the same. */
export function noVideo(shown: string): GatewayError {
  const id = shown.length > longestShown ? `${shown.slice(0, longestShown)}...` : shown
  return new GatewayError('not_found', `Video with id '${id}' not found.`, { param: 'video_id' })
}
