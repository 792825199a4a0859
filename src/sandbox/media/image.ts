import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** An image of the sandbox: one colour, which depends on the text alone. Width and height are in pixels. */
interface Picture {
  readonly text: string
  readonly width: number
  readonly height: number
  /** Whether it can be seen through, in formats that have transparency. */
  readonly transparent?: boolean
}

/** Encodes a picture in each format of images. */
export const imageEncoders = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp }

/** Red, green, blue and alpha. */
function coloursOf({ text, transparent }: Picture): Buffer {
  const digest = createHash('sha256').update(text).digest()
  return Buffer.concat([digest.subarray(0, 3), Buffer.from([transparent ? 0x80 : 0xff])])
}

function encodePng(picture: Picture): Buffer {
  const { width, height, transparent } = picture
  const pixel = coloursOf(picture).subarray(0, transparent ? 4 : 3)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, transparent ? 6 : 2], 8)
  // The filter 2 writes each byte as the difference to the byte above: all rows but the first are 0.
  const rows = Buffer.alloc((1 + width * pixel.length) * height)
  for (let row = 0; row < height; row++) rows[row * (1 + width * pixel.length)] = 2
  rows.fill(pixel, 1, 1 + width * pixel.length)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/**
 * A baseline JPEG of three components without subsampling. The first block of each has the coefficient 1 or -1, and
 * the step of its quantisation is the colour; the other blocks are like the first one, which takes two bits 0 each.
 */
function encodeJpeg(picture: Picture): Buffer {
  const { width, height } = picture
  const [red = 0, green = 0, blue = 0] = coloursOf(picture)
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const scan = Buffer.alloc(Math.ceil((blocks * 6 + 6) / 8))
  // 10: a number of one bit follows, here the sign; 0: no more coefficients.
  const [one = 0, two = 0, three = 0] = [red, green, blue].map((value) => (value & 1 ? 10 : 8))
  scan.set([(one << 4) | two, three << 4])
  const tables = [red, green, blue].map((value, id) =>
    segment(0xdb, [id, ...Array<number>(64).fill((value >> 1) + 64)]),
  )
  const size = [height >> 8, height & 0xff, width >> 8, width & 0xff]
  const noCodes = Array<number>(14).fill(0)
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...tables,
    segment(0xc0, [8, ...size, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 2]),
    segment(0xc4, [0x00, 1, 1, ...noCodes, 0, 1]),
    segment(0xc4, [0x10, 1, 0, ...noCodes, 0]),
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    scan,
    Buffer.from([0xff, 0xd9]),
  ])
}

function segment(marker: number, body: readonly number[]): Buffer {
  const length = body.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...body])
}

/** A lossless WebP: each of its five codes has one symbol, so that a pixel takes no bits. */
function encodeWebp(picture: Picture): Buffer {
  const { width, height, transparent } = picture
  const [red = 0, green = 0, blue = 0, alpha = 0] = coloursOf(picture)
  const file = Buffer.alloc(34)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WEBPVP8L', 8)
  file.writeUInt32LE(13, 16)
  file[20] = 0x2f
  file.writeUInt32LE((width - 1) | ((height - 1) << 14) | (transparent ? 1 << 28 : 0), 21)
  // No transforms, no colour cache, no further codes: 3 bits. Then codes of one symbol with eight bits.
  const codes = [green, red, blue, alpha, 0]
  const bits = codes.reduce(
    (all, symbol, at) => all | (BigInt((symbol << 3) | 0b101) << BigInt(3 + at * 11)),
    0n,
  )
  file.writeBigUInt64LE(bits, 25)
  return file
}
