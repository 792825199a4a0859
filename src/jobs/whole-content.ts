import type { Asking } from '../dialect.ts'
import { GatewayError } from '../errors.ts'
import type { Understood } from '../exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import type { VideoSample } from '../media/video.ts'
import { noPlace } from './content-errors.ts'
import type { Job } from './job.ts'
import type { LookOptions } from './look.ts'
import { ownerOf } from './owner.ts'

/** What an account tells with the state of a job; `undefined` where it tells it no more. */
export async function inlineContent(
  exchange: Understood,
  job: Job,
  index: number,
  asking: Asking,
): Promise<Buffer | undefined> {
  const base64 = (await samplesOf(exchange, job, asking))[index]?.base64
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64')
}

async function samplesOf(exchange: Understood, job: Job, asking: Asking) {
  const { candidate, codec } = ownerOf(exchange, job)
  const { json } = await asking.ask(candidate, codec.status(job.upstreamId))
  return codec.readStatus(json)?.samples ?? []
}

export interface WholeContentsOptions extends Pick<LookOptions, 'asking' | 'jobs'> {
  /** Of all of them together, in bytes. */
  readonly limit: number
  isWanted(sample: VideoSample): boolean
}

/** A job's videos by their places; none stands where one does not fit, or cannot be had now. */
export async function wholeContents(
  exchange: Understood,
  job: Job,
  options: WholeContentsOptions,
): Promise<(Buffer | undefined)[]> {
  const contents: (Buffer | undefined)[] = []
  const { samples = [] } = job
  if (!samples.some(options.isWanted)) return contents
  const read = readerOf(exchange, job, options.asking)
  let left = options.limit
  for (const [index, sample] of samples.entries()) {
    if (!options.isWanted(sample)) continue
    const bytes = await read(index, sample, left).catch((error) => untold(error, job, options))
    left -= bytes?.length ?? 0
    contents[index] = bytes
  }
  return contents
}

type Read = (index: number, sample: VideoSample, limit: number) => Promise<Buffer | undefined>

function readerOf(exchange: Understood, job: Job, asking: Asking): Read {
  const { candidate, codec } = ownerOf(exchange, job)
  /** One answer tells all that an account tells itself. */
  let told: Promise<readonly VideoSample[]> | undefined
  return async (index, sample, limit) => {
    const place = codec.content(job.upstreamId, { index, variant: 'video' }, sample)
    if (!place) return undefined
    if (!('inline' in place)) return asking.read(candidate, whereOf(place), limit)
    told ??= samplesOf(exchange, job, asking)
    const base64 = (await told)[index]?.base64
    const fits = base64 !== undefined && Buffer.byteLength(base64, 'base64') <= limit
    return fits ? Buffer.from(base64, 'base64') : undefined
  }
}

/** What an account does not hand out now is to be downloaded later. */
function untold(error: unknown, job: Job, { jobs }: WholeContentsOptions): undefined {
  if (!GatewayError.isInstance(error) || error.code === 'client_closed_request') throw error
  jobs.unseen(job, error)
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
