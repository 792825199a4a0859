import type {
  EncodingTools,
  VideoImage,
  VideoCodec,
  VideoRequest,
  VideoSample,
} from '../../../src/media/video.ts'
import { shapeOf, usualSeconds, usualSize } from '../../../src/media/video-frame.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { readOperation } from './read-operation.ts'

/** How accounts that speak long-running video operations are asked. */
export const operationsCodec: VideoCodec = {
  async create(request, upstreamModel, tools) {
    const { prompt, reference, lastFrame, source } = request
    if (reference && source)
      tools.refuse(reference.field, 'a video is made of a picture or a video')
    const instance = {
      prompt,
      ...(reference && { image: await pictureOf(reference, tools) }),
      ...(lastFrame && { lastFrame: await pictureOf(lastFrame, tools) }),
      ...(source && { video: videoOf(source.sample, tools) }),
    }
    for (const field of request.further) tools.drop(field, 'video operations take none')
    return {
      method: 'POST',
      path: `/v1beta/models/${modelSegment(upstreamModel)}:predictLongRunning`,
      json: { instances: [instance], parameters: parametersOf(request, tools) },
    }
  },
  readCreated(json) {
    const upstreamId = stringAt(json, 'name')
    const state = readOperation(json)
    if (!upstreamId || !isName(upstreamId) || !state) return undefined
    const isWaiting = state.status === 'in_progress'
    return { upstreamId, state: isWaiting ? { ...state, status: 'queued' } : state }
  },
  status: (name) => ({ method: 'GET', path: `/v1beta/${name}` }),
  readStatus: readOperation,
  notReady: 400,
  content(_name, { variant }, sample) {
    if (!sample || variant !== 'video') return undefined
    if (sample.inline) return { inline: true }
    const { uri = '' } = sample
    const file = ownFile(uri)
    if (file === undefined) return { uri }
    const path = `/v1beta/files/${file}:download`
    return { call: { method: 'GET', path, query: 'alt=media' } }
  },
}

/**
 * The account's own file that a URI names, whatever host stands there: it is asked for on the account
 * itself, since the credential goes nowhere else. `undefined` for what lies in other places.
 */
function ownFile(uri: string): string | undefined {
  const { protocol = 'https:', pathname = uri } = URL.parse(uri) ?? {}
  const file = /^(?:\/?v\d\w*\/)?files\/([\w-]+)(?::download)?(?:\?.*)?$/.exec(pathname)?.[1]
  return /^https?:$/.test(protocol) ? file : undefined
}

async function pictureOf(picture: VideoImage, tools: EncodingTools) {
  const { bytes, mediaType } = await tools.bytesOf(picture)
  return { bytesBase64Encoded: bytes.toString('base64'), mimeType: mediaType }
}

function videoOf(sample: VideoSample | undefined, tools: EncodingTools) {
  const { uri, base64, mediaType = 'video/mp4' } = sample ?? {}
  if (uri !== undefined) return { uri, encoding: mediaType }
  if (base64 !== undefined) return { encodedVideo: base64, encoding: mediaType }
  return tools.refuse('video', 'the account does not tell where it has the video')
}

/** What clients of another dialect take for granted is said here, so that they get it. */
function parametersOf(request: VideoRequest, tools: EncodingTools) {
  const { samples, negativePrompt, seed, seconds = Number(usualSeconds), source } = request
  const frame = request.frame ?? { size: usualSize }
  const shape = shapeOf(frame) ?? tools.refuse('size', `no aspect ratio is known for ${frame.size}`)
  return {
    ...(!source && { durationSeconds: seconds, ...shape }),
    ...(samples !== undefined && { sampleCount: samples }),
    ...(negativePrompt !== undefined && { negativePrompt }),
    ...(seed !== undefined && { seed }),
  }
}

/** A slash in a model's name is part of the path. */
export function modelSegment(model: string): string {
  const name = encodeURIComponent(model.replace(/^models\//, ''))
  return name.replace(/%(?:2F|3A|40)/g, decodeURIComponent)
}

/** The name becomes part of a path: it must not climb, nor bring a query of its own. */
function isName(name: string): boolean {
  return name.split('/').every((segment) => /^(?!\.{1,2}$)[\w.~!$&'()*+,;=:@-]+$/.test(segment))
}
