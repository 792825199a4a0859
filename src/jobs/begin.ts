import type { JsonObject } from '../lib/json/object.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Routed } from '../contract/exchange.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { ByteEdit } from '../lib/json/edit.ts'
import type { Files } from '../contract/files.ts'
import type { VideoCodec, VideoRequest, VideoSource } from '../media/video.ts'
import { createOutbound } from '../upstream/outbound.ts'
import type { AttemptPlan, Outbound, ReadReply } from '../contract/attempt.ts'
import { resumeAttempt } from '../exchange/record.ts'
import type { TranslationServices } from '../contract/services.ts'
import { createCallOutbound } from '../upstream/call-outbound.ts'
import { cannotTell, notCompleted } from './content-errors.ts'
import { encodingTools } from './encoding.ts'
import type { Job } from './job.ts'
import type { Jobs } from './jobs.ts'
import { type LookOptions, type Seen, look } from './look.ts'
import { type JobOrder, jobOf } from './new-job.ts'
import { ownerOf, tellJob } from './owner.ts'
import { inlineContent } from './whole-content.ts'

/** How a client of some dialect asks for a video, and is answered. */
export interface Beginning extends Pick<JobOrder, 'usual'> {
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
  readonly source?: Source
  /** The answer in the client's words. */
  answer(job: Job): VideoAnswer
}

export interface VideoAnswer extends Pick<ReadReply, 'headers'> {
  readonly json: unknown
  /** What the client calls the job. */
  readonly id: string
}

export interface Source extends Pick<LookOptions, 'accountClient' | 'notFound'> {
  readonly job: Job
  /** Which of its videos; the first where absent. */
  readonly index?: number
}

/**
 * An account is asked for a video, in the client's own words where it speaks them, and what it takes
 * is a job from then on: it is kept before the client hears of it.
 */
export async function planVideoAttempt(
  given: Routed,
  services: TranslationServices,
  beginning: Beginning,
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
      tellJob(exchange, job, { madeOf: exchange.progress.job?.madeOf })
      return {
        outcome: outcomeOf(id, job),
        status: 200,
        body: Buffer.from(JSON.stringify(answer)),
        ...(headers && { headers }),
      }
    },
    remember: () => job && beginning.jobs.create(job),
  }
}

/** An account of several dialects is spoken to in the one in which it knows the source. */
function toOwner(exchange: Routed, source: Job): Routed {
  const { candidate, attempt } = exchange
  if (candidate.dialect.name === source.dialect) return exchange
  const owner = ownerOf(exchange, source).candidate
  attempt.candidate = { ...owner, upstreamModel: candidate.upstreamModel }
  return resumeAttempt(exchange, attempt)
}

/** Throws where the source is not completed, or cannot be told to be, or has no such video. */
async function readSource(
  exchange: Routed,
  { job: known, index = 0, ...options }: LookOptions & Source,
): Promise<VideoSource> {
  const { job, stale } = await lookAside(exchange, known, options)
  if (stale) throw cannotTell()
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
async function lookAside(exchange: Routed, source: Job, options: LookOptions): Promise<Seen> {
  const { progress } = exchange
  const { job } = progress
  try {
    return await look(exchange, source, options)
  } finally {
    progress.job = job
  }
}

async function prepare(
  exchange: Routed,
  services: TranslationServices,
  { native: own, request, files }: Beginning,
): Promise<{ codec: VideoCodec; outbound: Outbound }> {
  const { dialect, native, upstreamModel } = exchange.candidate
  const { video: codec, upstream } = dialect
  if (!codec || !upstream) throw new Error(`Dialect "${dialect.name}" makes no videos.`)
  if (native && own) {
    const { path, edits = [], json } = own
    if (json) {
      const call = { method: 'POST', path, json: json(request.source) } as const
      return { codec, outbound: createCallOutbound(exchange, call) }
    }
    const call = { ...exchange.call, edits: [...exchange.call.edits, ...edits] }
    return { codec, outbound: createOutbound({ ...exchange, call }, { path }, upstream) }
  }
  const tools = encodingTools(exchange, services, files)
  const call = await codec.create(request, upstreamModel, tools)
  exchange.attempt.losses = tools.losses
  return { codec, outbound: createCallOutbound(exchange, call) }
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
