import { expect, test } from 'vitest'

import type { AssistantPart, Signature } from '../../../src/generate/content.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import { contentsOf, decode, hello, partsIn, read, write } from './codec.ts'
import { reply } from './chunks.ts'

const own: Signature = { dialect: 'generate', value: 'Q2lnbmVk' }
const foreign: Signature = { dialect: 'messages', value: 'EqQB+/=', id: 'x' }

const call: AssistantPart = {
  type: 'tool_call',
  id: 'call_1',
  name: 'weather',
  kind: 'function',
  arguments: '{}',
}
const answered = { role: 'tool', results: [{ callId: 'call_1', content: [] }] } as const

function resultOf(content: readonly AssistantPart[]): GenerateResult {
  return { choices: [{ content, stop: { reason: 'stop' } }], usage: {} }
}

/** What a client that sends the parts of a streamed answer back has said. */
function echoed(content: readonly AssistantPart[]) {
  const parts = partsIn(write(eventsOf(resultOf(content))))
  const contents = parts.map((part) => ({ role: 'model', parts: [part] }))
  return decode({ contents: [{ parts: [{ text: 'Hello' }] }, ...contents] }).turns[1]
}

test('an account that signs the first of parallel calls gets that signature back, and no other', () => {
  const result = read(
    reply([
      { functionCall: { name: 'weather', args: {} }, thoughtSignature: own.value },
      { functionCall: { name: 'weather', args: {} } },
    ]),
  )
  if ('type' in result) throw new Error(result.message)
  const { content } = result.choices[0]!
  expect(content).toMatchObject([{ signature: own }, {}])
  expect(content[1]).not.toHaveProperty('signature')
  expect(contentsOf([hello, { role: 'assistant', content }])).toMatchObject([
    {},
    {
      parts: [
        { functionCall: { name: 'weather' }, thoughtSignature: own.value },
        { functionCall: { name: 'weather' } },
      ],
    },
    { parts: [{ functionResponse: {} }, { functionResponse: {} }] },
  ])
})

test('an account that signs a text in a part behind it gets it back on the text', () => {
  const result = read(reply([{ text: 'Hi' }, { text: '', thoughtSignature: own.value }]))
  if ('type' in result) throw new Error(result.message)
  const { content } = result.choices[0]!
  expect(content).toEqual([{ type: 'text', text: 'Hi', signature: own }])
  expect(contentsOf([hello, { role: 'assistant', content }])).toMatchObject([
    {},
    { parts: [{ text: 'Hi', thoughtSignature: own.value }] },
  ])
})

test('a call that nobody signed here goes to new models with the word that lets it pass', () => {
  const second = { ...call, id: 'call_2' }
  const turns = [
    hello,
    { role: 'assistant', content: [{ ...call, signature: foreign }, second] },
    answered,
  ] as const
  const [, model] = contentsOf(turns) as { parts: { thoughtSignature?: string }[] }[]
  expect(model?.parts.map((part) => part.thoughtSignature)).toEqual([
    'skip_thought_signature_validator',
    undefined,
  ])
  const [, older] = contentsOf(turns, 'gemini-2.5-flash') as (typeof model)[]
  expect(older?.parts.map((part) => part.thoughtSignature)).toEqual([undefined, undefined])
})

test('reasoning that was signed elsewhere, or nowhere, never reaches an account', () => {
  const sent = contentsOf([
    hello,
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', form: 'raw', text: 'secret', signature: foreign },
        { type: 'reasoning', form: 'raw', text: 'secret' },
        { type: 'text', text: 'Hi', signature: foreign },
      ],
    },
    hello,
  ])
  expect(sent).toEqual([
    { role: 'user', parts: [{ text: 'Hello' }] },
    { role: 'model', parts: [{ text: 'Hi' }] },
    { role: 'user', parts: [{ text: 'Hello' }] },
  ])
})

test('reasoning that this dialect signed goes back as it came', () => {
  const content = [
    { type: 'reasoning', form: 'summary', text: 'Let me see.', signature: own },
  ] as const
  expect(contentsOf([hello, { role: 'assistant', content }, hello])).toMatchObject([
    {},
    { parts: [{ text: 'Let me see.', thought: true, thoughtSignature: own.value }] },
    {},
  ])
})

const text: AssistantPart = { type: 'text', text: 'Hi' }
const thought = { type: 'reasoning', form: 'raw', text: 'Hm.', signature: foreign } as const
const silent = { ...thought, text: '' } as const
const redacted = { ...silent, form: 'redacted' } as const

test.each<[string, AssistantPart[]]>([
  ['thoughts', [thought, text]],
  ['thoughts without text', [silent, text]],
  ['thoughts that may not be read', [redacted, call]],
  ['two of them', [redacted, silent, call]],
  ['thoughts before a call that is signed too', [silent, { ...call, signature: own }]],
  ['nothing but thoughts', [redacted]],
  ['a signed call', [{ ...call, signature: { dialect: 'chat', value: 'c2ln' } }]],
  ['a signed text', [{ ...text, signature: foreign }]],
])('a client keeps the foreign signatures of %s and sends them back', (_, content) => {
  expect(echoed(content)).toEqual({ role: 'assistant', content })
})

test('what a client keeps for a foreign signature is valid base64, and names no dialect', () => {
  const [part] = partsIn(write(eventsOf(resultOf([{ ...call, signature: foreign }]))))
  expect(part?.thoughtSignature).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
})

test('a client that leaves thoughts out still brings back what stood on the call', () => {
  const parts = partsIn(write(eventsOf(resultOf([redacted, call]))))
  const kept = parts.filter((part) => part.thought !== true && part.text !== '')
  const { turns } = decode({
    contents: [{ parts: [{ text: 'Hello' }] }, { role: 'model', parts: kept }],
  })
  expect(turns[1]).toEqual({ role: 'assistant', content: [redacted, call] })
})

test('a client that is streamed parallel calls finds what was thought before on the first of them', () => {
  const second: AssistantPart = { ...call, id: 'call_2' }
  const [start, ...events] = eventsOf(resultOf([silent, call, second]))
  const thinking = events.slice(0, 3)
  const calling = events.slice(3, 9)
  const endings = calling.filter(({ type }) => type === 'end')
  const interleaved = [...calling.filter(({ type }) => type !== 'end'), ...endings.toReversed()]
  const parts = partsIn(write([start!, ...thinking, ...interleaved, ...events.slice(9)]))
  expect(parts.map((part) => part.functionCall)).toMatchObject([
    { id: 'call_1' },
    { id: 'call_2' },
    undefined,
  ])
  const contents = [{ role: 'model', parts }]
  expect(decode({ contents: [{ parts: [{ text: 'Hello' }] }, ...contents] }).turns[1]).toEqual({
    role: 'assistant',
    content: [silent, call, second],
  })
})

test.each([
  'skip_thought_signature_validator',
  'gw1.not-a-token',
  Buffer.from('gw1.broken').toString('base64'),
])('a client that sends %s as a signature has sent none', (thoughtSignature) => {
  const { turns } = decode({
    contents: [
      { parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f' }, thoughtSignature }] },
    ],
  })
  expect(turns[1]).toMatchObject({ content: [{ type: 'tool_call' }] })
  expect(turns[1]?.role === 'assistant' && turns[1].content[0]).not.toHaveProperty('signature')
})
