import { leaseOf } from '../exchange/record.ts'
import { type ErrorCode, GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { VideoSample } from '../media/video.ts'
import { noLocation } from './content-errors.ts'
import type { Job } from './job.ts'
import type { RefreshOptions } from './refresh-job.ts'
import { ownerOf } from './owner.ts'

/** A video that its account sends within the state of the job; `undefined` if it does not any more. */
export async function inlineContent(
  exchange: Understood,
  job: Job,
  index: number,
  options: ReadOptions,
): Promise<Buffer | undefined> {
  const base64 = (await fetchSamples(exchange, job, options))[index]?.base64
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

type ReadOptions = Pick<RefreshOptions, 'accountClient' | 'jobs'>

function fetchSamples(
  exchange: Understood,
  job: Job,
  { accountClient, jobs }: ReadOptions,
): Promise<readonly VideoSample[]> {
  const { candidate, codec } = ownerOf(exchange, job)
  return jobs.reads.share(job.id, exchange, async () => {
    const { json } = await accountClient.fetchJson(candidate, codec.status(job.upstreamId))
    return codec.readStatus(json)?.samples ?? []
  })
}

/** The options of `wholeContents`. */
interface WholeContentsOptions extends ReadOptions {
  /** The maximum size of all videos together, in bytes. */
  readonly limit: number
  /** Whether the reply includes this video. */
  isWanted(sample: VideoSample): boolean
}

/**
 * A job's videos in base64 by their indexes. A video that exceeds the rest of the limit or that the
 * account does not deliver now is `undefined`. Rejects with `lookup_unavailable` if too many others are
 * being read.
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
    const base64 = await read(index, sample, left).catch((error) => logFailure(error, job, options))
    left -= base64 === undefined ? 0 : Buffer.byteLength(base64, 'base64')
    contents[index] = base64
    // The videos are in the reply, which is written and sent as a whole.
    if (base64 !== undefined) await holdFor(exchange, contents)
  }
  return contents
}

/** Memory of a character of base64: as text, in the reply's text, and in its bytes. */
const copies = 3

function holdFor(
  exchange: Understood,
  contents: readonly (string | undefined)[],
): Promise<void> | undefined {
  const length = contents.reduce((sum, base64 = '') => sum + base64.length, 0)
  return leaseOf(exchange).hold('reply', copies * length)
}

type Read = (index: number, sample: VideoSample, limit: number) => Promise<string | undefined>

function readerOf(exchange: Understood, job: Job, options: ReadOptions): Read {
  const { candidate, codec } = ownerOf(exchange, job)
  /** One reply of the account contains all its inline videos. */
  let samples: Promise<readonly VideoSample[]> | undefined
  return async (index, sample, limit) => {
    const place = codec.content(job.upstreamId, { index, variant: 'video' }, sample)
    if (!place) return undefined
    if (!('inline' in place)) {
      const { accountClient, jobs } = options
      return jobs.reads.share(`${job.id} ${index} ${limit}`, exchange, async () =>
        (await accountClient.download(candidate, locationOf(place), limit)).toString('base64'),
      )
    }
    samples ??= fetchSamples(exchange, job, options)
    const base64 = (await samples)[index]?.base64
    const fits = base64 !== undefined && Buffer.byteLength(base64, 'base64') <= limit
    return fits ? base64 : undefined
  }
}

/** Errors that are not the account's. */
const ownCodes: ReadonlySet<ErrorCode> = new Set(['client_closed_request', 'lookup_unavailable'])

/** Logs a failure of the account: the client can download the video later. Throws other errors. */
function logFailure(error: unknown, job: Job, { jobs }: WholeContentsOptions): undefined {
  if (!GatewayError.isInstance(error) || ownCodes.has(error.code)) throw error
  jobs.lookupFailed(job, error)
}

/** The call or the URL that delivers a video. Throws `GatewayError` for an invalid URL. */
export function locationOf(
  place: { readonly call: AccountCall } | { readonly uri: string },
): AccountCall | URL {
  if ('call' in place) return place.call
  const url = URL.parse(place.uri)
  if (!url) throw noLocation()
  return url
}
