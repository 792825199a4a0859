import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { ImagePart } from '../../../../src/generate/content.ts'
import { canonicalType } from '../../../../src/lib/media-type.ts'
import { stringAt } from '../../../../src/lib/json/read.ts'

/** Returns the image of an `image_generation_call` item; `undefined` if it has no result yet. */
export function imageOf(item: JsonObject): ImagePart | undefined {
  const base64 = stringAt(item, 'result')
  if (!base64) return undefined
  const mediaType = canonicalType(`image/${stringAt(item, 'output_format') ?? 'png'}`)
  return { type: 'image', source: { kind: 'data', base64 }, mediaType }
}

/** Returns an image as an `image_generation_call` item. */
export function imageItem(id: string, mediaType: string, base64: string): JsonObject {
  const format = mediaType.slice(mediaType.indexOf('/') + 1)
  const status = 'completed'
  return { id, type: 'image_generation_call', status, result: base64, output_format: format }
}
