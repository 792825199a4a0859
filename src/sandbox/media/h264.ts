import { BitWriter } from './bits.ts'
import { type Colour, colourAt, toYCbCr } from './picture.ts'

/** Pixels on each side of a macroblock. */
const block = 16

/** The parameter sets of a coded video, and the level that they declare, ten times its name. */
export type H264Coding = { sequence: Buffer; picture: Buffer; level: number }

/** The coding of a video of this size, in pixels, in the constrained baseline profile. */
export function describeCoding(width: number, height: number): H264Coding {
  const level = levelOf(blocks(width) * blocks(height))
  const cropRight = (blocks(width) * block - width) / 2
  const cropBottom = (blocks(height) * block - height) / 2
  const cropped = cropRight + cropBottom > 0
  const sequence = new BitWriter()
    .put(66, 8)
    .put(0b1100_0000, 8)
    .put(level, 8)
    .putUnsigned(0) // its id
    .putUnsigned(0) // frame numbers of four bits
    .putUnsigned(2) // shown in the order of coding
    .putUnsigned(1) // one reference frame
    .put(0, 1)
    .putUnsigned(blocks(width) - 1)
    .putUnsigned(blocks(height) - 1)
    .put(1, 1) // whole frames only
    .put(1, 1)
    .put(cropped ? 1 : 0, 1)
  if (cropped) sequence.putUnsigned(0).putUnsigned(cropRight).putUnsigned(0).putUnsigned(cropBottom)
  sequence.put(0, 1)

  const picture = new BitWriter()
    .putUnsigned(0) // its id
    .putUnsigned(0) // the id of the sequence
    .put(0, 2) // variable-length codes, no order within the field
    .putUnsigned(0) // one group of slices
    .putUnsigned(0)
    .putUnsigned(0)
    .put(0, 3) // no weighted prediction
    .putSigned(0)
    .putSigned(0)
    .putSigned(0)
    .put(1, 1) // slices contain the settings of the deblocking filter
    .put(0, 2)
  return { sequence: unit(0x67, sequence), picture: unit(0x68, picture), level }
}

/**
 * Encodes a frame of upright bars that refers to no other frame. `index` makes the ids of
 * neighbouring frames differ.
 */
export function encodeKeyFrame(
  width: number,
  height: number,
  bars: readonly Colour[],
  index: number,
): Buffer {
  const slice = new BitWriter()
    .putUnsigned(0) // first macroblock
    .putUnsigned(7) // intra prediction only
    .putUnsigned(0)
    .put(0, 4) // frame number
    .putUnsigned(index % 2)
    .put(0, 2) // no long-term references
    .putSigned(0)
    .putUnsigned(1) // no deblocking filter
  const columns = blocks(width)
  for (let row = 0; row < blocks(height); row++)
    for (let column = 0; column < columns; column++) {
      const colour = colourAt(bars, column, columns)
      const isNew = column === 0 || colour !== colourAt(bars, column - 1, columns)
      if (row === 0 && isNew) putRawMacroblock(slice, colour)
      else
        putPredictedMacroblock(
          slice,
          row === 0 ? fromLeft : fromAbove,
          coefficientContext(bars, row, column, columns),
        )
    }
  return unit(0x65, slice)
}

/** Encodes a frame equal to the previous one, `sinceKeyFrame` frames after the key frame. */
export function encodeRepeatFrame(width: number, height: number, sinceKeyFrame: number): Buffer {
  const slice = new BitWriter()
    .putUnsigned(0)
    .putUnsigned(5) // predicted from the previous frame
    .putUnsigned(0)
    .put(sinceKeyFrame % 16, 4)
    .put(0, 3) // the default references, none long-term
    .putSigned(0)
    .putUnsigned(1)
    .putUnsigned(blocks(width) * blocks(height)) // all macroblocks skipped
  return unit(0x41, slice)
}

function putRawMacroblock(slice: BitWriter, colour: Colour): void {
  const [luma, blueChroma, redChroma] = toYCbCr(colour)
  slice.putUnsigned(25).align(0)
  slice.putBytes(Buffer.alloc(block * block, luma))
  slice.putBytes(Buffer.alloc((block * block) / 4, blueChroma))
  slice.putBytes(Buffer.alloc((block * block) / 4, redChroma))
}

type Direction = { type: number; chroma: number }

const fromAbove: Direction = { type: 1, chroma: 2 }
const fromLeft: Direction = { type: 2, chroma: 1 }

// A macroblock predicted from its neighbour, with an empty residual.
function putPredictedMacroblock(
  slice: BitWriter,
  { type, chroma }: Direction,
  context: number,
): void {
  slice.putUnsigned(type).putUnsigned(chroma).putSigned(0)
  if (context >= 8) slice.put(0b000011, 6)
  else slice.put(1, 1)
}

// The coefficients of the neighbours decide the code of an empty residual: a raw macroblock has 16.
function coefficientContext(
  bars: readonly Colour[],
  row: number,
  column: number,
  columns: number,
): number {
  const isRaw = (at: number) =>
    at === 0 || colourAt(bars, at, columns) !== colourAt(bars, at - 1, columns)
  const coefficients = [
    ...(column > 0 ? [row === 0 && isRaw(column - 1) ? 16 : 0] : []),
    ...(row > 0 ? [row === 1 && isRaw(column) ? 16 : 0] : []),
  ]
  const sum = coefficients.reduce((total, one) => total + one, 0)
  return coefficients.length === 2 ? (sum + 1) >> 1 : sum
}

// A NAL unit: the stop bit, and a byte 3 where the bytes would look like the start of a unit.
function unit(header: number, writer: BitWriter): Buffer {
  const bytes = [header]
  let zeros = 0
  for (const byte of writer.put(1, 1).align(0).toBuffer()) {
    if (zeros === 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    bytes.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Buffer.from(bytes)
}

function blocks(pixels: number): number {
  return Math.ceil(pixels / block)
}

// The lowest level for frames of this many macroblocks, ten times its name.
function levelOf(macroblocks: number): number {
  if (macroblocks <= 3600) return 31
  if (macroblocks <= 8192) return 40
  return 51
}
