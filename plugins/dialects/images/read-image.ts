import { imageTypeOf } from '../../../src/lib/image-type.ts'
import type { ImageContent, ImageFacts } from '../../../src/media/image.ts'
import { sizeOfContent } from './image-size.ts'

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
