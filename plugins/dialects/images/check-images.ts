import { wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { ImageType } from '../../../src/lib/image-type.ts'
import type { ImageFacts } from '../../../src/media/image.ts'
import type { ChosenModel } from './models.ts'
import type { CheckedImage, InputImage, InputImages } from './input-images.ts'
import { readImage } from './read-image.ts'

const megabyte = 1024 * 1024

const mostImages = 16

const newerTypes: readonly ImageType[] = ['image/png', 'image/jpeg', 'image/webp']

/**
 * The limits of images and mask, by what their bytes show (docs/wire/contract.md 6). What is
 * elsewhere is left to the account that fetches it. Throws `GatewayError` 400.
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
    checked.push(await look(image, isLegacy ? ['image/png'] : newerTypes, isLegacy ? 4 : 50))
  }
  const checkedMask = mask && (await look(mask, ['image/png'], 4))
  const first = checked[0] as CheckedImage
  if (isLegacy) checkLegacy(first, mask !== undefined)
  if (checkedMask) checkMask(checkedMask, first)
  return { images: checked, mask: checkedMask }
}

/** Before any of them is opened. */
export function checkCount(images: number): void {
  if (images > mostImages) throw wrong('image', `at most ${mostImages} files`)
}

async function look(
  picture: InputImage,
  types: readonly ImageType[],
  megabytes: number,
): Promise<CheckedImage> {
  const { param, place } = picture
  if (place.kind === 'elsewhere') return { ...picture, facts: undefined }
  const { content } = place
  if (content.size >= megabytes * megabyte) throw wrong(param, `smaller than ${megabytes} MB`)
  const facts = await readImage(content)
  if (facts && types.includes(facts.type)) return { ...picture, facts }
  throw wrong(param, `a ${types.map((type) => nameOf(type)).join(', ')} image, by its bytes`)
}

function checkLegacy({ param, facts }: CheckedImage, hasMask: boolean): void {
  if (!facts) return
  if (facts.width !== facts.height) {
    throw wrong(param, `square with the legacy image model, and is ${dimensionsOf(facts)}`)
  }
  if (!hasMask && !facts.hasAlpha) {
    throw wrong(param, 'a PNG with an alpha channel where there is no `mask`')
  }
}

function checkMask({ facts }: CheckedImage, image: CheckedImage): void {
  if (!facts) return
  if (!facts.hasAlpha) throw wrong('mask', 'a PNG with an alpha channel')
  const pictured = image.facts
  if (!pictured || dimensionsOf(pictured) === dimensionsOf(facts)) return
  const sizes = `${dimensionsOf(pictured)}, and is ${dimensionsOf(facts)}`
  throw wrong('mask', `as large as the first image, ${sizes}`)
}

function dimensionsOf({ width, height }: ImageFacts): string {
  return `${width}x${height}`
}

function nameOf(type: ImageType): string {
  return { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' }[type]
}
