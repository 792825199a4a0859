import { imageSize } from 'image-size'

import type { ImageContent, ImageFacts, ImageType } from '../../../src/media/image.ts'
import { pictureTypeOf } from '../../../src/media/picture-type.ts'
import { hasAlpha } from './png.ts'

/** Most files tell their size at once; others have large profiles before it. */
const heads = [16 * 1024, 4 * 1024 * 1024]

/** What the bytes of an image show; `undefined` for what is no PNG, JPEG or WebP. */
export async function readImage(content: ImageContent): Promise<ImageFacts | undefined> {
  const type = pictureTypeOf(await content.read(0, 16))
  if (!type) return undefined
  const size = await sizeIn(content, type)
  if (!size) return undefined
  return { type, ...size, hasAlpha: type === 'image/png' ? await hasAlpha(content) : undefined }
}

async function sizeIn(
  content: ImageContent,
  type: ImageType,
): Promise<{ width: number; height: number } | undefined> {
  for (const length of heads) {
    const size = measure(await content.read(0, length), type)
    if (size) return size
    if (content.size <= length) return undefined
  }
  return undefined
}

/** The library takes some garbage for images: only what it was told by their first bytes counts. */
export function measure(
  head: Buffer,
  type: ImageType,
): { width: number; height: number } | undefined {
  try {
    // In memory of its own: beyond the end of a view the library reads on in what lies there.
    const { width, height, type: found } = imageSize(new Uint8Array(head))
    const isWhole = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0
    return isWhole && names[type] === found ? { width, height } : undefined
  } catch {
    return undefined
  }
}

const names: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
}
