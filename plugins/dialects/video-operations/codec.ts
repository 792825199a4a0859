import type {
  EncodingTools,
  VideoImage,
  VideoCodec,
  VideoRequest,
  VideoSample,
} from '../../../src/media/video.ts'
import { shapeOf, usualSeconds, usualSize } from '../../../src/media/video-frame.ts'
import { fillPath, isSegment } from '../../../src/kit/account-path.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { accountModelPath } from '../shared/google-paths.ts'
import { readOperation } from './read-operation.ts'

/** The codec for accounts of the Gemini API's long-running video operations. */
export const operationsCodec: VideoCodec = {
  async create(request, upstreamModel, tools) {
    const { prompt, reference, lastFrame, source } = request
    if (reference && source)
      tools.refuse(reference.field, 'a video is created from an image or a video, not both')
    const instance = {
      prompt,
      ...(reference && { image: await imageOf(reference, tools) }),
      ...(lastFrame && { lastFrame: await imageOf(lastFrame, tools) }),
      ...(source && { video: videoOf(source.sample, tools) }),
    }
    for (const field of request.further) tools.drop(field, 'video operations do not support it')
    return {
      method: 'POST',
      path: accountModelPath(upstreamModel, 'predictLongRunning'),
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
  status: (name) => ({ method: 'GET', path: fillPath('/v1beta/{name*}', { name }) }),
  readStatus: readOperation,
  notReady: 400,
  content(_name, { variant }, sample) {
    if (!sample || variant !== 'video') return undefined
    if (sample.inline) return { inline: true }
    const { uri = '' } = sample
    // The storage of the client that names it, for which the gateway has no credential.
    if (uri.startsWith('gs:')) return undefined
    const file = ownFile(uri)
    if (file === undefined) return { uri }
    const path = fillPath('/v1beta/files/{file}:download', { file })
    return { call: { method: 'GET', path, query: 'alt=media' } }
  },
}

/**
 * Returns the id of the account's file that a URI names, with any host: it is fetched from the
 * account's base URL, because the credential must not go elsewhere. `undefined` for other URIs.
 */
function ownFile(uri: string): string | undefined {
  const { protocol = 'https:', pathname = uri } = URL.parse(uri) ?? {}
  const file = /^(?:\/?v\d\w*\/)?files\/([\w-]+)(?::download)?(?:\?.*)?$/.exec(pathname)?.[1]
  return /^https?:$/.test(protocol) ? file : undefined
}

async function imageOf(image: VideoImage, tools: EncodingTools) {
  const { bytes, mediaType } = await tools.bytesOf(image)
  return { bytesBase64Encoded: bytes.toString('base64'), mimeType: mediaType }
}

function videoOf(sample: VideoSample | undefined, tools: EncodingTools) {
  const { uri, base64, mediaType = 'video/mp4' } = sample ?? {}
  if (uri !== undefined) return { uri, encoding: mediaType }
  if (base64 !== undefined) return { encodedVideo: base64, encoding: mediaType }
  return tools.refuse('video', 'the account did not report the location of the video')
}

/**
 * Encodes the parameters. Defaults of other dialects are explicit, so that their clients get them.
 */
function parametersOf(request: VideoRequest, tools: EncodingTools) {
  const { samples, negativePrompt, seed, seconds = Number(usualSeconds), source } = request
  const frame = request.frame ?? { size: usualSize }
  const shape =
    shapeOf(frame) ?? tools.refuse('size', `the size ${frame.size} has no known aspect ratio`)
  return {
    ...(!source && { durationSeconds: seconds, ...shape }),
    ...(samples !== undefined && { sampleCount: samples }),
    ...(negativePrompt !== undefined && { negativePrompt }),
    ...(seed !== undefined && { seed }),
  }
}

/** Whether the name of an account's operation is safe in a path. */
function isName(name: string): boolean {
  return name.split('/').every(isSegment)
}
