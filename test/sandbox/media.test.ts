import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { imageEncoders } from '../../src/sandbox/media/image.ts'
import { encodeMp4 } from '../../src/sandbox/media/mp4.ts'
import { readImageHeader } from '../../src/sandbox/media/read-image-header.ts'

describe('pictures', () => {
  test.each([
    ['image/png', imageEncoders.png, true],
    ['image/webp', imageEncoders.webp, true],
    ['image/jpeg', imageEncoders.jpeg, false],
  ] as const)('%s: the size and the alpha channel can be read back', (type, encode, hasAlpha) => {
    const picture = { text: 'a cat', width: 333, height: 100 }
    expect(readImageHeader(encode(picture))).toEqual({
      type,
      width: 333,
      height: 100,
      hasAlpha: false,
    })
    const clear = { ...picture, transparent: true }
    expect(readImageHeader(encode(clear))).toEqual({ type, width: 333, height: 100, hasAlpha })
  })

  test('a PNG has one colour, which another text changes', () => {
    const pixels = (text: string) => {
      const png = imageEncoders.png({ text, width: 2, height: 2 })
      const start = png.indexOf('IDAT') + 4
      return [...inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)))]
    }
    const [filter, ...row] = pixels('a cat')
    expect(filter).toBe(2)
    expect(row.slice(0, 3)).toEqual(row.slice(3, 6))
    expect(row.slice(6)).toEqual([2, 0, 0, 0, 0, 0, 0])
    expect(pixels('a cat')).toEqual([filter, ...row])
    expect(pixels('a dog')).not.toEqual([filter, ...row])
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
  const film = { width: 1280, height: 720, seconds: 4 }

  test('an MP4 has its index in front, and its frame where the index says', () => {
    const file = encodeMp4(film)
    expect(boxesOf(file).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat'])
    const table = ['moov', 'trak', 'mdia', 'minf', 'stbl']
    const sizes = findBox(file, ...table, 'stsz').start
    expect(file.readUInt32BE(sizes + 8)).toBe(1)
    const frame = file.readUInt32BE(findBox(file, ...table, 'stco').start + 8)
    const { start, end } = findBox(file, 'mdat')
    expect(frame).toBe(start)
    expect(file.readUInt32BE(sizes + 12)).toBe(end - start)
    expect(file.readUInt32BE(frame)).toBe(end - start - 4)
    const keyFrame = 5
    expect(file[frame + 4]! & 0x1f).toBe(keyFrame)
  })

  test('its head says how wide, high and long it is', () => {
    const file = encodeMp4(film)
    const head = findBox(file, 'moov', 'trak', 'tkhd')
    expect(file.readUInt32BE(head.end - 8) / 0x1_0000).toBe(1280)
    expect(file.readUInt32BE(head.end - 4) / 0x1_0000).toBe(720)
    const movie = findBox(file, 'moov', 'mvhd').start
    expect(file.readUInt32BE(movie + 16) / file.readUInt32BE(movie + 12)).toBe(4)
  })

  test('it can be made as large as one likes', () => {
    const file = encodeMp4(film, 1_000_000)
    expect(file.length).toBeGreaterThanOrEqual(1_000_000)
    expect(file.length).toBeLessThan(1_000_100)
    expect(boxesOf(file).map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat', 'free'])
  })
})
