import { expect, test } from 'vitest'

import { sizeOfContent, sizeOfHead } from '../../../plugins/dialects/images/image-size.ts'
import { readImageFacts } from '../../../plugins/dialects/images/check-images.ts'
import type { ImageType } from '../../../src/lib/image-type.ts'
import type { ImageContent } from '../../../src/media/image.ts'

const MiB = 1024 * 1024

/** An image that counts the bytes that are read of it. */
function contentOf(
  bytes: Buffer,
): ImageContent & { readonly read: ImageContent['read']; count: number } {
  const content = {
    size: bytes.length,
    count: 0,
    read: async (start: number, end: number) => {
      const part = bytes.subarray(start, end)
      content.count += part.length
      return part
    },
  }
  return content
}

const start = [0xff, 0xd8]
const frame = (marker = 0xc0) => [0xff, marker, 0, 11, 8, 0x01, 0x02, 0x03, 0x04, 1, 1, 0x11, 0]
const segment = (marker: number, length: number) =>
  Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 0xff]), Buffer.alloc(length - 2)])
const jpeg = (...parts: (Buffer | number[])[]) =>
  Buffer.concat([start, ...parts, Buffer.alloc(40)].map((part) => Buffer.from(part)))

const images: readonly [
  string,
  ImageType,
  Buffer,
  { width: number; height: number } | undefined,
][] = [
  ['a JPEG', 'image/jpeg', jpeg(frame()), { width: 0x304, height: 0x102 }],
  ['a progressive JPEG', 'image/jpeg', jpeg(frame(0xc2)), { width: 0x304, height: 0x102 }],
  [
    'a JPEG with 10 MiB of profiles',
    'image/jpeg',
    jpeg(...Array.from({ length: 160 }, () => segment(0xe2, 65_535)), frame()),
    { width: 0x304, height: 0x102 },
  ],
  [
    'a JPEG with fill bytes',
    'image/jpeg',
    jpeg([0xff, 0xff], frame()),
    { width: 0x304, height: 0x102 },
  ],
  [
    'a JPEG with tables first',
    'image/jpeg',
    jpeg(segment(0xc4, 30), frame()),
    { width: 0x304, height: 0x102 },
  ],
  ['a JPEG without a frame', 'image/jpeg', jpeg(segment(0xda, 30), frame()), undefined],
  [
    'a JPEG of endless tiny segments',
    'image/jpeg',
    jpeg(...Array.from({ length: 2_000 }, () => segment(0xe0, 2)), frame()),
    undefined,
  ],
  ['a JPEG of zeros', 'image/jpeg', jpeg(Buffer.alloc(4 * MiB)), undefined],
  [
    'a lossy WebP',
    'image/webp',
    webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 3, 0x40, 4, 0]),
    { width: 3, height: 4 },
  ],
  ['a lossless WebP', 'image/webp', webp('VP8L', [0x2f, 2, 0xc0, 0, 0]), { width: 3, height: 4 }],
  [
    'an extended WebP',
    'image/webp',
    webp('VP8X', [0, 0, 0, 0, 2, 0, 0, 3, 0, 0]),
    { width: 3, height: 4 },
  ],
  ['an unknown WebP', 'image/webp', webp('VP9 ', []), undefined],
]

function webp(form: string, bytes: number[]): Buffer {
  const head = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), Buffer.from(form), Buffer.alloc(4)])
  return Buffer.concat([head, Buffer.from(bytes), Buffer.alloc(20)])
}

test.each(images)('the size of %s is read from a few bytes', async (_, type, bytes, size) => {
  const content = contentOf(bytes)
  expect(await sizeOfContent(content, type)).toEqual(size)
  expect(sizeOfHead(bytes, type)).toEqual(size)
  expect(content.count).toBeLessThan(64 * 1024)
})

test('an image of 4 MiB costs no more to check than a small one', async () => {
  for (const fill of [0x00, 0xff, 0xe0]) {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(4 * MiB, fill)])
    const content = contentOf(bytes)
    expect(await readImageFacts(content)).toBeUndefined()
    expect(content.count).toBeLessThan(64 * 1024)
  }
})
