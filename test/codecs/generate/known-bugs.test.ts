import { expect, test } from 'vitest'

import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { ToolCallPart } from '../../../src/generate/content.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { chunk, reply } from './chunks.ts'
import { collect, contentsOf, context, decode, encode, hello, read, readEvents } from './codec.ts'

function callsIn(result: GenerateResult | undefined): ToolCallPart[] {
  const { content } = result!.choices[0]!
  return content.filter((part) => part.type === 'tool_call')
}

const twice = [1, 2].map((n) => ({ functionCall: { name: 'weather', args: { n } } }))

test('litellm#25561: the arguments of a streamed call are there', () => {
  const events = readEvents([chunk([twice[0]!], { finishReason: 'STOP' })])
  expect(events).toContainEqual({ type: 'delta', index: 0, text: '{"n":1}' })
})

test('litellm#25322, #16893: the signature of a call comes back to the account that signed it', () => {
  const signed = { ...twice[0]!, thoughtSignature: 'c2lnbmVk' }
  const result = collect(readEvents([chunk([signed], { finishReason: 'STOP' })]))
  const sent = contentsOf([hello, { role: 'assistant', content: callsIn(result) }])
  expect(sent).toMatchObject([{}, { parts: [{ thoughtSignature: 'c2lnbmVk' }] }, {}])
})

test('litellm google adapter: parallel calls of one tool do not share an id', () => {
  const result = collect(readEvents([chunk(twice, { finishReason: 'STOP' })]))
  expect(new Set(callsIn(result).map(({ id }) => id)).size).toBe(2)
})

test('litellm google adapter: pictures, JSON schemas and allowed names are not ignored', () => {
  const request = decode({
    contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }] }],
    tools: [{ functionDeclarations: [{ name: 'a', parametersJsonSchema: { type: 'object' } }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } },
  })
  expect(request).toMatchObject({
    turns: [{ content: [{ type: 'image' }] }],
    tools: [{ parameters: { type: 'object' } }],
    toolChoice: { mode: 'required', only: ['a'] },
  })
})

test('litellm google adapter: a stream that breaks does not end as a success', () => {
  expect(collect(readEvents([chunk([{ text: 'Hel' }])]))).toBeUndefined()
})

test('litellm chat adapter: text beside calls is kept', () => {
  const result = collect(readEvents([chunk([{ text: 'Hm.' }, ...twice], { finishReason: 'STOP' })]))
  expect(result?.choices[0]?.content.map(({ type }) => type)).toEqual([
    'text',
    'tool_call',
    'tool_call',
  ])
})

test('litellm chat adapter: a choice of no tool is asked for', () => {
  const tools = [{ kind: 'function', name: 'a' }] as const
  expect(encode({ tools, toolChoice: { mode: 'none' } }).toolConfig).toEqual({
    functionCallingConfig: { mode: 'NONE' },
  })
})

test('litellm chat adapter: a result of several texts is one response, and a failed one says so', () => {
  const call = { type: 'tool_call', id: 'c', name: 'a', kind: 'function', arguments: '' } as const
  const texts = ['one', 'two'].map((text) => ({ type: 'text' as const, text }))
  const sent = contentsOf([
    hello,
    { role: 'assistant', content: [call] },
    { role: 'tool', results: [{ callId: 'c', content: texts, failed: true }] },
  ])
  expect((sent as { parts: unknown[] }[])[2]?.parts).toEqual([
    { functionResponse: { id: 'c', name: 'a', response: { error: 'one\ntwo' } } },
  ])
})

test('litellm#29518, #20433: reasoning of other dialects is shown as thoughts', () => {
  const content = [{ type: 'reasoning', form: 'raw', text: 'Hm.' } as const]
  const result = { choices: [{ content, stop: { reason: 'stop' } as const }], usage: {} }
  const { body } = generateCodec.encodeResult(result, context())
  expect(body.candidates).toMatchObject([{ content: { parts: [{ text: 'Hm.', thought: true }] } }])
})

test('litellm responses adapter: reasoning is not replayed as an answer', () => {
  const content = [{ type: 'reasoning', form: 'raw', text: 'secret' } as const]
  expect(JSON.stringify(contentsOf([hello, { role: 'assistant', content }, hello]))).not.toContain(
    'secret',
  )
})

test('portkey google: a result without a name goes under the name of its call', () => {
  const call = {
    type: 'tool_call',
    id: 'c',
    name: 'weather',
    kind: 'function',
    arguments: '',
  } as const
  const sent = contentsOf([
    hello,
    { role: 'assistant', content: [call] },
    { role: 'tool', results: [{ callId: 'c', content: [] }] },
  ])
  expect(sent).toMatchObject([
    {},
    { parts: [{ functionCall: { args: {} } }] },
    { parts: [{ functionResponse: { name: 'weather' } }] },
  ])
})

test('portkey google: all system messages and all their parts are kept', () => {
  const system = (...texts: string[]) => ({
    role: 'system' as const,
    content: texts.map((text) => ({ type: 'text' as const, text })),
  })
  expect(encode({ turns: [system('a', 'b'), system('c'), hello] }).systemInstruction).toEqual({
    parts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
  })
})

test('portkey google: a reply with calls stops for them, and thoughts count as output', () => {
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 3 }
  expect(read({ ...reply(twice), usageMetadata })).toMatchObject({
    choices: [{ stop: { reason: 'tool_calls' } }],
    usage: { outputTokens: 5, reasoningTokens: 3 },
  })
})

test('portkey google, rust-genai#173: every part of a chunk is read, not only one', () => {
  const result = collect(readEvents([chunk(twice), chunk(twice, { finishReason: 'STOP' })]))
  expect(callsIn(result).map((call) => call.arguments)).toEqual([
    '{"n":1}',
    '{"n":2}',
    '{"n":1}',
    '{"n":2}',
  ])
})

test('portkey google: thinking is asked for in one spelling', () => {
  const { generationConfig } = encode({ reasoning: { effort: 'high' } })
  expect(Object.keys(generationConfig as object)).toEqual(['thinkingConfig'])
})
