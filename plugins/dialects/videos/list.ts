import { defineOperation } from '../../../src/contract/operation.ts'
import { wrong } from '../../../src/kit/checks.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { isJobId } from '../../../src/jobs/ids.ts'
import type { JobPage } from '../../../src/jobs/jobs.ts'
import { json } from './jobs.ts'
import type { VideosDependencies } from './parts.ts'
import { jobId, showVideo, shownId } from './reply.ts'
import { listSchema } from './schema.ts'

const defaultLimit = 20
const maxLimit = 100

/**
 * Defines `GET /v1/videos`. It returns the stored state of the caller's jobs without asking
 * accounts.
 */
export function listVideos({ jobs }: VideosDependencies) {
  return defineOperation({
    id: 'videos.list',
    method: 'GET',
    paths: ['/v1/videos'],
    auth: 'key',
    body: 'none',
    summary: 'List video jobs, newest first, page by page',
    schema: { reply: listSchema },
    async serve(exchange) {
      const { caller, request } = exchange as Authenticated
      const page = await jobs.list(caller.keyId, readPage(request.query))
      const ids = page.jobs.map(({ id }) => shownId(id))
      return json({
        object: 'list',
        data: page.jobs.map((job) => showVideo(job, exchange)),
        first_id: ids[0] ?? null,
        last_id: ids.at(-1) ?? null,
        has_more: page.hasMore,
      })
    },
  })
}

function readPage(query: string): JobPage {
  const parameters = new URLSearchParams(query)
  const limit = parameters.get('limit') ?? String(defaultLimit)
  const order = parameters.get('order') ?? 'desc'
  const after = parameters.get('after') ?? undefined
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > maxLimit) {
    throw wrong('limit', `an integer from 1 to ${maxLimit}`)
  }
  if (order !== 'asc' && order !== 'desc') throw wrong('order', '`asc` or `desc`')
  if (after !== undefined && !isJobId(jobId(after))) throw wrong('after', 'the id of a video')
  return { limit: Number(limit), order, after: after && jobId(after) }
}
