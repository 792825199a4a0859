import { defineOperation } from '../../../src/contract/operation.ts'
import { wrong } from '../../../src/kit/checks.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { isJobId } from '../../../src/jobs/ids.ts'
import type { JobPage } from '../../../src/jobs/jobs.ts'
import { json } from './jobs.ts'
import type { VideosParts } from './parts.ts'
import { jobId, showVideo, shownId } from './reply.ts'
import { listSchema } from './schema.ts'

const usualLimit = 20
const mostJobs = 100

/** What was last known of the caller's jobs: no account is asked. */
export function listVideos({ jobs }: VideosParts) {
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
        data: page.jobs.map((job) => showVideo(job, request)),
        first_id: ids[0] ?? null,
        last_id: ids.at(-1) ?? null,
        has_more: page.hasMore,
      })
    },
  })
}

function readPage(query: string): JobPage {
  const asked = new URLSearchParams(query)
  const limit = asked.get('limit') ?? String(usualLimit)
  const order = asked.get('order') ?? 'desc'
  const after = asked.get('after') ?? undefined
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > mostJobs) {
    throw wrong('limit', `an integer from 1 to ${mostJobs}`)
  }
  if (order !== 'asc' && order !== 'desc') throw wrong('order', '`asc` or `desc`')
  if (after !== undefined && !isJobId(jobId(after))) throw wrong('after', 'the id of a video')
  return { limit: Number(limit), order, after: after && jobId(after) }
}
