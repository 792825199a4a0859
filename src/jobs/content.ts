import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'
import type { VideoAsset } from '../media/video.ts'
import { beyondEnd, statusUnavailable, noAsset, notCompleted, notReady } from './content-errors.ts'
import type { Job } from './job.ts'
import { type RefreshOptions, refreshJob, settlingSeconds } from './refresh-job.ts'
import { withContentHeaders, rangeReply } from './content-headers.ts'
import { ownerOf } from './owner.ts'
import { inlineContent, locationOf } from './whole-content.ts'

/**
 * The content of a completed job, whole or the requested range. Throws `GatewayError` if the job is not
 * completed or the account does not deliver the content.
 */
export async function videoContentOf(
  exchange: Understood,
  known: Job,
  asset: VideoAsset,
  options: RefreshOptions,
): Promise<Reply> {
  const { job, stale } = await refreshJob(exchange, known, options)
  if (stale) throw statusUnavailable()
  if (job.status !== 'completed') throw notCompleted(job)
  const sample = job.samples?.[asset.index]
  const { candidate, codec } = ownerOf(exchange, job)
  const place = sample && codec.content(job.upstreamId, asset, sample)
  if (!place) throw noAsset(asset)
  try {
    if (!('inline' in place)) {
      return withContentHeaders(
        await options.accountClient.proxy(candidate, locationOf(place)),
        job,
        sample,
      )
    }
    // The length is unknown until the whole content has been read.
    if (exchange.request.method === 'HEAD') return withContentHeaders(headReply, job, sample)
    const bytes = await inlineContent(exchange, job, asset.index, options)
    if (!bytes) throw options.notFound()
    return withContentHeaders(rangeReply(bytes, exchange.request), job, sample)
  } catch (error) {
    if (!GatewayError.isInstance(error)) throw error
    const status = error.upstream?.status
    const age = options.now() / 1_000 - (job.completedAt ?? 0)
    if (status === codec.notReady && age < settlingSeconds) throw notReady()
    if (status === 416) throw beyondEnd(error)
    throw status === 404 ? options.notFound() : error
  }
}

const headReply: Reply = { status: 200, headers: { 'accept-ranges': 'bytes' }, body: null }
