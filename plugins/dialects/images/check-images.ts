import { wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { type ImageType, imageTypeOf } from '../../../src/lib/image-type.ts'
import type { ImageContent, ImageFacts } from '../../../src/media/image.ts'
import type { ChosenModel } from './models.ts'
import type { CheckedImage, InputImage, InputImages } from './input-images.ts'
import { sizeOfContent } from './image-size.ts'

const megabyte = 1024 * 1024

const maxImages = 16

const newerTypes: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/webp']

/**
 * Checks the limits of images and mask by their bytes (docs/wire/contract.md 6). Remote images are
 * not checked; the account fetches them. Throws `GatewayError` 400.
 */
export async function checkImages(
  { images, mask }: InputImages,
  { kind }: ChosenModel,
): Promise<InputImages<CheckedImage>> {
  if (images.length === 0) {
    throw new GatewayError('missing_required_parameter', '`image` is required.', { param: 'image' })
  }
  const isLegacy = kind === 'legacy'
  if (isLegacy && images.length > 1) throw wrong('image', 'one file with the legacy image model')
  const checked: CheckedImage[] = []
  for (const image of images) {
    checked.push(await checkImage(image, isLegacy ? ['image/png'] : newerTypes, isLegacy ? 4 : 50))
  }
  const checkedMask = mask && (await checkImage(mask, ['image/png'], 4))
  const first = checked[0] as CheckedImage
  if (isLegacy) checkLegacy(first, mask !== undefined)
  if (checkedMask) checkMask(checkedMask, first)
  return { images: checked, mask: checkedMask }
}

/** Checks the number of input images. Throws `GatewayError` 400. */
export function checkCount(images: number): void {
  if (images > maxImages) throw wrong('image', `at most ${maxImages} files`)
}

async function checkImage(
  image: InputImage,
  types: readonly ImageType[],
  megabytes: number,
): Promise<CheckedImage> {
  const { param, place } = image
  if (place.kind === 'elsewhere') return { ...image, facts: undefined }
  const { content } = place
  if (content.size >= megabytes * megabyte) throw wrong(param, `smaller than ${megabytes} MB`)
  const facts = await readImageFacts(content)
  if (facts && types.includes(facts.type)) return { ...image, facts }
  throw wrong(param, `a ${types.map((type) => nameOf(type)).join(', ')} image`)
}

function checkLegacy({ param, facts }: CheckedImage, hasMask: boolean): void {
  if (!facts) return
  if (facts.width !== facts.height) {
    throw wrong(param, `square with the legacy image model, but is ${dimensionsOf(facts)}`)
  }
  if (!hasMask && !facts.hasAlpha) {
    throw wrong(param, 'a PNG with an alpha channel unless `mask` is sent')
  }
}

function checkMask({ facts }: CheckedImage, image: CheckedImage): void {
  if (!facts) return
  if (!facts.hasAlpha) throw wrong('mask', 'a PNG with an alpha channel')
  const imageFacts = image.facts
  if (!imageFacts || dimensionsOf(imageFacts) === dimensionsOf(facts)) return
  const sizes = `${dimensionsOf(imageFacts)}, but is ${dimensionsOf(facts)}`
  throw wrong('mask', `as large as the first image, ${sizes}`)
}

function dimensionsOf({ width, height }: ImageFacts): string {
  return `${width}x${height}`
}

function nameOf(type: ImageType): string {
  return { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' }[type]
}

/** Offset of the first PNG chunk, after the signature. */
const firstChunk = 8

/** Offset of the colour type in IHDR. */
const colourTypeAt = 25

/** Colour types with an alpha channel: grey and RGB. */
const withAlpha: readonly (number | undefined)[] = [4, 6]

/** Maximum number of chunks searched before the pixels. */
const maxChunks = 1_000

/**
 * Whether a PNG can have transparent pixels: by an alpha channel, or by a `tRNS` chunk, which
 * precedes the pixels.
 */
async function hasAlpha(content: ImageContent): Promise<boolean> {
  const head = await content.read(0, colourTypeAt + 1)
  if (withAlpha.includes(head[colourTypeAt])) return true
  let at = firstChunk
  for (let index = 0; index < maxChunks; index++) {
    const chunk = await content.read(at, at + 8)
    if (chunk.length < 8) return false
    const type = chunk.toString('latin1', 4)
    if (type === 'tRNS') return true
    if (type === 'IDAT' || type === 'IEND') return false
    at += 12 + chunk.readUInt32BE(0)
  }
  return false
}

/** Reads type, size and transparency of an image; `undefined` if it is no PNG, JPEG or WebP. */
export async function readImageFacts(content: ImageContent): Promise<ImageFacts | undefined> {
  const type = imageTypeOf(await content.read(0, 16))
  if (!type) return undefined
  const size = await sizeOfContent(content, type)
  if (!size) return undefined
  return { type, ...size, hasAlpha: type === 'image/png' ? await hasAlpha(content) : undefined }
}
