import { crc32, deflateSync } from 'node:zlib'
import { type Picture, colourAt, firstTransparentRow } from './picture.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const colourTypes = { rgb: 2, rgba: 6 }

/** The filter that writes each byte as the difference to the byte above. */
const up = 2

/** Encodes a picture as a PNG: RGB, or RGBA if part of it is transparent. */
export function encodePng(picture: Picture): Buffer {
  const { width, height, transparent } = picture
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = transparent ? colourTypes.rgba : colourTypes.rgb
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(scanlines(picture), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

// All rows are equal, so only the first one and the first transparent one differ from the row
// above.
function scanlines(picture: Picture): Buffer {
  const channels = picture.transparent ? 4 : 3
  const stride = 1 + picture.width * channels
  const lines = Buffer.alloc(stride * picture.height)
  for (let row = 0; row < picture.height; row++) lines[row * stride] = up
  for (let column = 0; column < picture.width; column++) {
    const pixel = 1 + column * channels
    lines.set(colourAt(picture.bars, column, picture.width), pixel)
    if (!picture.transparent) continue
    lines[pixel + 3] = 255
    lines[firstTransparentRow(picture) * stride + pixel + 3] = 1
  }
  return lines
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
