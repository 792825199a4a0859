import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { JsonObject } from '../../src/codec.ts'
import { GatewayError } from '../../src/errors.ts'
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

/** What a client gets of them, frame by frame or together, and then of a stream that breaks. */
async function wireOf(
  client: DialectName,
  account: DialectName,
  frames: readonly string[],
): Promise<string> {
  const observer = (await approach(exchangeOf({ client, account, stream: true }))).observer()
  const wire: (Buffer | undefined)[] = []
  for (const frame of frames) {
    const { phase, bytes } = observer.push(Buffer.from(frame))
    wire.push(bytes)
    if (phase === 'failed') break
  }
  wire.push(
    observer.end().bytes,
    observer.fail(new GatewayError('upstream_stream_broken', 'Cut.')).bytes,
  )
  const text = Buffer.concat(wire.filter((bytes) => bytes !== undefined)).toString()
  const named = text.replaceAll(/[a-zA-Z\d]{24}/g, 'id')
  return named.replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0')
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
      { numRuns: 300, endOnFailure: true },
    )
  },
)

const names = ['chat', 'messages', 'responses', 'generate'] as const
const pairs = names.flatMap((client) =>
  names.filter((account) => account !== client).map((account) => [client, account] as const),
)

test.for(pairs)(
  'a %s client gets the same of a %s account’s frames, known or not',
  async ([client, account]) => {
    await fc.assert(
      fc.asyncProperty(streamsOf(account), async (events) => {
        const frames = events.map((event) => frameOf(event))
        const unlike = frames.map((frame, index) => `: ${index}\n${frame}`)
        const wire = await wireOf(client, account, unlike)
        expect(await wireOf(client, account, frames)).toBe(wire)
        expect(await wireOf(client, account, [frames.join('')])).toBe(wire)
      }),
      { numRuns: 150, endOnFailure: true },
    )
  },
)

test('a client that gets its answer once more at the end gets all of it', async () => {
  const words = Array.from({ length: 400 }, (_, index) => ` word${index}`)
  const frames = words.map((content) => frameOf({ choices: [{ index: 0, delta: { content } }] }))
  const wire = await wireOf('responses', 'chat', frames)
  expect(wire).toContain(`"text":${JSON.stringify(words.join(''))}`)
})
