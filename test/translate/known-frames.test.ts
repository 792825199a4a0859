import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { JsonObject } from '../../src/codec.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import type { EventMapper } from '../../src/generate/mapper.ts'
import { approach, exchangeOf } from './kernel.ts'
import type { DialectName } from './clients/index.ts'
import { streamsOf } from './repeating.ts'

/** What is read of frames that come together. */
async function readFrames(account: DialectName, frames: readonly string[]) {
  const client = account === 'chat' ? 'messages' : 'chat'
  const read: GenerateEvent[] = []
  const watcher: EventMapper = {
    push(event, emit) {
      read.push(event)
      emit(event)
    },
  }
  const exchange = exchangeOf({ client, account, stream: true })
  const observer = (await approach(exchange, [watcher])).observer()
  const { phase, error } = observer.push(Buffer.from(frames.join('')))
  const { wholeness } = observer
  return { phase, message: error?.message, wholeness, end: observer.end().phase, read }
}

function frameOf(event: JsonObject): string {
  return `data: ${JSON.stringify(event)}\n\n`
}

test.for(['chat', 'messages', 'responses', 'generate'] as const)(
  'frames of a %s account that are known by their bytes mean what they say',
  async (account) => {
    await fc.assert(
      fc.asyncProperty(streamsOf(account), async (events) => {
        const frames = events.map((event) => frameOf(event))
        // Behind a comment of its own, no frame looks like the one before.
        const unlike = frames.map((frame, index) => `: ${index}\n${frame}`)
        expect(await readFrames(account, frames)).toEqual(await readFrames(account, unlike))
      }),
      { numRuns: 300 },
    )
  },
)
