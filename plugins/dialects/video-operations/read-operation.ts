import type { VideoError, VideoSample, VideoState } from '../../../src/media/video.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** Reads the state of a job from an operation, in any of the forms of its result. */
export function readOperation(json: unknown): VideoState | undefined {
  const name = stringAt(json, 'name')
  if (name === undefined) return undefined
  const { name: _, done, response, error, ...extras } = json as Record<string, unknown>
  if (done !== true) {
    const progress = progressIn(extras)
    return { status: 'in_progress', ...(progress !== undefined && { progress }), extras }
  }
  if (typeof error === 'object' && error !== null) {
    return { status: 'failed', error: readError(error), extras: { ...extras, error } }
  }
  return readResponse(response, extras)
}

function readResponse(response: unknown, extras: Record<string, unknown>): VideoState {
  const samples = samplesIn(response)
  const withheld = withheldIn(response)
  const further = { ...extras, response: extrasIn(response) }
  if (samples.length > 0 || !withheld) {
    if (samples.length > 0) {
      return { status: 'completed', samples, ...(withheld && { withheld }), extras: further }
    }
    const message = 'The operation ended without a video.'
    return { status: 'failed', error: { code: '13', message }, extras: further }
  }
  const message = withheld.reasons.join(' ') || 'The video was withheld by a safety filter.'
  return { status: 'failed', error: { code: '3', message }, withheld, extras: further }
}

/** Returns the videos of the first form that has any. */
function samplesIn(response: unknown): VideoSample[] {
  const generated = objectAt(response, 'generateVideoResponse')
  const forms = [
    objectsIn(generated?.['generatedSamples']).map((one) => objectAt(one, 'video') ?? one),
    objectsIn(objectAt(response, 'videos')),
    objectsIn(objectAt(response, 'generatedVideos')).map((one) => objectAt(one, 'video') ?? one),
  ]
  return forms.find((form) => form.length > 0)?.map(readSample) ?? []
}

function readSample(video: Record<string, unknown>): VideoSample {
  const uri = stringAt(video, 'uri') ?? stringAt(video, 'gcsUri')
  const base64 =
    stringAt(video, 'encodedVideo') ??
    stringAt(video, 'bytesBase64Encoded') ??
    stringAt(video, 'videoBytes')
  const mediaType = stringAt(video, 'encoding') ?? stringAt(video, 'mimeType')
  return {
    ...(uri && { uri }),
    ...(base64 && { base64 }),
    ...(mediaType && { mediaType }),
  }
}

function withheldIn(response: unknown): VideoState['withheld'] {
  const place = objectAt(response, 'generateVideoResponse') ?? response
  const count = numberAt(place, 'raiMediaFilteredCount')
  const list: unknown = (place as Record<string, unknown> | undefined)?.['raiMediaFilteredReasons']
  const reasons = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  return count || reasons.length > 0 ? { count: count ?? reasons.length, reasons } : undefined
}

/** Members of a response that the job's state covers; all others are extras. */
const coveredMembers = new Set([
  'generateVideoResponse',
  'generatedVideos',
  'videos',
  'raiMediaFilteredCount',
  'raiMediaFilteredReasons',
])

function extrasIn(response: unknown): Record<string, unknown> {
  if (typeof response !== 'object' || response === null) return {}
  return Object.fromEntries(Object.entries(response).filter(([name]) => !coveredMembers.has(name)))
}

function readError(error: object): VideoError {
  return {
    code: String(codeIn(error) ?? 13),
    message: stringAt(error, 'message') ?? 'The operation failed.',
  }
}

function codeIn(error: object): number | undefined {
  const code = numberAt(error, 'code')
  return Number.isSafeInteger(code) ? code : undefined
}

function progressIn({ metadata }: Record<string, unknown>): number | undefined {
  return numberAt(metadata, 'progressPercent') ?? numberAt(metadata, 'progressPercentage')
}
