import type { VideoError, VideoSample, VideoState } from '../../../src/media/video.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** What an operation says, in every form that accounts have for its result. */
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
  const further = { ...extras, response: furtherIn(response) }
  if (samples.length > 0 || !withheld) {
    if (samples.length > 0) {
      return { status: 'completed', samples, ...(withheld && { withheld }), extras: further }
    }
    const message = 'The operation has ended without a video.'
    return { status: 'failed', error: { code: '13', message }, extras: further }
  }
  const message = withheld.reasons.join(' ') || 'The video was withheld by a safety filter.'
  return { status: 'failed', error: { code: '3', message }, withheld, extras: further }
}

/** The first form that names any. */
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
  const told = numberAt(place, 'raiMediaFilteredCount')
  const list: unknown = (place as Record<string, unknown> | undefined)?.['raiMediaFilteredReasons']
  const reasons = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  return told || reasons.length > 0 ? { count: told ?? reasons.length, reasons } : undefined
}

const told = new Set([
  'generateVideoResponse',
  'generatedVideos',
  'videos',
  'raiMediaFilteredCount',
  'raiMediaFilteredReasons',
])

function furtherIn(response: unknown): Record<string, unknown> {
  if (typeof response !== 'object' || response === null) return {}
  return Object.fromEntries(Object.entries(response).filter(([name]) => !told.has(name)))
}

function readError(error: object): VideoError {
  return {
    code: String(numberAt(error, 'code') ?? 13),
    message: stringAt(error, 'message') ?? 'The operation has failed.',
  }
}

function progressIn({ metadata }: Record<string, unknown>): number | undefined {
  return numberAt(metadata, 'progressPercent') ?? numberAt(metadata, 'progressPercentage')
}
