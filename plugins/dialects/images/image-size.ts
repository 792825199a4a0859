import type { ImageType } from '../../../src/lib/image-type.ts'
import type { ImageContent } from '../../../src/media/image.ts'

/** The width and height of an image, in pixels. */
interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The bytes that contain the size of a PNG or a WebP image, and the head of a segment of a JPEG. */
const headBytes = 32

/** Maximum number of JPEG segments before the size. Real files have less than a hundred. */
const maxSegments = 1_000

/**
 * Returns the size of an image; `undefined` if the content is not an image of a known type. It reads only the few
 * bytes that it needs, so that large images cost as little as small ones.
 */
export async function sizeOfContent(
  content: ImageContent,
  type: ImageType,
): Promise<ImageSize | undefined> {
  if (type !== 'image/jpeg') return fixedSize(await content.read(0, headBytes), type)
  let at = afterStart
  for (let count = 0; count < maxSegments; count++) {
    const segment = readSegment(await content.read(at, at + headBytes))
    if (!segment || 'width' in segment) return valid(segment)
    at += segment.length
  }
  return undefined
}

/** The same for the first bytes of an image. */
export function sizeOfHead(head: Buffer, type: ImageType): ImageSize | undefined {
  if (type !== 'image/jpeg') return fixedSize(head, type)
  let at = afterStart
  for (let count = 0; count < maxSegments; count++) {
    const segment = readSegment(head.subarray(at, at + headBytes))
    if (!segment || 'width' in segment) return valid(segment)
    at += segment.length
  }
  return undefined
}

function fixedSize(head: Buffer, type: ImageType): ImageSize | undefined {
  if (head.length < 30) return undefined
  if (type === 'image/png') {
    return valid({ width: head.readUInt32BE(16), height: head.readUInt32BE(20) })
  }
  return valid(sizeOfWebp(head))
}

/** The three forms of WebP: extended, lossy and lossless (RFC 9649). */
function sizeOfWebp(head: Buffer): ImageSize | undefined {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) }
    case 'VP8 ':
      if (head.readUIntBE(23, 3) !== 0x9d012a) return undefined
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (head[20] !== 0x2f) return undefined
      const bits = head.readUInt32LE(21)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
    }
    default:
      return undefined
  }
}

/** The position behind the start marker of a JPEG. */
const afterStart = 2

/** Reads one segment of a JPEG. A frame header yields the size of the image, other segments yield their length. */
function readSegment(head: Buffer): { readonly length: number } | ImageSize | undefined {
  if (head.length < 10 || head[0] !== 0xff) return undefined
  const marker = head[1] as number
  // Fill bytes may precede a marker.
  if (marker === 0xff) return { length: 1 }
  if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) return { length: 2 }
  const isFrame = marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker)
  if (isFrame) return { width: head.readUInt16BE(7), height: head.readUInt16BE(5) }
  // The pixels, or the end, without a size before.
  if (marker === 0xda || marker === 0xd9) return undefined
  return { length: 2 + Math.max(2, head.readUInt16BE(2)) }
}

/** Markers in the range of frame headers that have other meanings: tables and arithmetic coding. */
const notFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])

function valid(size: ImageSize | undefined): ImageSize | undefined {
  return size && size.width > 0 && size.height > 0 ? size : undefined
}
