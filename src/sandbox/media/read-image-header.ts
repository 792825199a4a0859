/** The properties of an image, from the header of its file. */
export type ImageHeader = {
  type: 'image/png' | 'image/jpeg' | 'image/webp'
  width: number
  height: number
  hasAlpha: boolean
}

/**
 * Reads the header of a PNG, JPEG or WebP; undefined for other bytes, and for an incomplete header.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  return readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes)
}

const pngStart = '89504e470d0a1a0a0000000d49484452'

function readPng(bytes: Buffer): ImageHeader | undefined {
  if (bytes.toString('hex', 0, 16) !== pngStart || bytes.length < 33) return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const greyOrColourWithAlpha = [4, 6]
  const hasAlpha = greyOrColourWithAlpha.includes(bytes[25]!) || hasTransparentColour(bytes)
  return { type: 'image/png', width, height, hasAlpha }
}

// Looks for a tRNS chunk, which stands before the image data.
function hasTransparentColour(bytes: Buffer): boolean {
  let at = 8
  while (at + 8 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'tRNS') return true
    if (type === 'IDAT') return false
    at += 12 + bytes.readUInt32BE(at)
  }
  return false
}

function readJpeg(bytes: Buffer): ImageHeader | undefined {
  if (bytes.toString('hex', 0, 3) !== 'ffd8ff') return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    if (isFrameHeader(marker))
      return {
        type: 'image/jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
        hasAlpha: false,
      }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

// All markers from C0 to CF are frame headers, except DHT, JPG and DAC.
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function readWebp(bytes: Buffer): ImageHeader | undefined {
  const isWebp = bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12) === 'RIFFWEBP'
  if (!isWebp || bytes.length < 30) return undefined
  const type = 'image/webp'
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return {
        type,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
        hasAlpha: false,
      }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      const [width, height] = [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
      return { type, width, height, hasAlpha: ((bits >>> 28) & 1) === 1 }
    }
    case 'VP8X':
      return {
        type,
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        hasAlpha: (bytes[20]! & 0x10) !== 0,
      }
    default:
      return undefined
  }
}
