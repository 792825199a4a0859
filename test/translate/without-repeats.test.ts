import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { chatDialect } from '../../plugins/dialects/chat/index.ts'
import { chatCodec } from '../../plugins/dialects/chat/codec/index.ts'
import type { EventDecoder, GenerateCodec } from '../../src/contract/codec.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { bytesOf } from './bytes-of.ts'
import { approach, exchangeOf } from './kernel.ts'
import { streamsOf, textEvent } from './repeating.ts'

/** How many events a decoder reads, and how many texts it is told of in their place. */
interface Counted {
  decoded: number
  repeated: number
}

type Member = 'fast of the codec' | 'fast of the decoder'

/** The codec without members that it need not have. */
function chatWithout(missing: readonly Member[], counted: Counted): GenerateCodec {
  const { fast, ...codec } = chatCodec
  return {
    ...codec,
    ...(fast && !missing.includes('fast of the codec') && { fast }),
    decodeEvents: (request, emit) =>
      counting(chatCodec.decodeEvents(request, emit), missing, counted),
  }
}

function counting(
  decoder: EventDecoder,
  missing: readonly Member[],
  counted: Counted,
): EventDecoder {
  const repeat = (text: string) => {
    counted.repeated++
    decoder.fast?.repeat(text)
  }
  return {
    decode(event, name) {
      counted.decoded++
      decoder.decode(event, name)
    },
    ...(!missing.includes('fast of the decoder') && { fast: { repeat } }),
    done: () => decoder.done?.(),
    end: () => decoder.end?.(),
  }
}

/** What a client of Messages gets of an account whose codec lacks these members. */
async function wireOf(missing: readonly Member[], events: readonly JsonObject[]) {
  const counted: Counted = { decoded: 0, repeated: 0 }
  const codec = chatWithout(missing, counted)
  const exchange = exchangeOf({ client: 'messages', account: 'chat', stream: true })
  const dialect = { ...chatDialect, generate: { codec, produces: 'chat.completion' } }
  const candidate = { ...exchange.candidate, dialect }
  const observer = (await approach({ ...exchange, candidate })).observer()
  const frames = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
  const wire = Buffer.concat([
    bytesOf(observer.observe(Buffer.from(frames.join('')))) ?? Buffer.alloc(0),
    observer.end().bytes ?? Buffer.alloc(0),
  ]).toString()
  return { wire: wire.replaceAll(/[a-zA-Z\d]{24}/g, 'id'), counted }
}

const lacking: readonly { readonly missing: readonly Member[] }[] = [
  { missing: ['fast of the codec'] },
  { missing: ['fast of the decoder'] },
  { missing: ['fast of the codec', 'fast of the decoder'] },
]

test.for(lacking)('a client gets the same of a codec without $missing', async ({ missing }) => {
  await fc.assert(
    fc.asyncProperty(streamsOf('chat'), async (events) => {
      const { wire } = await wireOf([], events)
      expect((await wireOf(missing, events)).wire).toBe(wire)
    }),
    { numRuns: 150, endOnFailure: true },
  )
})

const words = Array.from({ length: 20 }, (_, index) => textEvent('chat', ` word ${index}`))

test.for(lacking)(
  'every event reaches a decoder of a codec without $missing',
  async ({ missing }) => {
    const { counted } = await wireOf(missing, words)
    expect(counted).toEqual({ decoded: words.length, repeated: 0 })
  },
)

test('texts that repeat reach a decoder whose codec has both as texts', async () => {
  const { counted } = await wireOf([], words)
  expect(counted.decoded).toBeLessThan(words.length)
  expect(counted.repeated).toBeGreaterThan(0)
})
