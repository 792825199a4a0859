import { createHash } from 'node:crypto'

/** The length of vectors unless a request says otherwise: short, so that a reply can be read. */
const usualDimensions = 8

/** The vector of a text: always the same, of length 1, in numbers of 32 bits. */
export function vectorOf(text: string, dimensions = usualDimensions): number[] {
  const numbers: number[] = []
  for (let block = 0; numbers.length < dimensions; block++) {
    const digest = createHash('sha256').update(`${block}.${text}`).digest()
    for (let at = 0; at < digest.length; at += 4) numbers.push(digest.readInt32LE(at) / 2 ** 31)
  }
  const vector = numbers.slice(0, dimensions)
  const length = Math.hypot(...vector) || 1
  return vector.map((number) => Math.fround(number / length))
}

/** Numbers of 32 bits, little-endian, in base64. */
export function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((number, index) => bytes.writeFloatLE(number, index * 4))
  return bytes.toString('base64')
}
