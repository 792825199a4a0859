import { expect, test } from 'vitest'

import { FrameWriter } from '../../src/translate/fast-path/frame-writer.ts'

/** A frame of a stream, which shares its memory with those of others. */
function frameWith(text: string): Buffer<ArrayBuffer> {
  const bytes = new FrameWriter()
  bytes.write(text)
  return bytes.take() as Buffer<ArrayBuffer>
}

test('whoever has a frame of one stream cannot take those of others along', () => {
  const other = frameWith('data: "other"\n\n')
  const mine = frameWith('data: "mine"\n\n')
  const refused = expect.objectContaining({ name: 'DataCloneError' })
  expect(() => structuredClone(mine, { transfer: [mine.buffer] })).toThrow(refused)
  expect(() => mine.buffer.transfer()).toThrow(TypeError)
  expect(structuredClone(mine)).toEqual(Uint8Array.from(mine))
  expect(other.toString()).toBe('data: "other"\n\n')
})
