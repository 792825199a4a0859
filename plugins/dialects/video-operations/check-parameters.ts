import { checkInteger, checkObject, checkString, wrong } from '../../../src/kit/checks.ts'
import { objectAt } from '../../../src/lib/json/read.ts'
import { maxSeconds } from '../../../src/media/video-frame.ts'
import { mostVideos } from '../../../src/media/video.ts'

type Json = Readonly<Record<string, unknown>>

/** The parameters that the gateway reads. */
export const readParameters = [
  'aspectRatio',
  'resolution',
  'durationSeconds',
  'sampleCount',
  'negativePrompt',
  'seed',
] as const

/** Their paths, which errors name. */
const [aspectRatio, resolution, durationSeconds, sampleCount, negativePrompt, seed] =
  readParameters.map((name) => `parameters.${name}`) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]

/**
 * Validates the parameters of a request with so many instances. All of them change the video that the
 * account bills. Throws `GatewayError` 400.
 */
export function checkParameters(json: Json, instances: number): void {
  checkObject(json, 'parameters')
  const values = byPath(objectAt(json, 'parameters') ?? {})
  checkAspectRatio(values)
  checkNotBlank(values, resolution)
  checkInteger(values, durationSeconds, 1, maxSeconds)
  checkInteger(values, sampleCount, 1, Math.floor(mostVideos / instances))
  checkString(values, negativePrompt)
  checkInteger(values, seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}

function byPath(parameters: Json): Json {
  return Object.fromEntries(readParameters.map((name) => [`parameters.${name}`, parameters[name]]))
}

function checkAspectRatio(values: Json): void {
  const value = values[aspectRatio] ?? undefined
  const isRatio = typeof value === 'string' && /^[1-9]\d{0,4}:[1-9]\d{0,4}$/.test(value)
  if (value !== undefined && !isRatio) throw wrong(aspectRatio, 'WIDTH:HEIGHT, such as 16:9')
}

function checkNotBlank(values: Json, name: string): void {
  checkString(values, name)
  const value = values[name]
  if (typeof value === 'string' && value.trim() === '') throw wrong(name, 'a non-empty string')
}
