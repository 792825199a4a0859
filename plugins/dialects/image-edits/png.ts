import type { ImageContent } from '../../../src/media/image.ts'

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
