import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { JsonObject } from '../../src/codec.ts'
import { GatewayError } from '../../src/errors.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import type { EventMapper } from '../../src/generate/mapper.ts'
import { approach, exchangeOf } from './kernel.ts'
import type { DialectName } from './clients/index.ts'
import { streamsOf, textEvent } from './repeating.ts'

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

type Spelling = (json: string) => string

function frameOf(event: JsonObject, spelling: Spelling = (json) => json): string {
  return `data: ${spelling(JSON.stringify(event))}\n\n`
}

function inHexadecimal(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** As the servers of accounts write their strings. */
const spelling: fc.Arbitrary<Spelling> = fc.constantFrom<Spelling>(
  (json) => json,
  (json) => json.replaceAll(/[<>&='\u2028\u2029]/g, inHexadecimal),
  (json) => json.replaceAll(/[^ -~]/g, inHexadecimal),
  (json) => json.replaceAll('/', '\\/'),
)

test.for(['chat', 'messages', 'responses', 'generate'] as const)(
  'frames of a %s account that are known by their bytes mean what they say',
  async (account) => {
    await fc.assert(
      fc.asyncProperty(streamsOf(account), spelling, async (events, spelled) => {
        const frames = events.map((event) => frameOf(event, spelled))
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
      fc.asyncProperty(streamsOf(account), spelling, async (events, spelled) => {
        const frames = events.map((event) => frameOf(event, spelled))
        const unlike = frames.map((frame, index) => `: ${index}\n${frame}`)
        const wire = await wireOf(client, account, unlike)
        expect(await wireOf(client, account, frames)).toBe(wire)
        expect(await wireOf(client, account, [frames.join('')])).toBe(wire)
      }),
      { numRuns: 150, endOnFailure: true },
    )
  },
)

test('noise that is no string breaks the stream', async () => {
  const padded = (obfuscation: string) => ({ ...textEvent('chat', 'word'), obfuscation })
  const frames = ['abc', 'de', 'BROKEN', 'f'].map((noise) => frameOf(padded(noise)))
  const broken = frames.map((frame) => frame.replace('BROKEN', () => 'x\\'))
  expect(await readFrames('chat', broken)).toMatchObject({ phase: 'failed', read: { length: 4 } })
})

test('a client that gets its answer once more at the end gets all of it', async () => {
  const words = Array.from({ length: 400 }, (_, index) => ` word${index}`)
  const frames = words.map((content) => frameOf({ choices: [{ index: 0, delta: { content } }] }))
  const wire = await wireOf('responses', 'chat', frames)
  expect(wire).toContain(`"text":${JSON.stringify(words.join(''))}`)
})

test.for(pairs)('what is no text breaks the stream of a %s client', async ([client, account]) => {
  for (const text of ['\\x', '\\u12', '\t']) {
    const said = ['one', 'two', 'BROKEN', 'three'].map((word) => frameOf(textEvent(account, word)))
    const frames = said.map((frame) => frame.replace('BROKEN', () => text))
    const wire = await wireOf(client, account, frames)
    expect(wire).not.toContain('three')
    const unlike = frames.map((frame, index) => `: ${index}\n${frame}`)
    expect(wire).toBe(await wireOf(client, account, unlike))
  }
})
