import type { RequestBody } from '../../../src/contract/body.ts'
import { checkArray, checkObject, requireField, wrong } from '../../../src/kit/checks.ts'
import type { VideoImage, VideoFrame, VideoRequest } from '../../../src/media/video.ts'
import { numberAt, objectAt, stringAt } from '../../../src/lib/json/read.ts'

type Json = Readonly<Record<string, unknown>>

/** Validates a request (docs/wire/contract.md); unknown members pass. Throws `GatewayError` 400. */
export function checkRequest(json: Json): void {
  requireField(json, 'instances')
  checkArray(json, 'instances', 1)
  checkObject(json, 'parameters')
  const instance = instanceIn(json)
  if (!instance) throw wrong(first, 'an object')
  const { prompt } = instance
  if (prompt !== undefined && typeof prompt !== 'string') throw wrong(`${first}.prompt`, 'a string')
  const { durationSeconds, sampleCount } = parametersIn(json)
  checkWhole('parameters.durationSeconds', durationSeconds)
  checkWhole('parameters.sampleCount', sampleCount)
}

function checkWhole(name: string, value: unknown): void {
  const isWhole = Number.isInteger(value) && (value as number) > 0
  if ((value ?? undefined) !== undefined && !isWhole) throw wrong(name, 'a whole number above 0')
}

/** The path of the first instance in errors. */
const first = 'instances[0]'

/** Returns the first instance, which is usually the only one. */
function instanceIn(json: Json): Json | undefined {
  const [instance] = instancesIn(json)
  return typeof instance === 'object' && instance !== null ? (instance as Json) : undefined
}

/** Returns all instances, unvalidated. */
export function instancesIn({ instances }: Json): readonly unknown[] {
  return Array.isArray(instances) ? instances : []
}

function parametersIn(json: Json): Json {
  return objectAt(json, 'parameters') ?? {}
}

const knownNames = new Set(['instances', 'parameters'])
const knownInstance = new Set(['prompt', 'image', 'lastFrame', 'video'])
const knownParameters = new Set([
  'aspectRatio',
  'resolution',
  'durationSeconds',
  'sampleCount',
  'negativePrompt',
  'seed',
])

/** Decodes a request for accounts of another dialect. */
export function readVideoOperation({ json }: Pick<RequestBody, 'json'>): VideoRequest {
  const instance = instanceIn(json) ?? {}
  const parameters = parametersIn(json)
  const frame = frameIn(parameters)
  const seconds = numberAt(parameters, 'durationSeconds')
  const samples = numberAt(parameters, 'sampleCount')
  const negativePrompt = stringAt(parameters, 'negativePrompt')
  const seed = numberAt(parameters, 'seed')
  const reference = imageIn(instance, 'image')
  const lastFrame = imageIn(instance, 'lastFrame')
  return {
    prompt: stringAt(instance, 'prompt') ?? '',
    ...(frame && { frame }),
    ...(seconds !== undefined && { seconds }),
    ...(samples !== undefined && { samples }),
    instances: instancesIn(json).length,
    ...(negativePrompt !== undefined && { negativePrompt }),
    ...(seed !== undefined && { seed }),
    ...(reference && { reference }),
    ...(lastFrame && { lastFrame }),
    ...(objectAt(instance, 'video') && { foreignSource: true }),
    further: [
      ...namesIn(json, knownNames, ''),
      ...namesIn(instance, knownInstance, `${first}.`),
      ...namesIn(parameters, knownParameters, 'parameters.'),
    ],
  }
}

function frameIn(parameters: Json): VideoFrame | undefined {
  const aspectRatio = stringAt(parameters, 'aspectRatio')
  const resolution = stringAt(parameters, 'resolution')
  if (aspectRatio === undefined && resolution === undefined) return undefined
  return {
    ...(aspectRatio !== undefined && { aspectRatio }),
    ...(resolution !== undefined && { resolution }),
  }
}

function imageIn(instance: Json, name: string): VideoImage | undefined {
  const image = objectAt(instance, name)
  if (!image) return undefined
  const field = `${first}.${name}`
  const base64 = stringAt(image, 'bytesBase64Encoded')
  if (base64 !== undefined) {
    const mediaType = stringAt(image, 'mimeType')
    return {
      kind: 'bytes',
      field,
      mediaType,
      read: async () => Buffer.from(base64, 'base64'),
    }
  }
  const url = stringAt(image, 'gcsUri') ?? stringAt(image, 'uri')
  if (url === undefined) throw wrong(field, 'an image with `bytesBase64Encoded` or `gcsUri`')
  return url.startsWith('gs:') ? { kind: 'file', field, id: url } : { kind: 'url', field, url }
}

function namesIn(object: Json, known: ReadonlySet<string>, prefix: string): string[] {
  return Object.keys(object)
    .filter((name) => !known.has(name) && (object[name] ?? undefined) !== undefined)
    .map((name) => prefix + name)
}
