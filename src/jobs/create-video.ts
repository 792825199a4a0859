import type { JsonObject } from '../lib/json/object.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { ByteEdit } from '../lib/json/edit.ts'
import type { Files } from '../contract/files.ts'
import type { VideoCodec, VideoRequest, VideoSource } from '../media/video.ts'
import { createNativeRequest } from '../upstream/native.ts'
import type { AttemptPlan, ReadReply } from '../contract/attempt.ts'
import type { Outbound } from '../contract/outbound.ts'
import { resumeAttempt } from '../exchange/record.ts'
import type { TranslationServices } from '../contract/services.ts'
import { createAccountRequest } from '../upstream/outbound.ts'
import { statusUnavailable, notCompleted } from './content-errors.ts'
import { encodingTools } from './encoding.ts'
import type { Job } from './job.ts'
import type { Jobs } from './jobs.ts'
import { type RefreshOptions, type RefreshedJob, refreshJob } from './refresh-job.ts'
import { type JobOrder, newJob } from './new-job.ts'
import { ownerOf, recordJob } from './owner.ts'
import { inlineContent } from './whole-content.ts'

/** A client's request for a video, and the reply in its dialect. */
export interface VideoCreation extends Pick<JobOrder, 'usual'> {
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The uploads of clients. */
  readonly files?: Files
  readonly request: VideoRequest
  /** Changes to the client's own request, for accounts of its dialect. Absent: it is encoded again. */
  readonly native?: {
    readonly path: string
    readonly edits?: readonly ByteEdit[]
    /** The body in place of the client's, if that contains names that accounts do not know. */
    json?(source: VideoSource | undefined): JsonObject
  }
  /** The completed job that the new one remixes or extends. */
  readonly source?: RemixSource
  /** The reply in the client's dialect. */
  answer(job: Job): VideoAnswer
}

/** The reply to a client that has created a video. */
interface VideoAnswer extends Pick<ReadReply, 'headers'> {
  readonly json: unknown
  /** The client's name for the job. */
  readonly id: string
}

/** The job that a new one remixes or extends. */
interface RemixSource extends Pick<RefreshOptions, 'accountClient' | 'notFound'> {
  readonly job: Job
  /** The index of its video. Default: 0. */
  readonly index?: number
}

/**
 * Plans an attempt to create a video: the client's own request for an account of its dialect, otherwise
 * an encoded one. The job is stored before the reply goes to the client. Throws `Declined` or
 * `GatewayError` if the account cannot serve the request.
 */
export async function planVideoCreation(
  routed: Routed,
  services: TranslationServices,
  creation: VideoCreation,
): Promise<AttemptPlan> {
  const { source } = creation
  const exchange = source ? inSourceDialect(routed, source.job) : routed
  const video = source && (await readSource(exchange, { ...creation, ...source }))
  const request = video ? { ...creation.request, source: video } : creation.request
  const { codec, outbound } = await prepare(exchange, services, { ...creation, request })
  let job: Job | undefined
  return {
    outbound,
    observer() {
      throw new Error('The reply to a video request is not a stream.')
    },
    read(json) {
      const created = codec.readCreated(json)
      if (!created || !isUsableId(created.upstreamId)) return unreadable
      job = newJob(exchange, created, creation)
      const { json: reply, headers, id } = creation.answer(job)
      recordJob(exchange, job, { remixedFrom: exchange.progress.job?.remixedFrom })
      return {
        outcome: outcomeOf(id, job),
        status: 200,
        body: Buffer.from(JSON.stringify(reply)),
        ...(headers && { headers }),
      }
    },
    persist: () => job && creation.jobs.create(job),
  }
}

/** The exchange with the candidate in the source's dialect, if the account has several. */
function inSourceDialect(exchange: Routed, source: Job): Routed {
  const { candidate, attempt } = exchange
  if (candidate.dialect.id === source.dialect) return exchange
  const owner = ownerOf(exchange, source).candidate
  attempt.candidate = { ...owner, upstreamModel: candidate.upstreamModel }
  return resumeAttempt(exchange, attempt)
}

/** Throws if the source is not completed, if its status is unknown, or if it has no such video. */
async function readSource(
  exchange: Routed,
  { job: known, index = 0, ...options }: RefreshOptions & RemixSource,
): Promise<VideoSource> {
  const { job, stale } = await refreshSource(exchange, known, options)
  if (stale) throw statusUnavailable()
  if (job.status !== 'completed') throw notCompleted(job)
  const sample = job.samples?.[index]
  if (!sample && index > 0) throw options.notFound()
  const { upstreamId } = job
  if (!sample?.inline || exchange.isDryRun) return { upstreamId, sample }
  const bytes = await inlineContent(exchange, job, index, options)
  if (!bytes) throw options.notFound()
  return { upstreamId, sample: { ...sample, base64: bytes.toString('base64') } }
}

/**
 * Refreshes the source, and leaves the job that the exchange records as it is. A dry run asks no account,
 * and takes the last known state.
 */
async function refreshSource(
  exchange: Routed,
  source: Job,
  options: RefreshOptions,
): Promise<RefreshedJob> {
  const { progress } = exchange
  const { job } = progress
  if (exchange.isDryRun) return { job: source, stale: false }
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
  if (!codec) throw new Error(`Dialect "${dialect.id}" has no codec for videos.`)
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
  return { codec, outbound: createAccountRequest(exchange, call) }
}

/** In characters. A longer id makes the reply invalid. */
const longestId = 1_024

/** Half of a surrogate pair has no form in the path of later calls. */
function isUsableId(id: string): boolean {
  return id.length <= longestId && id.isWellFormed()
}

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
