import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encodeJpeg } from '../../src/sandbox/media/jpeg.ts'
import { encodeMp4 } from '../../src/sandbox/media/mp4.ts'
import { paintPicture } from '../../src/sandbox/media/picture.ts'
import { encodePng } from '../../src/sandbox/media/png.ts'
import { readImageHeader } from '../../src/sandbox/media/read-image-header.ts'
import { encodeWebp } from '../../src/sandbox/media/webp.ts'

describe('pictures', () => {
  test.each([
    ['image/png', encodePng, true],
    ['image/webp', encodeWebp, true],
    ['image/jpeg', encodeJpeg, false],
  ] as const)('%s: the size and the alpha channel can be read back', (type, encode, hasAlpha) => {
    const picture = paintPicture('a cat', 333, 100)
    expect(readImageHeader(encode(picture))).toEqual({
      type,
      width: 333,
      height: 100,
      hasAlpha: false,
    })
    const clear = { ...picture, transparent: true }
    expect(readImageHeader(encode(clear))).toEqual({ type, width: 333, height: 100, hasAlpha })
  })

  test('a PNG shows eight bars, the lowest quarter of which is clear if asked for', () => {
    const picture = paintPicture('a cat', 16, 8, { transparent: true })
    const png = encodePng(picture)
    const start = png.indexOf('IDAT') + 4
    const lines = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)))
    const rows: number[][] = []
    for (let row = 0; row < 8; row++) {
      const line = [...lines.subarray(row * 65 + 1, row * 65 + 65)]
      rows.push(line.map((byte, index) => (byte + (rows[row - 1]?.[index] ?? 0)) % 256))
    }
    const pixel = (column: number, row: number) => rows[row]!.slice(column * 4, column * 4 + 4)
    expect(pixel(0, 0)).toEqual([...picture.bars[0]!, 255])
    expect(pixel(15, 5)).toEqual([...picture.bars[7]!, 255])
    expect(pixel(3, 6)).toEqual([...picture.bars[1]!, 0])
    expect(pixel(3, 7)).toEqual([...picture.bars[1]!, 0])
  })

  test('another text gets other colours, the same one the same', () => {
    expect(paintPicture('a cat', 8, 8)).toEqual(paintPicture('a cat', 8, 8))
    expect(paintPicture('a dog', 8, 8).bars).not.toEqual(paintPicture('a cat', 8, 8).bars)
  })

  test.each([
    ['nothing', ''],
    ['text', 'a'.repeat(100)],
    ['the start of a PNG', '\x89PNG\r\n\x1a\n'],
    ['the start of a JPEG', '\xff\xd8\xff\xe0\x00\x10JFIF'],
    ['a sound', `RIFF\0\0\0\0WAVE${'\0'.repeat(40)}`],
  ])('%s is no image', (_, bytes) => {
    expect(readImageHeader(Buffer.from(bytes, 'latin1'))).toBeUndefined()
  })
})

/** The boxes of an MP4, with the place of what each contains. */
function boxesOf(file: Buffer, from = 0, to = file.length) {
  const boxes: { type: string; start: number; end: number }[] = []
  for (let at = from; at < to; at += file.readUInt32BE(at))
    boxes.push({
      type: file.toString('latin1', at + 4, at + 8),
      start: at + 8,
      end: at + file.readUInt32BE(at),
    })
  return boxes
}

function findBox(file: Buffer, ...path: string[]) {
  let found = { type: '', start: 0, end: file.length }
  for (const type of path)
    found = boxesOf(file, found.start, found.end).find((box) => box.type === type)!
  return found
}

describe('films', () => {
  const film = { width: 1280, height: 720, seconds: 4, bars: paintPicture('a cat', 8, 8).bars }

  test('an MP4 has its index in front, and a frame wherever the index says', () => {
    const file = encodeMp4(film)
    expect(boxesOf(file).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
    const table = ['moov', 'trak', 'mdia', 'minf', 'stbl']
    const sizes = findBox(file, ...table, 'stsz').start
    const frames = file.readUInt32BE(sizes + 8)
    expect(frames).toBe(4 * 24)

    let at = file.readUInt32BE(findBox(file, ...table, 'stco').start + 8)
    expect(at).toBe(findBox(file, 'mdat').start)
    const kinds: number[] = []
    for (let frame = 0; frame < frames; frame++) {
      const size = file.readUInt32BE(sizes + 12 + frame * 4)
      expect(file.readUInt32BE(at)).toBe(size - 4)
      kinds.push(file[at + 4]! & 0x1f)
      at += size
    }
    expect(at).toBe(findBox(file, 'mdat').end)
    expect(kinds.filter((kind) => kind === 5)).toHaveLength(4)
    expect(new Set(kinds)).toEqual(new Set([5, 1]))
  })

  test('its head says how wide, high and long it is', () => {
    const file = encodeMp4(film)
    const head = findBox(file, 'moov', 'trak', 'tkhd')
    expect(file.readUInt32BE(head.end - 8) / 0x1_0000).toBe(1280)
    expect(file.readUInt32BE(head.end - 4) / 0x1_0000).toBe(720)
    const movie = findBox(file, 'moov', 'mvhd').start
    expect(file.readUInt32BE(movie + 16) / file.readUInt32BE(movie + 12)).toBe(4)
  })

  test('no frame holds bytes that a player could take for the start of another one', () => {
    const file = encodeMp4({ ...film, bars: [[0, 0, 0]] })
    const { start, end } = findBox(file, 'mdat')
    const firstFrame = file.subarray(start + 4, start + 4 + file.readUInt32BE(start))
    expect(end - start).toBeGreaterThan(firstFrame.length)
    for (const forbidden of ['\0\0\0', '\0\0\x01', '\0\0\x02'])
      expect(firstFrame.includes(Buffer.from(forbidden, 'latin1'))).toBe(false)
  })

  test('it can be made as large as one likes', () => {
    const file = encodeMp4(film, 1_000_000)
    expect(file.length).toBeGreaterThanOrEqual(1_000_000)
    expect(file.length).toBeLessThan(1_000_100)
    expect(boxesOf(file).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat', 'free'])
  })
})
