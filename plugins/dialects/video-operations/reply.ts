import { type Job, isOver } from '../../../src/jobs/job.ts'
import type { VideoSample } from '../../../src/media/video.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import { videoOperationsId, fileId, longName } from './names.ts'
import { isObject } from '../../../src/lib/json/object.ts'

/** The data of an operation's reply. */
interface OperationView {
  readonly job: Job
  /** Returns the download URI of a file. */
  uriOf(file: string): string
  /** Base64 contents by index of the video; `undefined` for videos that are not inlined. */
  readonly contents: readonly (string | undefined)[]
  /** Adds the result form that clients of `:fetchPredictOperation` read. */
  readonly enterprise: boolean
}

/**
 * Returns an operation as a look-up's JSON. It contains both forms of the result, and the extras of
 * accounts of this dialect.
 */
export function showOperation(view: OperationView): object {
  const { job } = view
  const { response: further, error: _, ...extras } = ownExtras(job)
  const operation = { ...extras, name: longName(job), done: isOver(job) }
  if (!isOver(job)) return operation
  if (job.error && !job.withheld) return { ...operation, error: showError(job) }
  return { ...operation, response: { ...objectAt({ further }, 'further'), ...responseOf(view) } }
}

function ownExtras({ dialect, extras }: Job): Readonly<Record<string, unknown>> {
  return dialect === videoOperationsId ? (extras ?? {}) : {}
}

function responseOf({ job, uriOf, contents, enterprise }: OperationView): object {
  const time = new Date((job.completedAt ?? job.createdAt) * 1_000).toISOString()
  const videos = (job.samples ?? []).map(({ mediaType = 'video/mp4' }: VideoSample, index) => ({
    uri: uriOf(fileId(job, index)),
    content: contents[index],
    mediaType,
  }))
  const { withheld } = job
  const filtered = withheld && {
    raiMediaFilteredCount: withheld.count,
    raiMediaFilteredReasons: withheld.reasons,
  }
  return {
    generatedVideos: videos.map(({ uri, content, mediaType }) => ({
      uri,
      ...(content !== undefined && !enterprise && { videoBytes: content }),
      mimeType: mediaType,
      createTime: time,
    })),
    generateVideoResponse: {
      generatedSamples: videos.map(({ uri, content, mediaType }) => ({
        video: {
          uri,
          ...(content !== undefined && !enterprise && { encodedVideo: content }),
          encoding: mediaType,
        },
        encoding: mediaType,
      })),
      ...filtered,
    },
    ...(enterprise && {
      videos: videos.map(({ uri, content, mediaType }) => ({
        gcsUri: uri,
        ...(content !== undefined && { bytesBase64Encoded: content }),
        mimeType: mediaType,
      })),
      ...filtered,
    }),
  }
}

/** google.rpc.Code by the error codes of other dialects. */
const codes: Readonly<Record<string, number>> = {
  invalid_prompt: 3,
  content_policy_violation: 3,
  moderation_blocked: 3,
  rate_limit_exceeded: 8,
}

const internal = 13

/**
 * Returns the error of a job: an integer code, a message, and details, which are objects. Further
 * members of an account of this dialect are kept.
 */
function showError(job: Job): object {
  const original = objectAt(ownExtras(job), 'error')
  const { code = '', message = '', type } = job.error ?? {}
  const number = /^-?\d{1,15}$/.test(code) ? Number(code) : (codes[code] ?? internal)
  const further = code === String(number) ? [] : [{ code, ...(type !== undefined && { type }) }]
  const reported = original?.['details']
  const details = Array.isArray(reported) ? reported.filter(isObject) : further
  return { ...original, code: number, message, details }
}
