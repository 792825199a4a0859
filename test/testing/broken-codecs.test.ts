import { expect, test } from 'vitest'

import { type GenerateCodec, type GenerateRequest, ndjson } from '../../src/dialect-kit/index.ts'
import { codecContract } from '../../src/testing/index.ts'
import { ollamaCodec } from '../examples/ollama/plugin.ts'
import { brokenBy } from './broken-by.ts'

type Change = Partial<GenerateCodec>

const ofOllama = { framing: ndjson, toolNames: /./ }

const supportsBut = (left: string) => ollamaCodec.supports.filter((feature) => feature !== left)

/** The codec reads a request as if the client had asked for something else. */
const readingRequests = (change: (request: GenerateRequest) => GenerateRequest): Change => ({
  decodeRequest: (raw) => change(ollamaCodec.decodeRequest(raw)),
})

/** The codec writes a request as if the client had asked for something else. */
const writingRequests = (change: (request: GenerateRequest) => GenerateRequest): Change => ({
  encodeRequest: (request, ...more) => ollamaCodec.encodeRequest(change(request), ...more),
})

test.each<[string, Change, string[]]>([
  [
    'drops the seed of a request in silence',
    writingRequests((request) => ({ ...request, sampling: {} })),
    ['a limit and a temperature comes back as it was asked', 'seed is supported, and written'],
  ],
  [
    'does not read the limit of a client',
    readingRequests((request) => ({ ...request, maxOutputTokens: 1 })),
    ['a limit and a temperature comes back as it was asked'],
  ],
  [
    'forgets that a client uses images',
    readingRequests((request) => ({ ...request, fields: {} })),
    ['image_input is supported, and written'],
  ],
  [
    'writes stop sequences, and forgets to support them',
    { supports: supportsBut('stop') },
    ['stop is not supported, and not written'],
  ],
  [
    'supports what it does not write',
    { supports: [...ollamaCodec.supports, 'candidates'] },
    ['candidates is supported, and written'],
  ],
  [
    'supports and lacks one feature',
    { lacks: { stop: { treatment: 'warn', reason: 'there are none' } } },
    ['every feature is supported or lacking, and not both'],
  ],
  [
    'reports a loss for what it supports',
    {
      encodeRequest(request, model, drop) {
        if (request.stop) drop('stop', 'there are none')
        return ollamaCodec.encodeRequest(request, model, drop)
      },
    },
    ['stop is supported, and written'],
  ],
  [
    'takes a limit for an end',
    {
      decodeResult(reply, request) {
        return ollamaCodec.decodeResult({ ...reply, done_reason: 'stop' }, request)
      },
    },
    ['a reply of a text that is cut by the limit comes back as it was'],
  ],
  [
    'loses the usage of streams',
    {
      decodeEvents: (request, emit) =>
        ollamaCodec.decodeEvents(request, (event) =>
          emit(event.type === 'finish' ? { ...event, usage: {} } : event),
        ),
    },
    ['the events of a text are the same reply', 'the events of a call are the same reply'],
  ],
  [
    'finishes every stream',
    {
      decodeEvents(request, emit) {
        const decoder = ollamaCodec.decodeEvents(request, emit)
        return { ...decoder, end: () => emit({ type: 'finish', usage: {} }) }
      },
    },
    ['the events of a broken stream are an error or end without `finish`'],
  ],
  [
    'finishes a stream before its error',
    {
      decodeEvents: (request, emit) =>
        ollamaCodec.decodeEvents(request, (event) => {
          if (event.type === 'error') emit({ type: 'finish', usage: {} })
          emit(event)
        }),
    },
    ['the events of a broken stream are an error or end without `finish`'],
  ],
  [
    'does not end its parts',
    {
      decodeEvents: (request, emit) =>
        ollamaCodec.decodeEvents(request, (event) => {
          if (event.type !== 'end') emit(event)
        }),
    },
    ['the events of a text are the same reply'],
  ],
])('a codec that %s is found', async (_how, change, names) => {
  const codec = { ...ollamaCodec, ...change }
  const found = await brokenBy(codecContract({ codec, ...ofOllama }))
  expect(found).toEqual(expect.arrayContaining(names))
  expect(await brokenBy(codecContract({ codec: ollamaCodec, ...ofOllama }))).toEqual([])
})

test('a feature that is declared one way, and is not written, is found', async () => {
  const codec = { ...ollamaCodec, supports: [...ollamaCodec.supports, 'candidates' as const] }
  const oneWay = ['candidates'] as const
  const found = await brokenBy(codecContract({ codec, ...ofOllama, oneWay }))
  expect(found).toEqual(['candidates is supported, and written'])
})

test('a feature that is declared one way, and is none, is found', async () => {
  const oneWay = ['seed'] as const
  const found = await brokenBy(codecContract({ codec: ollamaCodec, ...ofOllama, oneWay }))
  expect(found).toEqual(['seed is supported, and written'])
})
