import { type ErrorCode, GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { VideoSample } from '../media/video.ts'
import { noPlace } from './content-errors.ts'
import type { Job } from './job.ts'
import type { RefreshOptions } from './refresh-job.ts'
import { ownerOf } from './owner.ts'

/** What an account tells with the state of a job; `undefined` where it tells it no more. */
export async function inlineContent(
  exchange: Understood,
  job: Job,
  index: number,
  reading: Reading,
): Promise<Buffer | undefined> {
  const base64 = (await samplesOf(exchange, job, reading))[index]?.base64
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

type Reading = Pick<RefreshOptions, 'accountClient' | 'jobs'>

function samplesOf(
  exchange: Understood,
  job: Job,
  { accountClient, jobs }: Reading,
): Promise<readonly VideoSample[]> {
  const { candidate, codec } = ownerOf(exchange, job)
  return jobs.reads.share(job.id, exchange, async () => {
    const { json } = await accountClient.fetchJson(candidate, codec.status(job.upstreamId))
    return codec.readStatus(json)?.samples ?? []
  })
}

export interface WholeContentsOptions extends Reading {
  /** Of all of them together, in bytes. */
  readonly limit: number
  isWanted(sample: VideoSample): boolean
}

/**
 * A job's videos in base64 by their places; none stands where one does not fit, or cannot be had now.
 * Rejects with `lookup_unavailable` where too many others are being read.
 */
export async function wholeContents(
  exchange: Understood,
  job: Job,
  options: WholeContentsOptions,
): Promise<(string | undefined)[]> {
  const contents: (string | undefined)[] = []
  const { samples = [] } = job
  if (!samples.some(options.isWanted)) return contents
  const read = readerOf(exchange, job, options)
  let left = options.limit
  for (const [index, sample] of samples.entries()) {
    if (!options.isWanted(sample)) continue
    const base64 = await read(index, sample, left).catch((error) => untold(error, job, options))
    left -= base64 === undefined ? 0 : Buffer.byteLength(base64, 'base64')
    contents[index] = base64
  }
  return contents
}

type Read = (index: number, sample: VideoSample, limit: number) => Promise<string | undefined>

function readerOf(exchange: Understood, job: Job, reading: Reading): Read {
  const { candidate, codec } = ownerOf(exchange, job)
  /** One answer tells all that an account tells itself. */
  let told: Promise<readonly VideoSample[]> | undefined
  return async (index, sample, limit) => {
    const place = codec.content(job.upstreamId, { index, variant: 'video' }, sample)
    if (!place) return undefined
    if (!('inline' in place)) {
      const { accountClient, jobs } = reading
      return jobs.reads.share(`${job.id} ${index} ${limit}`, exchange, async () =>
        (await accountClient.download(candidate, whereOf(place), limit)).toString('base64'),
      )
    }
    told ??= samplesOf(exchange, job, reading)
    const base64 = (await told)[index]?.base64
    const fits = base64 !== undefined && Buffer.byteLength(base64, 'base64') <= limit
    return fits ? base64 : undefined
  }
}

/** What has nothing to do with the account. */
const own: ReadonlySet<ErrorCode> = new Set(['client_closed_request', 'lookup_unavailable'])

/** What an account does not hand out now is to be downloaded later. */
function untold(error: unknown, job: Job, { jobs }: WholeContentsOptions): undefined {
  if (!GatewayError.isInstance(error) || own.has(error.code)) throw error
  jobs.lookupFailed(job, error)
}

/** Throws `GatewayError` where that is nowhere. */
export function whereOf(
  place: { readonly call: AccountCall } | { readonly uri: string },
): AccountCall | URL {
  if ('call' in place) return place.call
  const url = URL.parse(place.uri)
  if (!url) throw noPlace()
  return url
}
