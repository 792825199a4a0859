import { Readable } from 'node:stream'

import type { Asking } from '../dialect.ts'
import { GatewayError } from '../errors.ts'
import type { Reply, Understood } from '../exchange.ts'
import type { VideoAsset, VideoCall } from '../media/video.ts'
import type { Job } from './job.ts'
import { look, type LookOptions, settlingSeconds } from './look.ts'
import { ownerOf } from './owner.ts'
import { sliced } from './sliced.ts'

/** The content of a completed job, as its account has it: all of it, or the range asked for. */
export async function contentOf(
  exchange: Understood,
  known: Job,
  asset: VideoAsset,
  options: LookOptions,
): Promise<Reply> {
  const { job, stale } = await look(exchange, known, options)
  if (stale) throw cannotTell()
  if (job.status !== 'completed') throw notCompleted(job)
  const sample = job.samples?.[asset.index]
  const { candidate, codec } = ownerOf(exchange, job)
  const place = sample && codec.content(job.upstreamId, asset, sample)
  if (!place) throw noAsset(asset)
  try {
    if (!('inline' in place)) {
      return named(await options.asking.relay(candidate, whereOf(place)), job, sample)
    }
    const bytes = await inlineContent(exchange, job, asset.index, options.asking)
    if (!bytes) throw options.notFound()
    return named(sliced(bytes, exchange.request), job, sample)
  } catch (error) {
    const status = GatewayError.isInstance(error) ? error.upstream?.status : undefined
    const age = options.now() / 1_000 - (job.completedAt ?? 0)
    if (status === codec.notReady && age < settlingSeconds) throw notReady()
    throw status === 404 ? options.notFound() : error
  }
}

/** What an account tells with the state of a job; `undefined` where it tells it no more. */
export async function inlineContent(
  exchange: Understood,
  job: Job,
  index: number,
  asking: Asking,
): Promise<Buffer | undefined> {
  const { candidate, codec } = ownerOf(exchange, job)
  const { json } = await asking.ask(candidate, codec.status(job.upstreamId))
  const base64 = codec.readStatus(json)?.samples?.[index]?.base64
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

/** All of one of a job's videos; `undefined` where it is larger than that, or cannot be had now. */
export async function wholeContent(
  exchange: Understood,
  job: Job,
  index: number,
  { asking, limit }: { readonly asking: Asking; readonly limit: number },
): Promise<Buffer | undefined> {
  const { candidate, codec } = ownerOf(exchange, job)
  const sample = job.samples?.[index]
  const place = sample && codec.content(job.upstreamId, { index, variant: 'video' }, sample)
  try {
    if (!place) return undefined
    if ('inline' in place) return await inlineContent(exchange, job, index, asking)
    const { body, headers } = await asking.relay(candidate, whereOf(place))
    return body instanceof Readable ? await collect(body, headers, limit) : undefined
  } catch (error) {
    if (GatewayError.isInstance(error) && error.code !== 'client_closed_request') return undefined
    throw error
  }
}

async function collect(
  body: Readable,
  headers: Reply['headers'],
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  let fits = !(Number(headers['content-length']) > limit)
  for await (const chunk of fits ? (body as AsyncIterable<Buffer>) : []) {
    size += chunk.length
    fits = size <= limit
    if (!fits) break
    chunks.push(chunk)
  }
  body.destroy()
  return fits ? Buffer.concat(chunks) : undefined
}

const endings: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'image/webp': 'webp',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/json': 'json',
}

/** The account's own headers stand; what it did not say is added. */
function named(
  reply: Reply,
  { id }: Job,
  { mediaType = 'video/mp4' }: { mediaType?: string },
): Reply {
  const type = reply.headers['content-type'] ?? mediaType
  const ending = endings[(type.split(';')[0] ?? '').trim().toLowerCase()] ?? 'bin'
  const added = {
    'content-type': type,
    'content-disposition': `attachment; filename="video_${id}.${ending}"`,
  }
  return { ...reply, headers: { ...added, ...reply.headers } }
}

/** The spec downloads and remixes completed videos alone. */
export function notCompleted({ status }: Job): GatewayError {
  const message =
    status === 'failed'
      ? 'The video has failed: there is nothing to be had of it.'
      : 'The video is not completed yet: ask for its status until it is.'
  return new GatewayError('invalid_request', message, { param: 'video_id' })
}

/** Whether it is completed by now. */
export function cannotTell(): GatewayError {
  const message = 'The account that has this video cannot be asked at the moment.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '500' } })
}

/** The account has completed it, and has yet to put it in its place: SDKs come again by themselves. */
function notReady(): GatewayError {
  const message = 'The account has completed the video and does not hand it out yet.'
  return new GatewayError('lookup_unavailable', message, { headers: { 'retry-after-ms': '500' } })
}

function noAsset({ variant, index }: VideoAsset): GatewayError {
  const what = variant === 'video' ? `video ${index + 1}` : `\`${variant}\``
  return new GatewayError('not_found', `The account that made this video has no ${what} of it.`)
}

function whereOf(place: { readonly call: VideoCall } | { readonly uri: string }): VideoCall | URL {
  if ('call' in place) return place.call
  const url = URL.parse(place.uri)
  if (url) return url
  const message = 'The account does not tell where it keeps this video.'
  throw new GatewayError('upstream_invalid_reply', message)
}
