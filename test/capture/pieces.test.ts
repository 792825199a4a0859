import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { Recorder } from '../../src/capture/recorder.ts'
import type { Ended } from '../../src/contract/exchange.ts'
import { ContentCapture } from '../../src/telemetry/traces/content/capture.ts'

/** Collects garbage, so that what remains is held. Returns the bytes of the heap. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let times = 0; times < 3; times++) collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const exchange = { caller: { keyId: 'team' } } as unknown as Ended

test.each([
  ['capture', () => new Recorder(exchange, () => true)],
  ['trace with content', () => new ContentCapture(64 * 1024)],
])('a %s of a stream of one-byte pieces takes hardly more memory than its bytes', (_, create) => {
  const before = heldBytes()
  const recorder = create()
  const piece = Buffer.from('x')
  for (let count = 0; count < 300_000; count++) recorder.wrote(piece)
  expect(heldBytes() - before).toBeLessThan(4_000_000)
  // It is held until here.
  recorder.wrote(piece)
})

test('what a capture has joined are the first bytes of the reply, for each that asks', () => {
  const recorder = new Recorder(exchange, () => true)
  for (let count = 0; count < 300_000; count++) recorder.wrote(Buffer.from(String(count % 10)))
  const expected = '0123456789'.repeat(30_000).slice(0, 256 * 1024)
  for (let asked = 0; asked < 2; asked++) {
    const { bytes, size } = recorder.answered
    expect(bytes.toString() === expected).toBe(true)
    expect(size).toBe(300_000)
  }
})
