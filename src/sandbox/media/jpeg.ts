import { BitWriter } from './bits.ts'
import { type Picture, colourAt, toYCbCr } from './picture.ts'

const blockSize = 8

/** The number of Huffman codes of each length, as in the tables of the standard. */
const categoryCounts = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
const categories = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const categoryCodes = huffmanCodes(categoryCounts)

/** Encodes a picture as a baseline JPEG. Each block of 8 x 8 pixels has one colour. */
export function encodeJpeg(picture: Picture): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => blockSize)]),
    segment(0xc0, [8, ...twoBytes(picture.height), ...twoBytes(picture.width), 3, ...components]),
    segment(0xc4, [0x00, ...categoryCounts, ...categories]),
    segment(0xc4, [0x10, 1, ...Array.from({ length: 15 }, () => 0), 0]),
    segment(0xda, [3, 1, 0x00, 2, 0x00, 3, 0x00, 0, 63, 0]),
    stuffed(scan(picture)),
    Buffer.from([0xff, 0xd9]),
  ])
}

// Three components, none of them subsampled, all with quantisation table 0.
const components = [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]

// A flat block is one number, its mean: with this quantisation, the colour itself minus 128.
function scan({ width, height, bars }: Picture): Buffer {
  const writer = new BitWriter()
  const columns = Math.ceil(width / blockSize)
  let previous = [0, 0, 0]
  for (let row = 0; row < Math.ceil(height / blockSize); row++)
    for (let column = 0; column < columns; column++) {
      const means = toYCbCr(colourAt(bars, column, columns)).map((value) => value - 128)
      means.forEach((mean, component) => putBlock(writer, mean - previous[component]!))
      previous = means
    }
  return writer.align(1).toBuffer()
}

function putBlock(writer: BitWriter, difference: number): void {
  const category = 32 - Math.clz32(Math.abs(difference))
  const { code, width } = categoryCodes[category]!
  writer.put(code, width)
  writer.put(difference < 0 ? difference + 2 ** category - 1 : difference, category)
  const endOfBlock = 0
  writer.put(endOfBlock, 1)
}

function huffmanCodes(counts: number[]): { code: number; width: number }[] {
  let next = 0
  return counts.flatMap((count, index) => {
    const codes = Array.from({ length: count }, () => ({ code: next++, width: index + 1 }))
    next *= 2
    return codes
  })
}

function segment(marker: number, body: number[]): Buffer {
  return Buffer.from([0xff, marker, ...twoBytes(body.length + 2), ...body])
}

function twoBytes(value: number): number[] {
  return [value >> 8, value & 0xff]
}

// In the scan, 0xff starts a marker unless a zero follows it.
function stuffed(bytes: Buffer): Buffer {
  return Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}
