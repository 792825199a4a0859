import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Candidate } from '../../src/contract/candidate.ts'
import type { EventDecoder } from '../../src/contract/codec.ts'
import type { DialectInfo } from '../../src/contract/dialect-info.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import type { EventMapper } from '../../src/generate/mapper.ts'
import { readSources } from '../architecture/import-graph.ts'
import { caseOf, chunksOf } from '../fuzz/case.ts'
import { corpusOf } from '../fuzz/corpus.ts'
import { writers } from './accounts/index.ts'
import { anyCut, anySaid } from './any-said.ts'
import { type DialectName, dialectNames } from './clients/index.ts'
import { approach, exchangeOf } from './kernel.ts'
import { relayed } from './relayed.ts'
import { spelling, streamsOf, textEvent } from './repeating.ts'
import { withoutIds } from './without-ids.ts'

interface Stream {
  readonly client: DialectName
  readonly account: DialectName
  readonly chunks: readonly Buffer[]
  /** Of a generateContent client: its stream is one JSON array. */
  readonly asArray?: boolean
}

/** The bytes and the outcome of a stream for its client. */
async function replyTo({ client, account, chunks, asArray }: Stream, fastPath: boolean) {
  const exchange = exchangeOf({ client, account, stream: true, ...(asArray && { query: '' }) })
  const reply = relayed(chunks, await approach(exchange, [], { fastPath }))
  const { wire, outcome, error, ending } = reply
  return {
    wire: withoutIds(wire),
    outcome: outcome && withoutIds(JSON.stringify(outcome)),
    error: error && [error.code, error.message],
    ending,
    losses: exchange.attempt.losses,
  }
}

/** The events of a stream between account and client. */
async function eventsOf({ client, account, chunks }: Stream, fastPath: boolean) {
  const events: GenerateEvent[] = []
  const watcher: EventMapper = {
    map(event, emit) {
      events.push(event)
      emit(event)
    },
  }
  const exchange = exchangeOf({ client, account, stream: true })
  relayed(chunks, await approach(exchange, [watcher], { fastPath }))
  return events
}

/** Compares what a client gets with the fast path on and off, chunk by chunk and in one chunk. */
async function expectSame(stream: Stream): Promise<void> {
  for (const chunks of [stream.chunks, [Buffer.concat(stream.chunks)]]) {
    const cut = { ...stream, chunks }
    expect(await replyTo(cut, true)).toEqual(await replyTo(cut, false))
    expect(await eventsOf(cut, true)).toEqual(await eventsOf(cut, false))
  }
}

const bytesOf = (frames: readonly string[]) => frames.map((frame) => Buffer.from(frame))

const pairs = dialectNames.flatMap((account) =>
  dialectNames.map((client) => [client, account] as const),
)

describe.each(pairs)('a %s client of a %s account gets the same with and without it', (...pair) => {
  const [client, account] = pair

  test('of any reply', async () => {
    await fc.assert(
      fc.asyncProperty(anySaid, anyCut, async (said, cut) => {
        const chunks = bytesOf(writers[account].frames(said, cut))
        await expectSame({ client, account, chunks })
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  test('of events that repeat, however they are written', async () => {
    await fc.assert(
      fc.asyncProperty(streamsOf(account), spelling, async (events, spelled) => {
        const chunks = bytesOf(events.map((event) => spelled(JSON.stringify(event))))
        await expectSame({ client, account, chunks })
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  test('of the recorded streams of providers', async () => {
    const { streams } = corpusOf(account)
    expect(streams.length).toBeGreaterThan(4)
    for (const chunks of streams) {
      await expectSame({ client, account, chunks })
      if (client === 'generate') await expectSame({ client, account, chunks, asArray: true })
    }
  })

  test('of streams that are broken at random', async () => {
    const corpus = corpusOf(account)
    for (let number = 0; number < 60; number++) {
      const one = caseOf(20_261_201, { account, client, number }, corpus)
      if (one.kind === 'stream') await expectSame({ client, account, chunks: chunksOf(one) })
    }
  })
})

/** The dialect with a counter of the events that its decoders decode in full. */
function counted(dialect: DialectInfo): {
  readonly dialect: DialectInfo
  readonly decoded: number
} {
  const { generate } = dialect
  if (!generate) throw new Error(`${dialect.id} is no dialect of text generation.`)
  const counter = {
    decoded: 0,
    dialect: {
      ...dialect,
      generate: {
        ...generate,
        codec: {
          ...generate.codec,
          decodeEvents: (...parameters: Parameters<typeof generate.codec.decodeEvents>) => {
            const decoder: EventDecoder = generate.codec.decodeEvents(...parameters)
            const decode = decoder.decode.bind(decoder)
            decoder.decode = (data, name) => {
              counter.decoded++
              decode(data, name)
            }
            return decoder
          },
        },
      },
    },
  }
  return counter
}

test.for(dialectNames)('the option decides whether %s frames are parsed', async (account) => {
  const client = account === 'chat' ? 'messages' : 'chat'
  const frames = Array.from({ length: 100 }, (_, index) => textEvent(account, ` word ${index}`))
  const decodedWith = async (fastPath: boolean) => {
    const exchange = exchangeOf({ client, account, stream: true })
    const counter = counted(exchange.candidate.dialect)
    const candidate: Candidate = { ...exchange.candidate, dialect: counter.dialect }
    const plan = await approach({ ...exchange, candidate }, [], { fastPath })
    relayed(bytesOf(frames.map((data) => `data: ${JSON.stringify(data)}\n\n`)), plan)
    return counter.decoded
  }
  expect(await decodedWith(false)).toBe(100)
  expect(await decodedWith(true)).toBeLessThan(10)
})

test('the sources import the fast path by its entry alone', () => {
  const folder = 'src/translate/fast-path/'
  const imports = readSources(['src', 'plugins', 'config'])
    .filter(({ path }) => !path.startsWith(folder))
    .flatMap(({ path, imports }) =>
      imports
        .filter((imported) => imported.startsWith(folder))
        .map((imported) => `${path} -> ${imported}`),
    )
  expect(imports).toEqual([`src/translate/observer.ts -> ${folder}index.ts`])
})
