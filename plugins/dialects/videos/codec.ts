import type { FormEntry } from '../../../src/media/account-call.ts'
import type {
  EncodingTools,
  VideoCodec,
  VideoError,
  VideoRequest,
  VideoState,
  VideoStatus,
} from '../../../src/media/video.ts'
import { fillPath, isSegment } from '../../../src/kit/account-path.ts'
import { frameSizeOf } from '../../../src/media/video-frame.ts'
import { numberAt, objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** The codec for accounts of the OpenAI Videos API. */
export const videosCodec: VideoCodec = {
  async create(request, upstreamModel, tools) {
    const { source, prompt } = request
    if (source) {
      dropAll(request, tools, 'a remix uses the settings of its source')
      return { method: 'POST', path: `${pathOf(source.upstreamId)}/remix`, json: { prompt } }
    }
    if (request.foreignSource) {
      tools.refuse('instances[0].video', 'a remix requires a video that this gateway created')
    }
    if (prompt === '') tools.refuse('instances[0].prompt', 'the Videos API requires a prompt')
    const form: FormEntry[] = [
      { name: 'model', value: upstreamModel },
      { name: 'prompt', value: prompt },
      ...secondsEntry(request),
      ...sizeEntry(request, tools),
      ...(await referenceEntry(request, tools)),
    ]
    dropUnsupported(request, tools)
    return { method: 'POST', path: '/v1/videos', form }
  },
  readCreated(json) {
    const upstreamId = stringAt(json, 'id')
    // The id becomes a part of later paths.
    if (upstreamId === undefined || !isSegment(upstreamId)) return undefined
    // The account has accepted an order that it names, with any status.
    return { upstreamId, state: readVideo(json) ?? { status: 'queued' } }
  },
  status: (id) => ({ method: 'GET', path: pathOf(id) }),
  readStatus: readVideo,
  content: (id, { index, variant }) =>
    index > 0
      ? undefined
      : {
          call: {
            method: 'GET',
            path: `${pathOf(id)}/content`,
            ...(variant !== 'video' && { query: `variant=${encodeURIComponent(variant)}` }),
          },
        },
  notReady: 404,
  remove: (id) => ({ method: 'DELETE', path: pathOf(id) }),
}

function pathOf(id: string): string {
  return fillPath('/v1/videos/{id}', { id })
}

function secondsEntry({ seconds }: VideoRequest): FormEntry[] {
  return seconds === undefined ? [] : [{ name: 'seconds', value: String(seconds) }]
}

function sizeEntry({ frame }: VideoRequest, tools: EncodingTools): FormEntry[] {
  if (!frame) return []
  const size = frameSizeOf(frame)
  if (size !== undefined) return [{ name: 'size', value: size }]
  const { aspectRatio } = frame
  if (aspectRatio !== undefined) {
    tools.refuse(
      'parameters.aspectRatio',
      `no size of the Videos API has the aspect ratio ${aspectRatio}`,
    )
  }
  tools.drop('parameters.resolution', 'a resolution requires an aspect ratio')
  return []
}

async function referenceEntry(
  { reference }: VideoRequest,
  tools: EncodingTools,
): Promise<FormEntry[]> {
  if (!reference) return []
  const { bytes, mediaType } = await tools.bytesOf(reference)
  const name = `reference.${mediaType.split('/')[1] ?? 'png'}`
  return [{ name: 'input_reference', value: { bytes, type: mediaType, name } }]
}

const unsupported = 'the Videos API does not support it'

function dropUnsupported(request: VideoRequest, tools: EncodingTools): void {
  const { instances = 1, samples = 1, lastFrame, negativePrompt, seed, further } = request
  if (instances > 1) tools.refuse('instances', 'a request creates one video')
  if (samples > 1) tools.refuse('parameters.sampleCount', 'a request creates one video')
  if (lastFrame) tools.refuse(lastFrame.field, unsupported)
  if (negativePrompt !== undefined) tools.drop('parameters.negativePrompt', unsupported)
  if (seed !== undefined) tools.drop('parameters.seed', unsupported)
  for (const field of further) tools.drop(field, unsupported)
}

function dropAll(request: VideoRequest, tools: EncodingTools, reason: string): void {
  if (request.reference) tools.drop(request.reference.field, reason)
  if (request.seconds !== undefined) tools.drop('seconds', reason)
  if (request.frame) tools.drop('size', reason)
  dropUnsupported(request, tools)
}

/** Members of docs/wire/contract.md; all others are passed through as extras. */
const members = new Set([
  'id',
  'object',
  'created_at',
  'completed_at',
  'expires_at',
  'model',
  'status',
  'progress',
  'seconds',
  'size',
  'prompt',
  'remixed_from_video_id',
  'error',
])

const statuses: Readonly<Record<string, VideoStatus>> = {
  pending: 'queued',
  queued: 'queued',
  in_progress: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  canceled: 'failed',
  expired: 'failed',
}

/** Reads the state of a job from an account's video object; `undefined` without a status. */
function readVideo(json: unknown): VideoState | undefined {
  const accountStatus = stringAt(json, 'status')
  if (accountStatus === undefined) return undefined
  const status = statuses[accountStatus] ?? 'in_progress'
  const extras = Object.fromEntries(
    Object.entries(json as object).filter(([name]) => !members.has(name)),
  )
  return {
    status,
    ...present('progress', numberAt(json, 'progress')),
    ...present('completedAt', numberAt(json, 'completed_at')),
    ...present('expiresAt', numberAt(json, 'expires_at')),
    ...present('seconds', stringAt(json, 'seconds') ?? numberAt(json, 'seconds')?.toString()),
    ...present('size', stringAt(json, 'size')),
    ...(status === 'failed' && { error: readError(objectAt(json, 'error'), accountStatus) }),
    ...(status === 'completed' && { samples: [{}] }),
    extras,
  }
}

function readError(error: unknown, status: string): VideoError {
  const [code, message] = [stringAt(error, 'code'), stringAt(error, 'message')]
  return {
    code: code ?? numberAt(error, 'code')?.toString() ?? 'video_generation_failed',
    message: message ?? `The video is ${status}.`,
    ...present('type', stringAt(error, 'type')),
  }
}

function present<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>)
}
