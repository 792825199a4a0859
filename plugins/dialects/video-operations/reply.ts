import { type Job, isOver } from '../../../src/jobs/job.ts'
import type { VideoSample } from '../../../src/media/video.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import { videoOperationsId, fileId, longName } from './names.ts'

export interface ShownOperation {
  readonly job: Job
  /** Where clients download a file of the gateway's. */
  uriOf(file: string): string
  /** Contents, by the place of their video, as far as they are at hand. */
  readonly contents: readonly (string | undefined)[]
  /** Whether the third form of the result goes along, for clients of `:fetchPredictOperation`. */
  readonly enterprise: boolean
}

/**
 * An operation as lookups tell it. Both forms of its result stand beside each other; the account's
 * further fields are kept where it speaks this dialect.
 */
export function showOperation(shown: ShownOperation): object {
  const { job } = shown
  const { response: further, error: _, ...extras } = ownExtras(job)
  const operation = { ...extras, name: longName(job), done: isOver(job) }
  if (!isOver(job)) return operation
  if (job.error && !job.withheld) return { ...operation, error: showError(job) }
  return { ...operation, response: { ...objectAt({ further }, 'further'), ...responseOf(shown) } }
}

function ownExtras({ dialect, extras }: Job): Readonly<Record<string, unknown>> {
  return dialect === videoOperationsId ? (extras ?? {}) : {}
}

function responseOf({ job, uriOf, contents, enterprise }: ShownOperation): object {
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

/** Of google.rpc.Code, for what accounts of other dialects say. */
const codes: Readonly<Record<string, number>> = {
  invalid_prompt: 3,
  content_policy_violation: 3,
  moderation_blocked: 3,
  rate_limit_exceeded: 8,
}

const internal = 13

/** An account's own error stands as it told it. */
function showError(job: Job): object {
  const { error: told } = ownExtras(job)
  const { code = '', message = '', type } = job.error ?? {}
  const number = /^\d+$/.test(code) ? Number(code) : (codes[code] ?? internal)
  const further = code === String(number) ? [] : [{ code, ...(type !== undefined && { type }) }]
  return { code: number, message, details: further, ...objectAt({ told }, 'told') }
}
