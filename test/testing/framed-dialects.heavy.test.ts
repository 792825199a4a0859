import { describe, expect, test } from 'vitest'

import {
  defineDialect,
  type Framing,
  type GatewayPlugin,
  type GenerateCodec,
  GatewayError,
  hasClients,
  ndjson,
  type Observer,
  sse,
} from '../../src/dialect-kit/index.ts'
import { dialectContract, type DialectSample } from '../../src/testing/index.ts'
import { ollama } from '../examples/ollama/plugin.ts'
import { events, type Framed, framedDialect, framings } from '../framing/framed.ts'
import { brokenBy } from './broken-by.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const line = (content: string, more: object = { done: false }) =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, ...more })}\n`
const end = { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 2 }

const sample: DialectSample = {
  provider: 'ollama',
  path: '/api/chat',
  request: { model: 'm', messages, stream: false },
  streamRequest: { model: 'm', messages },
  reply: JSON.parse(line('Hello there', end)) as object,
  frames: [line('Hello '), line('there'), line('', end)],
  errorFrames: (message) => [`${JSON.stringify({ error: message })}\n`],
  isError: (data) => data.trim().startsWith('{"error":'),
}

describe('a dialect of lines', () => {
  for (const check of dialectContract({ plugins: [ollama()], sample })) test(check.name, check.run)
})

describe.each(framings)('a dialect that streams in $name', (framed) => {
  const plugins = [framedDialect(framed.framing)]
  const checks = dialectContract({ plugins, sample: sampleIn(framed) })
  for (const check of checks) test(check.name, check.run)
})

/** The sample of the Messages API in another framing. */
function sampleIn({ framing, write }: Framed): DialectSample {
  const body = { model: 'm', max_tokens: 9, messages }
  return {
    provider: 'framed',
    path: '/framed/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    request: body,
    streamRequest: { ...body, stream: true },
    reply: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [] },
    // The end of an array is the end of the last event.
    frames: [
      ...write(events).slice(0, events.length - 1),
      Buffer.concat(write(events).slice(-lastOf(framing))),
    ],
    errorFrames: (message) => write([events[0]!, failure(message)]).slice(1, 2),
  }
}

const failure = (message: string) => ({ type: 'error', error: { type: 'api_error', message } })

interface Said {
  readonly error?: string
}

const lastOf = (framing: Framing) => (framing.hasEnd ? 2 : 1)

/** The dialect of lines with an observer that is changed, or with another framing. */
function broken(change: { framing?: Framing; observer?: (own: Observer) => Partial<Observer> }) {
  const [dialect] = (ollama().dialects ?? []).filter(hasClients)
  const operations = dialect!.operations.map((operation) => {
    if (!('forward' in operation) || !('observer' in operation.forward)) return operation
    const { forward } = operation
    const observer: typeof forward.observer = (exchange) => {
      const own = forward.observer(exchange)
      const bound: Observer = {
        contentType: own.contentType,
        observe: (frames) => own.observe(frames),
        end: () => own.end(),
        fail: (error) => own.fail(error),
        keepAlive: () => own.keepAlive(),
      }
      return { ...bound, ...change.observer?.(own) }
    }
    return { ...operation, forward: { ...forward, observer } }
  })
  const { framing = ndjson } = change
  return { name: 'broken', dialects: [defineDialect({ ...dialect!, framing, operations })] }
}

const cuts = (after: number) => `a stream that ends after ${after} of 3 frames is no success`
const errors = (after: number) =>
  `error event 1 in a stream, after ${after} of 3 frames, is a failure without secrets`
const ownDefect = new GatewayError('internal_error', 'It is broken.')
const inside = (frame: number) => `a stream that is cut inside frame ${frame} of 3 is no success`

test.each<[string, Parameters<typeof broken>[0], string[]]>([
  [
    'takes its first line for the last one',
    {
      observer: (own) => ({
        observe(frames) {
          return { ...own.observe(frames), phase: 'terminal' }
        },
      }),
    },
    [cuts(1), cuts(2), inside(2), inside(3), errors(1), errors(2)],
  ],
  [
    'takes every end for a good one',
    { observer: () => ({ end: () => ({ phase: 'terminal' }) }) },
    [cuts(0), cuts(1), cuts(2)],
  ],
  [
    'takes a broken stream for its own defect',
    { observer: () => ({ end: () => ({ phase: 'failed', error: ownDefect }) }) },
    [cuts(0), cuts(1), cuts(2)],
  ],
  [
    'takes an error event of the account for output',
    {
      observer: (own) => ({
        observe(frames) {
          const { phase, ...observation } = own.observe(frames)
          if (phase !== 'failed') return { ...observation, phase }
          return { phase: 'output' }
        },
      }),
    },
    [errors(1), errors(2)],
  ],
  [
    'takes an error event of the account for a broken stream',
    {
      observer: (own) => ({
        observe(frames) {
          const observation = own.observe(frames)
          if (observation.phase !== 'failed') return observation
          return { ...observation, error: new GatewayError('upstream_stream_broken', 'It broke.') }
        },
      }),
    },
    [errors(1), errors(2)],
  ],
  [
    'shows an error event of the account in its own words',
    {
      observer: (own) => ({
        observe(frames) {
          const observation = own.observe(frames)
          const { error } = JSON.parse(frames.toString().trim().split('\n').at(-1)!) as Said
          if (error === undefined) return observation
          const rejected = new GatewayError('upstream_rejected', error)
          return { ...observation, phase: 'failed', error: rejected }
        },
      }),
    },
    [errors(1), errors(2)],
  ],
  [
    'is silent where a stream breaks',
    { observer: () => ({ fail: () => ({ bytes: Buffer.alloc(0), ending: 'end' }) }) },
    [cuts(1), cuts(2), inside(2), inside(3), errors(1), errors(2)],
  ],
  [
    'ends a broken stream as a whole one',
    {
      observer: () => ({ fail: () => ({ bytes: Buffer.from(line('', end)), ending: 'end' }) }),
    },
    [cuts(1), cuts(2), inside(2), inside(3), errors(1), errors(2)],
  ],
])('a dialect that %s is found', async (_how, change, names) => {
  const found = await brokenBy(dialectContract({ plugins: [broken(change)], sample }))
  expect(found.toSorted()).toEqual(names.toSorted())
})

const [lines] = (ollama().dialects ?? []).filter(hasClients)
const anybody = { keyId: 'anybody', mayUse: () => true }

test.each<[string, RegExp, GatewayPlugin[]]>([
  ['needs no key', /without a key/, [{ name: 'open', onAuthenticate: () => anybody }, ollama()]],
  [
    'answers for itself',
    /a reply passes|a stream passes/,
    [{ name: 'own', onCall: () => ({ status: 200, headers: {}, body: 'mine' }) }, ollama()],
  ],
  [
    'is silent about what is wrong',
    /is not shown by its error|no object/,
    [{ name: 'mute', dialects: [{ ...lines!, error: () => ({ status: 200, body: {} }) }] }],
  ],
])('a dialect that %s is found out', async (_how, which, plugins) => {
  const found = await brokenBy(dialectContract({ plugins, sample }))
  expect(found.filter((name) => which.test(name))).not.toEqual([])
})

test('a dialect whose codec writes no ends of parts is found', async () => {
  const [dialect] = (framedDialect(sse).dialects ?? []).filter(hasClients)
  const { codec } = dialect!.generate!
  const endless: GenerateCodec = {
    ...codec,
    encodeEvents(context, sink) {
      const encoder = codec.encodeEvents(context, sink)
      const { id, items } = encoder
      return {
        id,
        items,
        encode: (event) => (event.type === 'end' ? undefined : encoder.encode(event)),
        fail: (error) => encoder.fail(error),
      }
    },
  }
  const generate = { ...dialect!.generate!, codec: endless }
  const plugins = [{ name: 'endless', dialects: [{ ...dialect!, generate }] }]
  const found = await brokenBy(dialectContract({ plugins, sample: sampleIn(framings[0]!) }))
  expect(found).toEqual(['a stream of the codec, if there is one, ends its parts as accounts do'])
})

test('a dialect whose codec and whose observer read two statuses from an error is found', async () => {
  const [dialect] = (framedDialect(sse).dialects ?? []).filter(hasClients)
  const upstream = { ...dialect!.upstream!, statusOf: () => 429 }
  const plugins = [{ name: 'of-two-minds', dialects: [{ ...dialect!, upstream }] }]
  const found = await brokenBy(dialectContract({ plugins, sample: sampleIn(framings[0]!) }))
  expect(found).toEqual(['error event 1 has one status, native and translated'])
})

test('a dialect that no whole stream of the sample suits is found by every check of a cut one', async () => {
  const wrong = framings.find(({ name }) => name === 'server-sent events')!
  const plugins = [broken({ framing: wrong.framing })]
  const found = await brokenBy(dialectContract({ plugins, sample }))
  const checks = dialectContract({ plugins, sample }).map(({ name }) => name)
  expect(found).toEqual(checks.filter((name) => /stream/.test(name)))
})

test('a dialect whose operation expects another type is found, though every cut stream fails', async () => {
  const found = await brokenBy(
    dialectContract({
      plugins: [broken({})],
      sample: { ...sample, framing: { ...ndjson, mediaTypes: ['text/plain'] } },
    }),
  )
  expect(found).toEqual(expect.arrayContaining(['a whole stream is a success', cuts(1), inside(2)]))
})
