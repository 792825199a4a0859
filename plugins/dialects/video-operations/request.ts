import { checkArray, requireField } from '../../../src/kit/checks.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import { type VideoFrame, type VideoRequest, mostVideos } from '../../../src/media/video.ts'
import { numberAt, objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { checkInstance } from './check-instance.ts'
import { checkParameters, readParameters } from './check-parameters.ts'
import { imageIn } from './image-source.ts'

type Json = Readonly<Record<string, unknown>>

/**
 * Validates a request, every instance of it (docs/wire/contract.md 7); unknown members pass. Throws
 * `GatewayError` 400.
 */
export function checkRequest(json: Json): void {
  requireField(json, 'instances')
  const instances = instancesIn(json)
  checkArray(json, 'instances', 1, mostVideos)
  for (const [index, instance] of instances.entries()) checkInstance(instance, index)
  checkParameters(json, instances.length)
}

/** The path of the first instance in errors. */
const first = 'instances[0]'

/** Returns the first instance, which is usually the only one. */
function instanceIn(json: Json): Json {
  return (instancesIn(json)[0] ?? {}) as Json
}

/** Returns all instances. */
export function instancesIn({ instances }: Json): readonly unknown[] {
  return Array.isArray(instances) ? instances : []
}

const knownNames = new Set(['instances', 'parameters'])
const knownInstance = new Set(['prompt', 'image', 'lastFrame', 'video'])
const knownParameters = new Set<string>(readParameters)

/** Decodes a checked request for accounts of another dialect. */
export function readVideoOperation({ json }: Pick<RequestBody, 'json'>): VideoRequest {
  const instance = instanceIn(json)
  const parameters = objectAt(json, 'parameters') ?? {}
  const frame = frameIn(parameters)
  const seconds = numberAt(parameters, 'durationSeconds')
  const samples = numberAt(parameters, 'sampleCount')
  const negativePrompt = stringAt(parameters, 'negativePrompt')
  const seed = numberAt(parameters, 'seed')
  const reference = imageIn(instance, 'image', first)
  const lastFrame = imageIn(instance, 'lastFrame', first)
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

function namesIn(object: Json, known: ReadonlySet<string>, prefix: string): string[] {
  return Object.keys(object)
    .filter((name) => !known.has(name) && (object[name] ?? undefined) !== undefined)
    .map((name) => prefix + name)
}
