import { LowBitWriter } from './bits.ts'
import type { Picture } from './picture.ts'

/**
 * Encodes a picture as a lossless WebP, in two colours that differ in green. The prefix code of
 * green has two symbols; each other code has one, which takes no bits.
 */
export function encodeWebp(picture: Picture): Buffer {
  const image = losslessImage(picture)
  const padding = Buffer.alloc(image.length % 2)
  const size = Buffer.alloc(8)
  size.writeUInt32LE(4 + 8 + image.length + padding.length, 0)
  size.writeUInt32LE(image.length, 4)
  return Buffer.concat([
    Buffer.from('RIFF'),
    size.subarray(0, 4),
    Buffer.from('WEBPVP8L'),
    size.subarray(4),
    image,
    padding,
  ])
}

function losslessImage({ width, height, bars, transparent }: Picture): Buffer {
  const [red = 0, green = 0, blue = 0] = bars[0] ?? []
  const otherGreen = green ^ 0x80
  const alpha = transparent ? 0x80 : 0xff
  const writer = new LowBitWriter()
    .put(0x2f, 8)
    .put(width - 1, 14)
    .put(height - 1, 14)
  writer.put(transparent ? 1 : 0, 1).put(0, 3)
  // No transforms, no colour cache, no further prefix codes.
  writer.put(0, 3)
  putCode(
    writer,
    [green, otherGreen].sort((one, other) => one - other),
  )
  putCode(writer, [red])
  putCode(writer, [blue])
  putCode(writer, [alpha])
  putCode(writer, [0])
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      writer.put(Math.floor((column * bars.length) / width) % 2, 1)
  return writer.toBuffer()
}

// A "simple" code: the number of symbols, their width of eight bits, and the symbols.
function putCode(writer: LowBitWriter, symbols: number[]): void {
  writer
    .put(1, 1)
    .put(symbols.length - 1, 1)
    .put(1, 1)
  for (const symbol of symbols) writer.put(symbol, 8)
}
