import type { VideoImage } from '../../../src/media/video.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'

type Json = Readonly<Record<string, unknown>>

/** Members that locate a picture (docs/wire/gemini.md 2.1); `inlineData` is read beside them. */
export const imagePlaces = ['bytesBase64Encoded', 'gcsUri', 'uri']

/** Members that locate a video. */
export const videoPlaces = ['uri', 'gcsUri', 'encodedVideo', 'bytesBase64Encoded']

/** Whether a medium says where it is. */
export function hasPlace(medium: Json, places: readonly string[]): boolean {
  const inline = stringAt(objectAt(medium, 'inlineData'), 'data')
  return [inline, ...places.map((name) => stringAt(medium, name))].some((one) => one?.trim())
}

/** Returns a picture of a checked instance, for accounts of another dialect. `at` is its path. */
export function imageIn(instance: Json, name: string, at: string): VideoImage | undefined {
  const image = objectAt(instance, name)
  if (!image) return undefined
  const field = `${at}.${name}`
  const inline = objectAt(image, 'inlineData')
  const base64 = stringAt(image, 'bytesBase64Encoded') || stringAt(inline, 'data')
  if (base64) {
    return {
      kind: 'bytes',
      field,
      mediaType: stringAt(image, 'mimeType') ?? stringAt(inline, 'mimeType'),
      read: async () => Buffer.from(base64, 'base64'),
    }
  }
  const url = stringAt(image, 'gcsUri') || stringAt(image, 'uri') || ''
  return url.startsWith('gs:') ? { kind: 'file', field, id: url } : { kind: 'url', field, url }
}
