import type { JsonObject } from '../lib/json/object.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { ByteEdit } from '../lib/json/edit.ts'
import type { Files } from '../contract/files.ts'
import type { VideoCodec, VideoRequest, VideoSource } from '../media/video.ts'
import { createNativeRequest } from '../upstream/native-request.ts'
import type { AttemptPlan, Outbound, ReadReply } from '../contract/attempt.ts'
import { resumeAttempt } from '../exchange/record.ts'
import type { TranslationServices } from '../contract/services.ts'
import { createAccountRequest } from '../upstream/account-request.ts'
import { statusUnavailable, notCompleted } from './content-errors.ts'
import { encodingTools } from './encoding.ts'
import type { Job } from './job.ts'
import type { Jobs } from './jobs.ts'
import { type RefreshOptions, type RefreshedJob, refreshJob } from './refresh-job.ts'
import { type JobOrder, jobOf } from './new-job.ts'
import { ownerOf, recordJob } from './owner.ts'
import { inlineContent } from './whole-content.ts'

/** How a client of some dialect asks for a video, and is answered. */
export interface VideoCreation extends Pick<JobOrder, 'usual'> {
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Where clients' uploads are. */
  readonly files?: Files
  readonly request: VideoRequest
  /** The client's own request, for accounts that speak its dialect. Absent: it is written anew. */
  readonly native?: {
    readonly path: string
    readonly edits?: readonly ByteEdit[]
    /** Instead of the client's body, where that names something as no account does. */
    json?(source: VideoSource | undefined): JsonObject
  }
  /** The job that it is made of, once that is completed. */
  readonly source?: RemixSource
  /** The answer in the client's words. */
  answer(job: Job): VideoAnswer
}

export interface VideoAnswer extends Pick<ReadReply, 'headers'> {
  readonly json: unknown
  /** What the client calls the job. */
  readonly id: string
}

export interface RemixSource extends Pick<RefreshOptions, 'accountClient' | 'notFound'> {
  readonly job: Job
  /** Which of its videos; the first where absent. */
  readonly index?: number
}

/**
 * An account is asked for a video, in the client's own words where it speaks them, and what it takes
 * is a job from then on: it is kept before the client hears of it.
 */
export async function planVideoCreation(
  given: Routed,
  services: TranslationServices,
  beginning: VideoCreation,
): Promise<AttemptPlan> {
  const { source } = beginning
  const exchange = source ? toOwner(given, source.job) : given
  const madeOf = source && (await readSource(exchange, { ...beginning, ...source }))
  const request = madeOf ? { ...beginning.request, source: madeOf } : beginning.request
  const { codec, outbound } = await prepare(exchange, services, { ...beginning, request })
  let job: Job | undefined
  return {
    outbound,
    observer() {
      throw new Error('Videos are not streamed.')
    },
    read(json) {
      const created = codec.readCreated(json)
      if (!created || created.upstreamId.length > longestId) return unreadable
      job = jobOf(exchange, created, beginning)
      const { json: answer, headers, id } = beginning.answer(job)
      recordJob(exchange, job, { remixedFrom: exchange.progress.job?.remixedFrom })
      return {
        outcome: outcomeOf(id, job),
        status: 200,
        body: Buffer.from(JSON.stringify(answer)),
        ...(headers && { headers }),
      }
    },
    persist: () => job && beginning.jobs.create(job),
  }
}

/** An account of several dialects is spoken to in the one in which it knows the source. */
function toOwner(exchange: Routed, source: Job): Routed {
  const { candidate, attempt } = exchange
  if (candidate.dialect.id === source.dialect) return exchange
  const owner = ownerOf(exchange, source).candidate
  attempt.candidate = { ...owner, upstreamModel: candidate.upstreamModel }
  return resumeAttempt(exchange, attempt)
}

/** Throws where the source is not completed, or cannot be told to be, or has no such video. */
async function readSource(
  exchange: Routed,
  { job: known, index = 0, ...options }: RefreshOptions & RemixSource,
): Promise<VideoSource> {
  const { job, stale } = await lookAside(exchange, known, options)
  if (stale) throw statusUnavailable()
  if (job.status !== 'completed') throw notCompleted(job)
  const sample = job.samples?.[index]
  if (!sample && index > 0) throw options.notFound()
  const { upstreamId } = job
  if (!sample?.inline) return { upstreamId, sample }
  const bytes = await inlineContent(exchange, job, index, options)
  if (!bytes) throw options.notFound()
  return { upstreamId, sample: { ...sample, base64: bytes.toString('base64') } }
}

/** Looks at another job than the one that is told of. */
async function lookAside(
  exchange: Routed,
  source: Job,
  options: RefreshOptions,
): Promise<RefreshedJob> {
  const { progress } = exchange
  const { job } = progress
  try {
    return await refreshJob(exchange, source, options)
  } finally {
    progress.job = job
  }
}

async function prepare(
  exchange: Routed,
  services: TranslationServices,
  { native: own, request, files }: VideoCreation,
): Promise<{ codec: VideoCodec; outbound: Outbound }> {
  const { dialect, native, upstreamModel } = exchange.candidate
  const { video: codec } = dialect
  if (!codec) throw new Error(`Dialect "${dialect.id}" makes no videos.`)
  if (native && own) {
    const { path, edits = [], json } = own
    if (json) {
      const call = { method: 'POST', path, json: json(request.source) } as const
      return { codec, outbound: createAccountRequest(exchange, call) }
    }
    const call = { ...exchange.call, edits: [...exchange.call.edits, ...edits] }
    return { codec, outbound: createNativeRequest({ ...exchange, call }, { path }) }
  }
  const tools = encodingTools(exchange, services, files)
  const call = await codec.create(request, upstreamModel, tools)
  exchange.attempt.losses = tools.losses
  return { codec, outbound: createAccountRequest(exchange, call) }
}

/** Longer ids are no account's. Characters. */
const longestId = 1_024

const unreadable: ReadReply = {
  failedHere: true,
  outcome: {
    status: 'failed',
    fault: 'account',
    error: new GatewayError('upstream_invalid_reply', 'The upstream’s reply names no video.'),
  },
}

function outcomeOf(id: string, { model }: Job): Outcome {
  return { status: 'completed', fault: 'none', produced: { kind: 'video', id, model } }
}
