import { FaultError } from '../../fault.ts'
import type { Form, FormFile } from '../../form/form.ts'
import { type JsonObject, isObject, listOf } from '../../json.ts'
import { type ImageHeader, readImageHeader } from '../../media/read-image-header.ts'
import { badRequest } from '../../problem.ts'
import { list, object, string } from '../../shape.ts'
import { imageUrl } from '../fields.ts'

/** An image in a request. */
export type Upload = {
  /** Its name in errors. */
  param: string
  /** The declared media type. */
  type: string
  /** In bytes. */
  size: number
  /** The header of its content; undefined if that is no image. */
  header: ImageHeader | undefined
}

/** The images of a request in their order, and its mask. */
export type Uploads = {
  images: Upload[]
  mask: Upload | undefined
  /** The number of images behind addresses and ids, which the sandbox does not read. */
  remote: number
}

const maxImages = 16

/** Reads the images of a form, under every name that OpenAI accepts. */
export function uploadsOfForm(form: Form): Uploads {
  const text = form.fields.find(({ name }) => isImageName(name) || name === 'mask')
  if (text) throw notAFile(text.name.startsWith('image') ? 'image' : 'mask')
  const other = form.files.find(({ name }) => !isImageName(name) && name !== 'mask')
  if (other) throw new FaultError({ kind: 'unknown', path: [other.name] })

  const files = form.files.filter(({ name }) => isImageName(name))
  const ordered = files.toSorted((one, other) => placeOf(one) - placeOf(other))
  const images = ordered.map((file, index) =>
    uploadOfFile(file, ordered.length === 1 ? 'image' : `image[${index}]`),
  )
  const mask = form.files.find(({ name }) => name === 'mask')
  refuseCount(images.length, 'image')
  return { images, mask: mask && uploadOfFile(mask, 'mask'), remote: 0 }
}

// `image`, `image[]`, `image[0]`, `image.0` and the same with `images`.
function isImageName(name: string): boolean {
  return /^images?(?:\[\d*\]|\.\d+)?$/.test(name)
}

// Parts without a number come last, in the order of the form.
function placeOf({ name }: FormFile): number {
  const [digits] = /\d+/.exec(name) ?? []
  return digits === undefined ? Number.MAX_SAFE_INTEGER : Number(digits)
}

function uploadOfFile({ type, size, head }: FormFile, param: string): Upload {
  return { param, type: type ?? '', size, header: readImageHeader(head) }
}

const reference = object({ omittable: { image_url: imageUrl, file_id: string({ min: 1 }) } })

/** Reads the images of a JSON body: addresses, data URLs and ids of files. */
export function uploadsOfJson(body: JsonObject): Uploads {
  if (body['images'] === undefined) throw new FaultError({ kind: 'missing', path: ['images'] })
  list(reference)(body['images'], ['images'])
  const references = listOf(body['images'])
  refuseCount(references.length, 'images')
  if (body['mask'] !== undefined) reference(body['mask'], ['mask'])

  const images = references.map((one, index) => uploadOfReference(one, `images[${index}]`))
  const mask = body['mask'] === undefined ? undefined : uploadOfReference(body['mask'], 'mask')
  const inline = images.filter((image) => image !== undefined)
  return { images: inline, mask, remote: images.length - inline.length }
}

function uploadOfReference(value: unknown, param: string): Upload | undefined {
  const { image_url: url, file_id: id } = isObject(value) ? value : {}
  if ((url === undefined) === (id === undefined))
    throw badRequest(`Exactly one of 'image_url' and 'file_id' is needed.`, param)
  const [, type, data] = /^data:([^;,]+);base64,(.*)$/s.exec(String(url)) ?? []
  if (type === undefined || data === undefined) return undefined
  const bytes = Buffer.from(data, 'base64')
  return { param, type, size: bytes.length, header: readImageHeader(bytes) }
}

function refuseCount(count: number, param: string): void {
  if (count === 0) throw new FaultError({ kind: 'missing', path: [param] })
  if (count <= maxImages) return
  const bounds = { bound: 'max', limit: maxImages, actual: count } as const
  throw new FaultError({ kind: 'limit', path: [param], of: 'items', ...bounds })
}

function notAFile(param: string): Error {
  return badRequest(
    `Invalid type for '${param}': expected one of an array of files or file, but got a string ` +
      'instead.',
    param,
    'invalid_type',
  )
}
