import { createHash } from 'node:crypto'

/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [number, number, number]

/** A picture of the sandbox: upright bars of eight colours. Width and height are in pixels. */
export type Picture = {
  width: number
  height: number
  bars: readonly Colour[]
  /** Whether the lowest quarter is transparent, in formats that have transparency. */
  transparent: boolean
}

const barCount = 8

/** The picture of a text, whose colours depend on the text alone. */
export function paintPicture(
  text: string,
  width: number,
  height: number,
  { transparent = false } = {},
): Picture {
  const digest = createHash('sha256').update(text).digest()
  const bars = Array.from({ length: barCount }, (_, bar): Colour => [
    digest[bar * 3]!,
    digest[bar * 3 + 1]!,
    digest[bar * 3 + 2]!,
  ])
  return { width, height, bars, transparent }
}

/** The colour of a column, counted from the left in the same unit as `width`. */
export function colourAt(bars: readonly Colour[], column: number, width: number): Colour {
  return bars[Math.floor((column * bars.length) / width)]!
}

/** The first row of the transparent part; the height if there is none. */
export function firstTransparentRow({ height, transparent }: Picture): number {
  return transparent ? Math.floor((height * 3) / 4) : height
}

/** Luma and the two chroma values of a colour, full range as in JPEG. */
export function toYCbCr([red, green, blue]: Colour): [number, number, number] {
  return [
    clamp(0.299 * red + 0.587 * green + 0.114 * blue),
    clamp(128 - 0.168_736 * red - 0.331_264 * green + 0.5 * blue),
    clamp(128 + 0.5 * red - 0.418_688 * green - 0.081_312 * blue),
  ]
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)))
}
