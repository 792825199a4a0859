import { imageSize } from 'image-size'

import { type ImageType, imageTypeOf } from '../../../src/lib/image-type.ts'
import type { ImageContent, ImageFacts } from '../../../src/media/image.ts'

/** Where the first chunk begins, after the signature. */
const firstChunk = 8

/** Its colour type, in IHDR. */
const colourTypeAt = 25

/** Grey and colour with an alpha channel. */
const withAlpha: readonly (number | undefined)[] = [4, 6]

/** Files with more chunks before their pixels are no pictures that anybody paints. */
const mostChunks = 1_000

/**
 * Whether pixels of a PNG can be transparent: by a channel of their own, or by a colour or palette
 * entry that stands for it (`tRNS`, which comes before the pixels).
 */
export async function hasAlpha(content: ImageContent): Promise<boolean> {
  const head = await content.read(0, colourTypeAt + 1)
  if (withAlpha.includes(head[colourTypeAt])) return true
  let at = firstChunk
  for (let index = 0; index < mostChunks; index++) {
    const chunk = await content.read(at, at + 8)
    if (chunk.length < 8) return false
    const type = chunk.toString('latin1', 4)
    if (type === 'tRNS') return true
    if (type === 'IDAT' || type === 'IEND') return false
    at += 12 + chunk.readUInt32BE(0)
  }
  return false
}

/** Most files tell their size at once; others have large profiles before it. */
const heads = [16 * 1024, 4 * 1024 * 1024]

/** What the bytes of an image show; `undefined` for what is no PNG, JPEG or WebP. */
export async function readImage(content: ImageContent): Promise<ImageFacts | undefined> {
  const type = imageTypeOf(await content.read(0, 16))
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
