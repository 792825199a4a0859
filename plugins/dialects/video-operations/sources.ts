import { wrong } from '../../../src/kit/checks.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { VideoSource } from '../../../src/media/video.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { parseFileId } from './names.ts'
import { instancesIn } from './request.ts'

/** One of the videos that this gateway has handed out. */
export interface NamedVideo {
  /** Of its job. */
  readonly id: string
  readonly index: number
}

/**
 * The video that a request goes on from, by the URI that clients were told: `uri` in developer mode,
 * `gcsUri` in enterprise mode (docs/wire/gemini.md 2.1). Throws `GatewayError` 400 beyond the first
 * instance: videos of several accounts cannot be asked for at once.
 */
export function sourceIn(json: JsonObject): NamedVideo | undefined {
  const [first, ...others] = instancesIn(json).map(namedVideo)
  const other = others.findIndex((one) => one !== undefined)
  if (other >= 0) throw wrong(`instances[${other + 1}].video`, 'none of this gateway’s videos')
  return first
}

function namedVideo(instance: unknown): NamedVideo | undefined {
  const video = objectAt(instance, 'video')
  for (const uri of [stringAt(video, 'uri'), stringAt(video, 'gcsUri')]) {
    const [, file] = /(?:^|\/)files\/([0-9a-z]+)/.exec(uri ?? '') ?? []
    const named = file === undefined ? undefined : parseFileId(file)
    if (named) return named
  }
  return undefined
}

/** The request with its source as the account calls it, whichever field the client has for it. */
export function withSource(json: JsonObject, source: VideoSource): JsonObject {
  const [first, ...others] = instancesIn(json)
  const instance = { ...(first as JsonObject), video: videoOf(first, source) }
  return { ...json, instances: [instance, ...others] }
}

/** Accounts look for their buckets' places in one field, and for all other places in another one. */
function videoOf(instance: unknown, { sample = {} }: VideoSource): JsonObject {
  const { uri: _, gcsUri: __, mimeType, encoding, ...rest } = objectAt(instance, 'video') ?? {}
  const type = sample.mediaType ?? encoding ?? mimeType ?? 'video/mp4'
  if (sample.uri === undefined) return { ...rest, encodedVideo: sample.base64, encoding: type }
  if (sample.uri.startsWith('gs:')) return { ...rest, gcsUri: sample.uri, mimeType: type }
  return { ...rest, uri: sample.uri, encoding: type }
}
