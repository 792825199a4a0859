import {
  type AccountClient,
  type PerformOperation,
  defineOperation,
} from '../../../src/contract/operation.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Understood } from '../../../src/contract/exchange.ts'
import type { Reply } from '../../../src/contract/outcome.ts'
import { type Job, aboutJob } from '../../../src/jobs/job.ts'
import { videoContentOf } from '../../../src/jobs/content.ts'
import { type RefreshOptions, refreshJob } from '../../../src/jobs/refresh-job.ts'
import { ownJob, ownerOf } from '../../../src/jobs/owner.ts'
import { jobId, noVideo, pollHeaders, showVideo } from './reply.ts'
import type { VideosDependencies } from './parts.ts'
import { deletedSchema, videoSchema } from './schema.ts'

interface JobSettings extends Pick<
  PerformOperation,
  'id' | 'method' | 'summary' | 'schema' | 'replies'
> {
  readonly path: string
  perform(exchange: Understood, job: Job, options: RefreshOptions): Promise<Reply>
}

/** Defines an operation on an existing job of the caller. */
function onJob({ jobs, now }: VideosDependencies, { path, perform, ...shape }: JobSettings) {
  return defineOperation({
    ...shape,
    paths: [path],
    auth: 'key',
    body: 'none',
    capability: 'video-job',
    understand: () => aboutJob,
    async perform(exchange, _send, accountClient: AccountClient) {
      const { id = '' } = exchange.params
      const notFound = () => noVideo(id)
      const job = await ownJob(exchange, jobs, jobId(id), notFound)
      return perform(exchange, job, { jobs, accountClient, now, notFound })
    },
  })
}

const path = '/v1/videos/{id}'

/** Defines `GET /v1/videos/{id}`. */
export function retrieveVideo(parts: VideosDependencies) {
  return onJob(parts, {
    id: 'videos.retrieve',
    method: 'GET',
    path,
    summary: 'Retrieve the status of a video job',
    schema: { reply: videoSchema },
    async perform(exchange, job, options) {
      const refreshed = await refreshJob(exchange, job, options)
      const stale = refreshed.stale ? { 'x-dragoman-stale': 'true' } : {}
      const headers = { ...pollHeaders(refreshed.job, refreshed.pollAfterMs), ...stale }
      return json(showVideo(refreshed.job, exchange), headers)
    },
  })
}

/** Defines `DELETE /v1/videos/{id}`. */
export function deleteVideo(parts: VideosDependencies) {
  return onJob(parts, {
    id: 'videos.delete',
    method: 'DELETE',
    path,
    summary: 'Delete a video and its job',
    schema: { reply: deletedSchema },
    async perform(exchange, job, { accountClient, jobs }) {
      const { candidate, codec } = ownerOf(exchange, job)
      const call = codec.remove?.(job.upstreamId)
      if (call) await accountClient.fetchJson(candidate, call).catch(ignoreNotFound)
      await jobs.remove(job)
      return json({ id: exchange.params['id'], object: 'video.deleted', deleted: true })
    },
  })
}

const variants = ['video', 'thumbnail', 'spritesheet']

/** Defines `GET /v1/videos/{id}/content`. */
export function videoContent(parts: VideosDependencies) {
  return onJob(parts, {
    id: 'videos.content',
    method: 'GET',
    path: `${path}/content`,
    summary: 'Download a completed video, or its thumbnail or spritesheet with `variant`',
    replies: ['video/mp4', 'image/webp', 'image/jpeg'],
    perform(exchange, job, options) {
      const variant = new URLSearchParams(exchange.request.query).get('variant') ?? 'video'
      if (!variants.includes(variant)) {
        const message = `\`variant\` must be one of ${variants.join(', ')}.`
        throw new GatewayError('invalid_value', message, { param: 'variant' })
      }
      return videoContentOf(exchange, job, { index: 0, variant }, options)
    },
  })
}

/** Ignores a 404 of the account, which means that the video is already deleted there. */
function ignoreNotFound(error: unknown): void {
  const isGone = GatewayError.isInstance(error) && error.upstream?.status === 404
  if (!isGone) throw error
}

/** Returns a 200 reply with a JSON body. */
export function json(body: object, headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}
