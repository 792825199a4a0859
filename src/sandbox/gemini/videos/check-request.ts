import { type Path, ruleFault } from '../../fault.ts'
import { type JsonObject, objectOf, textOf } from '../../json.ts'
import { readImageHeader } from '../../media/read-image-header.ts'
import {
  type Members,
  type Shape,
  anything,
  boolean,
  choice,
  dictionary,
  integer,
  list,
  object,
  string,
} from '../../shape.ts'

const base64 = string({ pattern: /^[A-Za-z0-9+/_-]+={0,2}$/ })
const bucketUri = string({ pattern: /^gs:\/\// })

const image = object({ required: { bytesBase64Encoded: base64, mimeType: string({ min: 1 }) } })
const imageInBucket = object({ required: { gcsUri: bucketUri, mimeType: string({ min: 1 }) } })

function eitherImage(value: unknown, path: Path): void {
  const shape = objectOf(value)['gcsUri'] === undefined ? image : imageInBucket
  shape(value, path)
}

const developerVideo = object({
  omittable: { uri: string(), encodedVideo: base64, encoding: string() },
})
const cloudVideo = object({
  omittable: { gcsUri: bucketUri, bytesBase64Encoded: base64, mimeType: string() },
})

const cloudMask = object({
  required: { mimeType: string() },
  omittable: {
    bytesBase64Encoded: base64,
    gcsUri: bucketUri,
    maskMode: choice('INSERT', 'REMOVE', 'REMOVE_STATIC', 'OUTPAINT'),
  },
})

const parameters: Members = {
  sampleCount: integer({ min: 1, max: 4 }),
  durationSeconds: integer({ min: 4, max: 8 }),
  aspectRatio: choice('16:9', '9:16'),
  resolution: choice('720p', '1080p', '4k'),
  personGeneration: choice('allow_all', 'allow_adult', 'dont_allow', 'ALLOW_ALL', 'ALLOW_ADULT'),
  negativePrompt: string(),
  enhancePrompt: boolean,
  seed: integer({ min: 0, max: 4_294_967_295 }),
}

const cloudParameters: Members = {
  ...parameters,
  storageUri: bucketUri,
  fps: integer({ min: 1 }),
  pubsubTopic: string(),
  generateAudio: boolean,
  compressionQuality: choice('OPTIMIZED', 'LOSSLESS'),
  resizeMode: choice('CROP', 'PAD'),
}

const developerRequest = requestOf(image, { video: developerVideo }, parameters, {
  webhookConfig: anything,
})

const cloudRequest = requestOf(
  eitherImage,
  { video: cloudVideo, mask: cloudMask },
  cloudParameters,
  { labels: dictionary(string()) },
)

function requestOf(picture: Shape, sources: Members, settings: Members, rest: Members): Shape {
  const references = object({
    required: { image: picture, referenceType: choice('ASSET', 'STYLE', 'asset', 'style') },
  })
  const instance = object({
    omittable: {
      prompt: string({ min: 1 }),
      image: picture,
      lastFrame: picture,
      referenceImages: list(references, { min: 1, max: 3 }),
      ...sources,
    },
  })
  return object({
    required: { instances: list(instance, { min: 1, max: 1 }) },
    omittable: { parameters: object({ optional: settings }), ...rest },
  })
}

/** Throws unless Google accepts this body for a video: the developer API, or Google Cloud. */
export function checkPredictRequest(
  body: JsonObject,
  isCloud: boolean,
  instance: JsonObject,
): void {
  const shape = isCloud ? cloudRequest : developerRequest
  shape(body, [])
  const at: Path = ['instances', 0]
  const sources = ['prompt', 'image', 'video']
  if (sources.every((name) => instance[name] === undefined))
    throw ruleFault([...at, 'prompt'], 'The prompt is required: text, an image or a video.')
  if (instance['lastFrame'] !== undefined && instance['image'] === undefined)
    throw ruleFault([...at, 'lastFrame'], '`lastFrame` needs an `image` to begin with.')
  for (const name of ['image', 'lastFrame']) checkImage(objectOf(instance[name]), [...at, name])
}

function checkImage({ bytesBase64Encoded, mimeType }: JsonObject, path: Path): void {
  if (bytesBase64Encoded === undefined) return
  const header = readImageHeader(Buffer.from(textOf(bytesBase64Encoded), 'base64'))
  if (!header || header.type !== mimeType)
    throw ruleFault(path, `Unable to process the input image: it is no ${textOf(mimeType)}.`)
}
