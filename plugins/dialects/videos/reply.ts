import { GatewayError } from '../../../src/contract/errors.ts'
import type { Received } from '../../../src/contract/exchange.ts'
import { type Job, isOver } from '../../../src/jobs/job.ts'

const prefix = 'video_'

/** Returns the id of a job in this dialect. */
export function shownId(id: string): string {
  return prefix + id
}

/** Returns the job id of a client's video id; `''` if the text is not a video id. */
export function jobId(shown: string): string {
  return shown.startsWith(prefix) ? shown.slice(prefix.length) : ''
}

/**
 * Returns a job as a video object of docs/wire/contract.md, with the extras of accounts of this
 * dialect. A waiting job is `pending`, but `queued` for clients with OpenAI's types: pollers stop at an unknown status,
 * and strictly typed clients lose the id of the job (docs/wire/openai.md 4.3).
 */
export function showVideo(job: Job, exchange: Pick<Received, 'request' | 'errors'>): object {
  const waiting = hasOpenAiTypes(exchange) ? 'queued' : 'pending'
  return {
    ...(job.dialect === 'videos' && job.extras),
    id: shownId(job.id),
    object: 'video',
    created_at: job.createdAt,
    completed_at: job.completedAt ?? null,
    expires_at: isOver(job) ? job.expiresAt : null,
    model: job.requested,
    status: job.status === 'queued' ? waiting : job.status,
    progress: job.progress,
    seconds: job.seconds,
    size: job.size,
    prompt: job.prompt,
    remixed_from_video_id: job.remixedFrom === undefined ? null : shownId(job.remixedFrom),
    error: showError(job),
  }
}

/** The products that `user-agent` names of clients with OpenAI's types (docs/wire/openai.md 5.2). */
const typedClients = [
  // The official SDKs of Python, JavaScript, Go and .NET.
  'OpenAI/',
  'AsyncOpenAI/',
  'AzureOpenAI/',
  'AsyncAzureOpenAI/',
  'azsdk-net-AI.OpenAI/',
  // The official SDKs of Java and Ruby.
  'OpenAIClientImpl/Java',
  'OpenAIClientAsyncImpl/Java',
  'OpenAI::Client/Ruby',
  // Rust: its library sends no name unless the program sets one.
  'async-openai/',
]

function hasOpenAiTypes({ request, errors }: Pick<Received, 'request' | 'errors'>): boolean {
  if (errors === 'native') return true
  const { headers } = request
  const products = headers['user-agent']?.split(' ') ?? []
  return (
    products.some((product) => typedClients.some((name) => product.startsWith(name))) ||
    Object.keys(headers).some((name) => name.startsWith('x-stainless-'))
  )
}

/** Error codes by google.rpc.Code. */
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
  const isCallerFault = withheld !== undefined || error.code === '3'
  const code = withheld
    ? 'moderation_blocked'
    : /^\d+$/.test(error.code)
      ? codes[error.code]
      : error.code
  return {
    code: code ?? 'video_generation_failed',
    message: error.message,
    type: error.type ?? (isCallerFault ? 'invalid_request_error' : 'server_error'),
  }
}

/** Default poll interval in milliseconds. */
const defaultPollMs = 2_000

/** Returns the header `openai-poll-after-ms` for SDK pollers while the job runs. */
export function pollHeaders(job: Job, pollAfterMs = String(defaultPollMs)): Record<string, string> {
  return isOver(job) ? {} : { 'openai-poll-after-ms': pollAfterMs }
}

/** Maximum number of characters of an id in an error message. */
const maxShownLength = 200

/** Returns the same `not_found` error for unknown, expired and other callers' videos. */
export function noVideo(shown: string): GatewayError {
  const id = shown.length > maxShownLength ? `${shown.slice(0, maxShownLength)}...` : shown
  return new GatewayError('not_found', `Video with id '${id}' not found.`, { param: 'video_id' })
}
