import { expect, test } from 'vitest'

import {
  eventStream,
  type Framing,
  type GenerateCodec,
  ndjson,
} from '../../src/dialect-kit/index.ts'
import type { GenerateEvent, GenerateRequest } from '../../src/dialect-kit/index.ts'
import { codecContract } from '../../src/testing/index.ts'
import { codecs } from '../codecs/samples/index.ts'
import { ollamaCodec } from '../examples/ollama/plugin.ts'
import { brokenBy } from './broken-by.ts'

const { messages } = codecs
const options = {
  model: 'claude-opus-4-5',
  oneWay: ['reasoning_effort', 'service_tier'],
} as const

type Change = Partial<GenerateCodec>

/** Accounts get a request as if the client had asked for something else. */
const asking = (change: (request: GenerateRequest) => GenerateRequest): Change => ({
  encodeRequest: (request, ...more) => messages.encodeRequest(change(request), ...more),
})

function without<Item extends object>(name: keyof Item, item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([one]) => one !== name)) as Item
}

/** The codec emits other events than the account's stream has. */
const emitting = (change: (event: GenerateEvent) => GenerateEvent[]): Change => ({
  decodeEvents: (request, emit) =>
    messages.decodeEvents(request, (event) => change(event).forEach(emit)),
})

const raw = (name: string) => [
  `a tool of a name ${name} has one name for accounts, and its own in replies`,
]
const cached = ['the tokens of a cache are counted once, and are part of the input']
const signed = (what: string) =>
  `the signature of ${what} returns to its account, or \`forgetsSignatures\` is set`

/** The framing as a codec uses it that does not say which events are errors. */
const withoutErrors: Framing = {
  ...eventStream,
  encode() {
    const encoder = eventStream.encode()
    const frame: typeof encoder.frame = ({ name, data }) => encoder.frame({ name, data })
    return { frame, end: () => encoder.end() }
  },
}

test.each<[string, Change, string[]]>([
  [
    'drops `top_p`',
    asking((request) => ({ ...request, sampling: without('topP', request.sampling) })),
    ['a limit of the probability comes back as it was asked, or is a loss'],
  ],
  [
    'does not make a model call tools',
    asking((request) => without('toolChoice', request)),
    ['a call that is required comes back as it was asked, or is a loss'],
  ],
  [
    'leaves the tokens of a cache out of the input',
    emitting((event) => {
      if (event.type !== 'finish') return [event]
      const { inputTokens = 0, cachedTokens = 0 } = event.usage
      return [{ ...event, usage: { ...event.usage, inputTokens: inputTokens - cachedTokens } }]
    }),
    cached,
  ],
  [
    'tells clients the tokens of a cache twice',
    {
      encodeResult: (result, context) => {
        const { inputTokens = 0, cachedTokens = 0 } = result.usage
        const usage = { ...result.usage, inputTokens: inputTokens + cachedTokens }
        return messages.encodeResult({ ...result, usage }, context)
      },
    },
    cached,
  ],
  [
    'drops the reasoning of replies',
    {
      decodeResult(reply, request) {
        const result = messages.decodeResult(reply, request)
        if (!('choices' in result)) return result
        const choices = result.choices.map(({ content, stop }) => ({
          stop,
          content: content.filter(({ type }) => type !== 'reasoning'),
        }))
        return { ...result, choices }
      },
    },
    ['reasoning of a reply comes back, or is a loss'],
  ],
  [
    'takes a filtered reply for a finished one',
    emitting((event) =>
      event.type === 'stop' && event.stop.reason === 'refused'
        ? [{ ...event, stop: { reason: 'stop' } }]
        : [event],
    ),
    ['a reply that ends with `filtered` is no ordinary one, or a loss'],
  ],
  [
    'writes the name of a tool as the client wrote it',
    {
      encodeRequest(request, ...more) {
        const encoded = messages.encodeRequest(request, ...more)
        const [tool] = request.tools
        if (!tool) return encoded
        return { ...encoded, body: { ...encoded.body, tools: [{ name: tool.name }] } }
      },
    },
    [...raw('with special characters'), ...raw('that is long')],
  ],
  [
    'does not give a client the names of its tools back',
    { decodeResult: (reply, request) => messages.decodeResult(reply, { ...request, tools: [] }) },
    [...raw('with special characters'), ...raw('that is long')],
  ],
  [
    'finishes a stream without the reason of its end',
    {
      decodeEvents(request, emit) {
        const decoder = messages.decodeEvents(request, emit)
        let hasReason = false
        return {
          decode(data, name) {
            hasReason ||= name === 'message_delta'
            if (name === 'message_stop' && !hasReason) {
              emit({ type: 'stop', choice: 0, stop: { reason: 'stop' } })
              return emit({ type: 'finish', usage: {} })
            }
            decoder.decode(data, name)
          },
        }
      },
    },
    ['a stream without the frame that has the reason of its end has no `finish`'],
  ],
  [
    'has no place for the signatures of calls',
    {
      encodeResult: (result, context) => {
        const choices = result.choices.map(({ content, stop }) => ({
          stop,
          content: content.map((part) =>
            part.type === 'tool_call' ? { ...part, signature: undefined } : part,
          ),
        }))
        return messages.encodeResult({ ...result, choices } as typeof result, context)
      },
    },
    [signed('a tool call')],
  ],
  [
    'does not return the reasoning that accounts have signed',
    asking((request) => ({
      ...request,
      turns: request.turns.map((turn) =>
        turn.role === 'assistant'
          ? { ...turn, content: turn.content.filter(({ type }) => type !== 'reasoning') }
          : turn,
      ),
    })),
    [signed('reasoning'), signed('a tool call')],
  ],
])('a codec that %s is found', async (_how, change, names) => {
  const codec = { ...messages, ...change }
  expect(await brokenBy(codecContract({ codec, ...options }))).toEqual(
    expect.arrayContaining(names),
  )
  expect(await brokenBy(codecContract({ codec: messages, ...options }))).toEqual([])
})

test('a codec without a place for signatures that lets the gateway keep them passes', async () => {
  const codec: GenerateCodec = {
    ...messages,
    forgetsSignatures: true,
    encodeResult: (result, context) => {
      const choices = result.choices.map(({ content, stop }) => ({
        stop,
        content: content.map(({ ...part }) => ({ ...part, signature: undefined })),
      }))
      return messages.encodeResult({ ...result, choices } as typeof result, context)
    },
  }
  const found = await brokenBy(codecContract({ codec, ...options }))
  expect(found.filter((name) => name.includes('signature'))).toEqual([])
})

test('a codec that frames the error of a client as a plain event is found', async () => {
  const framed = { framing: eventStream, toolNames: /./ }
  const codec: GenerateCodec = {
    ...ollamaCodec,
    encodeEvents: (context, sink) =>
      ollamaCodec.encodeEvents({ ...context, framing: withoutErrors }, sink),
  }
  expect(await brokenBy(codecContract({ codec, ...framed }))).toEqual([
    'the error of a broken stream is framed as an error',
  ])
  expect(await brokenBy(codecContract({ codec: ollamaCodec, ...framed }))).toEqual([])
})

test('a codec that writes all names of tools as clients do is found, unless accounts accept them', async () => {
  const found = await brokenBy(codecContract({ codec: ollamaCodec, framing: ndjson }))
  expect(found).toEqual([...raw('with special characters'), ...raw('that is long')])
  const accepting = { codec: ollamaCodec, framing: ndjson, toolNames: /./ }
  expect(await brokenBy(codecContract(accepting))).toEqual([])
})
