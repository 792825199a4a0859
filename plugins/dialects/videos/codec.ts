import type { FormEntry } from '../../../src/media/account-call.ts'
import type { EncodingTools, VideoCodec, VideoRequest } from '../../../src/media/video.ts'
import { frameSizeOf } from '../../../src/media/video-frame.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { readVideo } from './read-video.ts'

/** How accounts that speak the Videos API are asked. */
export const videosCodec: VideoCodec = {
  async create(request, upstreamModel, tools) {
    const { source, prompt } = request
    if (source) {
      dropAll(request, tools, 'a remix keeps what its source has')
      return { method: 'POST', path: `${placeOf(source.upstreamId)}/remix`, json: { prompt } }
    }
    if (request.foreignSource) {
      tools.refuse('instances[0].video', 'a remix is made of a video made here')
    }
    const form: FormEntry[] = [
      { name: 'model', value: upstreamModel },
      { name: 'prompt', value: prompt },
      ...secondsIn(request),
      ...sizeIn(request, tools),
      ...(await referenceIn(request, tools)),
    ]
    dropFurther(request, tools)
    return { method: 'POST', path: '/v1/videos', form }
  },
  readCreated(json) {
    const upstreamId = stringAt(json, 'id')
    const state = readVideo(json)
    return upstreamId && state ? { upstreamId, state } : undefined
  },
  status: (id) => ({ method: 'GET', path: placeOf(id) }),
  readStatus: readVideo,
  content: (id, { index, variant }) =>
    index > 0
      ? undefined
      : {
          call: {
            method: 'GET',
            path: `${placeOf(id)}/content`,
            ...(variant !== 'video' && { query: `variant=${encodeURIComponent(variant)}` }),
          },
        },
  notReady: 404,
  remove: (id) => ({ method: 'DELETE', path: placeOf(id) }),
}

function placeOf(id: string): string {
  return `/v1/videos/${encodeURIComponent(id)}`
}

function secondsIn({ seconds }: VideoRequest): FormEntry[] {
  return seconds === undefined ? [] : [{ name: 'seconds', value: String(seconds) }]
}

function sizeIn({ frame }: VideoRequest, tools: EncodingTools): FormEntry[] {
  if (!frame) return []
  const size = frameSizeOf(frame)
  if (size !== undefined) return [{ name: 'size', value: size }]
  const { aspectRatio } = frame
  if (aspectRatio !== undefined) {
    tools.refuse('parameters.aspectRatio', `no size has the aspect ratio ${aspectRatio}`)
  }
  tools.drop('parameters.resolution', 'a resolution without an aspect ratio is no size')
  return []
}

async function referenceIn(
  { reference }: VideoRequest,
  tools: EncodingTools,
): Promise<FormEntry[]> {
  if (!reference) return []
  const { bytes, mediaType } = await tools.bytesOf(reference)
  const name = `reference.${mediaType.split('/')[1] ?? 'png'}`
  return [{ name: 'input_reference', value: { bytes, type: mediaType, name } }]
}

const none = 'accounts that speak the Videos API take none'

function dropFurther(request: VideoRequest, tools: EncodingTools): void {
  const { instances = 1, samples = 1, lastFrame, negativePrompt, seed, further } = request
  if (instances > 1) tools.refuse('instances', 'one video is made at a time')
  if (samples > 1) tools.refuse('parameters.sampleCount', 'one video is made at a time')
  if (lastFrame) tools.refuse(lastFrame.field, none)
  if (negativePrompt !== undefined) tools.drop('parameters.negativePrompt', none)
  if (seed !== undefined) tools.drop('parameters.seed', none)
  for (const field of further) tools.drop(field, none)
}

function dropAll(request: VideoRequest, tools: EncodingTools, reason: string): void {
  if (request.reference) tools.drop(request.reference.field, reason)
  if (request.seconds !== undefined) tools.drop('seconds', reason)
  if (request.frame) tools.drop('size', reason)
  dropFurther(request, tools)
}
