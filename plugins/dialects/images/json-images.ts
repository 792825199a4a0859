import { isPresent, wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Caller } from '../../../src/contract/request.ts'
import type { Files } from '../../../src/contract/files.ts'
import { readDataUrl } from '../../../src/generate/data-url.ts'
import { hasScheme } from '../../../src/lib/has-scheme.ts'
import { checkCount } from './check-images.ts'
import { contentOfBase64, contentOfUpload } from './content.ts'
import type { InputImage, InputImages } from './input-images.ts'
import type { Values } from './values.ts'
import { isObject } from '../../../src/lib/json/object.ts'

/** Fields with input images; accounts only accept `images`. */
export const imageFields = ['image', 'images'] as const

/**
 * Returns the input images of a JSON body: `{image_url}`, `{file_id}`, or a plain URL or path. Throws
 * `GatewayError`.
 */
export async function imagesOfJson(
  json: Values,
  files: Files,
  caller: Caller,
): Promise<InputImages> {
  const present = imageFields.filter((name) => isPresent(json, name))
  const [field, second] = present
  if (second) {
    throw new GatewayError('duplicate_parameter', 'Send either `image` or `images`.', {
      param: second,
    })
  }
  const values = field ? [json[field]].flat() : []
  checkCount(values.length)
  const images: InputImage[] = []
  for (const [index, value] of values.entries()) {
    images.push(
      await readImageValue(value, Array.isArray(json[field!]) ? `${field}[${index}]` : field!),
    )
  }
  const mask = isPresent(json, 'mask') ? await readImageValue(json['mask'], 'mask') : undefined
  return { images, mask }

  async function readImageValue(value: unknown, param: string): Promise<InputImage> {
    const url = urlIn(value, param)
    if (url === undefined) return { param, place: { kind: 'elsewhere', value } }
    if (files.owns(url)) {
      const content = await contentOfUpload(files, { path: url, field: param }, caller)
      return { param, place: { kind: 'upload', path: url, content } }
    }
    const data = readDataUrl(url)
    if (!data) return { param, place: { kind: 'elsewhere', value: { image_url: url } } }
    const { base64 } = data
    return { param, place: { kind: 'data', base64, content: contentOfBase64(base64) } }
  }
}

const requirement = 'a URL or the path of an upload, or have either `image_url` or `file_id`'

/** Returns the URL of an image; `undefined` for a file id. Throws `GatewayError` 400. */
function urlIn(value: unknown, param: string): string | undefined {
  const { image_url: url, file_id: id } = membersOf(value)
  const [place, ...others] = [url, id].filter((one) => (one ?? undefined) !== undefined)
  if (typeof place !== 'string' || place.trim() === '' || others.length > 0) {
    throw wrong(param, requirement)
  }
  if (place !== url) return undefined
  if (!hasScheme(place)) throw wrong(param, requirement)
  return place
}

function membersOf(value: unknown): { image_url?: unknown; file_id?: unknown } {
  if (typeof value === 'string') return { image_url: value }
  return isObject(value) ? value : {}
}
