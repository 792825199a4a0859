import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { chatCodec } from '../../plugins/dialects/chat/codec/index.ts'
import { generateCodec } from '../../plugins/dialects/generate/codec/index.ts'
import { messagesCodec } from '../../plugins/dialects/messages/codec/index.ts'
import { responsesCodec } from '../../plugins/dialects/responses/codec/index.ts'
import type { GenerateCodec } from '../../src/contract/codec.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { GatewayError } from '../../src/contract/errors.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import type { EventMapper } from '../../src/generate/mapper.ts'
import { RepeatedFrames } from '../../src/translate/fast-path/repeated-frames.ts'
import { bytesOf } from './bytes-of.ts'
import { approach, exchangeOf } from './kernel.ts'
import type { DialectName } from './clients/index.ts'
import { type Spelling, compact, spelling, streamsOf, textEvent } from './repeating.ts'
import { withoutIds } from './without-ids.ts'

const codecs: Readonly<Record<DialectName, GenerateCodec>> = {
  chat: chatCodec,
  generate: generateCodec,
  messages: messagesCodec,
  responses: responsesCodec,
}

/** The events that are read of frames that come together. */
async function readFrames(account: DialectName, frames: readonly string[], fastPath = true) {
  const client = account === 'chat' ? 'messages' : 'chat'
  const read: GenerateEvent[] = []
  const watcher: EventMapper = {
    map(event, emit) {
      read.push(event)
      emit(event)
    },
  }
  const exchange = exchangeOf({ client, account, stream: true })
  const observer = (await approach(exchange, [watcher], { fastPath })).observer()
  const { phase, error } = observer.observe(Buffer.from(frames.join('')))
  const { completeness } = observer
  return { phase, message: error?.message, completeness, end: observer.end().phase, read }
}

/** The bytes that a client gets of them, chunk by chunk, and then of a stream that breaks. */
async function wireOf(
  client: DialectName,
  account: DialectName,
  frames: readonly string[],
  fastPath = true,
): Promise<string> {
  const exchange = exchangeOf({ client, account, stream: true })
  const observer = (await approach(exchange, [], { fastPath })).observer()
  const wire: (Buffer | undefined)[] = []
  for (const frame of frames) {
    const observation = observer.observe(Buffer.from(frame))
    wire.push(bytesOf(observation))
    if (observation.phase === 'failed') break
  }
  wire.push(
    observer.end().bytes,
    observer.fail(new GatewayError('upstream_stream_broken', 'Cut.')).bytes,
  )
  return withoutIds(Buffer.concat(wire.filter((bytes) => bytes !== undefined)).toString())
}

function frameOf(event: JsonObject, spelling: Spelling = compact): string {
  return spelling(JSON.stringify(event))
}

test.for(['chat', 'messages', 'responses', 'generate'] as const)(
  'a %s account’s frames give the same events, recognized by their bytes or parsed',
  async (account) => {
    await fc.assert(
      fc.asyncProperty(streamsOf(account), spelling, async (events, spelled) => {
        const frames = events.map((event) => frameOf(event, spelled))
        expect(await readFrames(account, frames)).toEqual(await readFrames(account, frames, false))
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
  'a %s client gets the same bytes of a %s account’s frames, recognized or parsed',
  async ([client, account]) => {
    await fc.assert(
      fc.asyncProperty(streamsOf(account), spelling, async (events, spelled) => {
        const frames = events.map((event) => frameOf(event, spelled))
        const wire = await wireOf(client, account, frames, false)
        expect(await wireOf(client, account, frames)).toBe(wire)
        expect(await wireOf(client, account, [frames.join('')])).toBe(wire)
      }),
      { numRuns: 150, endOnFailure: true },
    )
  },
)

test.for(names)('frames of a %s account are known however they are written', async (name) => {
  const written = [compact, (json: string) => compact(json.replaceAll('":', '": '))]
  for (const spelled of written) {
    const frame = Buffer.from(frameOf(textEvent(name, ' “two”\n'), spelled))
    const repeated = new RepeatedFrames(codecs[name].fast!)
    // What comes before an answer does not repeat.
    for (let index = 0; index < 30; index++)
      repeated.learn(`data: {"x":${index}}\n\n`, { x: index })
    repeated.learn(frameOf(textEvent(name, 'one'), spelled), textEvent(name, 'one'))
    expect(repeated.find(frame, 0)).toBe(frame.length)
    expect(frame.toString('utf8', repeated.start, repeated.end)).toBe(' “two”\\n')
  }
})

test('a text that stands in a frame twice is read where it is meant', async () => {
  const delta = (text: string) => `{"type":"text_delta","text":"${text}"}`
  const event = (text: string, other: string) =>
    `{"type":"content_block_delta","index":0,"delta":${delta(text)},"x":{"text":"${other}"}}`
  const frames = [
    [event('\\u003c', '<'), event('\\u003c', 'b')].map((data) => `data: ${data}\n\n`),
    ['a', 'b'].map((other) => `data: ${event('a', '')}\n: ${event(other, '')}\n\n`),
    ['a', 'b'].map((other) => `: ${event(other, '')}\ndata: ${event('a', '')}\n\n`),
  ]
  for (const said of frames) {
    const { read } = await readFrames('messages', said)
    const texts = read.flatMap((one) => (one.type === 'delta' ? [one.text] : []))
    expect(new Set(texts).size).toBe(1)
    expect(texts).toHaveLength(2)
  }
})

test('streams that are read in turns get each their own', async () => {
  const open = async () =>
    (await approach(exchangeOf({ client: 'messages', account: 'chat', stream: true }))).observer()
  const observers = await Promise.all([open(), open(), open()])
  const wires = observers.map(() => '')
  for (let turn = 0; turn < 200; turn++) {
    for (const [index, observer] of observers.entries()) {
      const text = 'ABC'[index]!.repeat(((turn * 7) % 40) + 1)
      const observation = observer.observe(Buffer.from(frameOf(textEvent('chat', text))))
      wires[index] += bytesOf(observation)?.toString() ?? ''
    }
  }
  for (const [index, wire] of wires.entries()) {
    const texts = wire.match(/(?<="text":")[ABC]+(?=")/g) ?? []
    expect(new Set(texts.join(''))).toEqual(new Set('ABC'[index]))
    expect(texts).toHaveLength(200)
  }
})

test('frames that come in a run of any length mean what they say', async () => {
  const words = Array.from({ length: 4_000 }, (_, index) => ` “word”${index}\n`)
  const frames = words.map((text) => frameOf(textEvent('chat', text)))
  const runs = [frames.slice(0, 5), frames.slice(5, 3_900), frames.slice(3_900)]
  const wire = await wireOf(
    'messages',
    'chat',
    runs.map((run) => run.join('')),
  )
  const texts = wire.match(/(?<="text":)"[^,}]+"(?=})/g) ?? []
  expect(texts.map((text) => JSON.parse(text) as string).join('')).toBe(words.join(''))
})

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
    expect(wire).toBe(await wireOf(client, account, frames, false))
  }
})

test('a frame with a zero in it is read each time', () => {
  const event = textEvent('chat', 'word')
  const find = (frame: string) => {
    const repeated = new RepeatedFrames(chatCodec.fast!)
    repeated.learn(frame, event)
    return repeated.find(Buffer.from(frame), 0)
  }
  const frame = frameOf(event)
  expect(find(`: note\n${frame}`)).toBe(frame.length + 7)
  expect(find(`: \0\0\0\0\n${frame}`)).toBe(0)
})

test.for(['obfuscation', 'p'])('a frame that is padded otherwise in %s is known', (name) => {
  const padded = (word: string, padding: string) => ({
    ...textEvent('chat', word),
    [name]: padding,
  })
  const repeated = new RepeatedFrames(chatCodec.fast!)
  const first = padded('word', 'abc')
  repeated.learn(frameOf(first), first)
  const next = frameOf(padded('another', 'abcdefgh'))
  expect(repeated.find(Buffer.from(next), 0)).toBe(Buffer.byteLength(next))
})
