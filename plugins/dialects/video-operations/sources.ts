import { wrong } from '../../../src/kit/checks.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { VideoSource } from '../../../src/media/video.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { parseFileId } from './names.ts'
import { instancesIn } from './request.ts'

/** A reference to a video of this gateway. */
interface VideoReference {
  /** The job's id. */
  readonly id: string
  readonly index: number
}

/**
 * Returns the video that a request continues, identified by the gateway's URI in `uri` (developer
 * mode) or `gcsUri` (enterprise mode, docs/wire/gemini.md 2.1). Throws `GatewayError` 400 for such
 * a video in another instance than the first, because the instances' accounts may differ.
 */
export function sourceIn(json: JsonObject): VideoReference | undefined {
  const [first, ...others] = instancesIn(json).map(referenceOf)
  const other = others.findIndex((one) => one !== undefined)
  if (other >= 0) throw wrong(`instances[${other + 1}].video`, 'no video of this gateway')
  return first
}

function referenceOf(instance: unknown): VideoReference | undefined {
  const video = objectAt(instance, 'video')
  for (const uri of [stringAt(video, 'uri'), stringAt(video, 'gcsUri')]) {
    const [, file] = /(?:^|\/)files\/([0-9a-z]+)/.exec(uri ?? '') ?? []
    const reference = file === undefined ? undefined : parseFileId(file)
    if (reference) return reference
  }
  return undefined
}

/** Returns the request with the account's own reference to the source video. */
export function withSource(json: JsonObject, source: VideoSource): JsonObject {
  const [first, ...others] = instancesIn(json)
  const instance = { ...(first as JsonObject), video: videoOf(first, source) }
  return { ...json, instances: [instance, ...others] }
}

/** Accounts read `gs:` URIs from `gcsUri`, and all others from `uri`. */
function videoOf(instance: unknown, { sample = {} }: VideoSource): JsonObject {
  const { uri: _, gcsUri: __, mimeType, encoding, ...rest } = objectAt(instance, 'video') ?? {}
  const type = sample.mediaType ?? encoding ?? mimeType ?? 'video/mp4'
  if (sample.uri === undefined) return { ...rest, encodedVideo: sample.base64, encoding: type }
  if (sample.uri.startsWith('gs:')) return { ...rest, gcsUri: sample.uri, mimeType: type }
  return { ...rest, uri: sample.uri, encoding: type }
}
