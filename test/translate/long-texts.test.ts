import { expect, test } from 'vitest'

import { writers } from './accounts/index.ts'
import { readFrames } from './clients/frames.ts'
import { readers } from './clients/index.ts'
import { approach, exchangeOf } from './kernel.ts'
import { relayed } from './relayed.ts'

/** As many bytes as wait to be told at most, one less, one more, and many more. */
const sizes = [1_023, 1_024, 1_025, 3_000]
const timesInARow = 5

/** A text of so many bytes in its frame, unlike any other. */
function textOf(size: number, turn: number): string {
  const start = `“${turn}”\n`
  return start + 'x'.repeat(size - Buffer.byteLength(JSON.stringify(start)) + 2)
}

const texts = sizes.flatMap((size) =>
  Array.from({ length: timesInARow }, (_, turn) => textOf(size, turn)),
)
const whole = texts.join('')

/** The frames of an account that says all of them, each in one piece. */
function framesOf(account: 'chat' | 'messages' | 'generate'): Buffer[] {
  const said = { thoughts: '', text: whole, calls: [], ending: 'done' } as const
  const frames = writers[account].frames(said, (text) => (text === '' ? [] : texts))
  return frames.map((frame) => Buffer.from(frame))
}

test.for(['chat', 'messages', 'generate'] as const)(
  'long texts of a %s account are all there at the end, where a client gets them once more',
  async (account) => {
    const frames = framesOf(account)
    for (const chunks of [frames, [Buffer.concat(frames)]]) {
      const asked = exchangeOf({ client: 'responses', account, stream: true })
      const { wire } = relayed(chunks, await approach(asked))
      const events = readFrames(wire).map(({ json }) => json)
      const done = events.filter((event) => event?.type === 'response.output_text.done')
      expect(done.map((event) => event?.text === whole)).toEqual([true])
      expect(events.at(-2)?.type).toBe('response.completed')
      expect(readers.responses.stream(wire).text === whole).toBe(true)
    }
  },
)
