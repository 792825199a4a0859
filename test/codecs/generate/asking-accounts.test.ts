import { expect, test } from 'vitest'

import { generateCodec } from '../../../plugins/dialects/generate/codec/index.ts'
import type { Turn } from '../../../src/generate/request.ts'
import { contentsOf, encode, hello, neutral } from './codec.ts'

function say(role: 'user' | 'assistant' | 'system', text: string): Turn {
  return { role, content: [{ type: 'text', text }] }
}

test('an account is asked at the path of its model, for a stream as events', () => {
  const { path, query } = generateCodec.encodeRequest(
    neutral({ stream: true }),
    'models/pub/m:free@1 x',
    () => {},
  )
  expect(path).toBe('/v1beta/models/pub/m:free@1%20x:streamGenerateContent')
  expect(query).toBe('alt=sse')
  const whole = generateCodec.encodeRequest(neutral(), 'gemini-3-flash', () => {})
  expect(whole.path).toBe('/v1beta/models/gemini-3-flash:generateContent')
  expect(whole.query).toBeUndefined()
})

test('all system texts go before the conversation, and neighbours of one role are one content', () => {
  const turns = [
    say('system', 'Be brief.'),
    say('user', 'Hello'),
    say('user', 'there'),
    say('system', 'Be kind.'),
    say('assistant', 'Hi'),
    say('assistant', 'again'),
    say('user', ''),
    say('user', 'Bye'),
  ]
  expect(encode({ turns })).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }, { text: 'there' }] },
      { role: 'model', parts: [{ text: 'Hi' }, { text: 'again' }] },
      { role: 'user', parts: [{ text: 'Bye' }] },
    ],
  })
})

test('a conversation without a first word of the user gets an empty one', () => {
  expect(contentsOf([say('system', 'Say hello.')])).toEqual([
    { role: 'user', parts: [{ text: ' ' }] },
  ])
  expect(contentsOf([say('assistant', 'Hi'), hello])).toMatchObject([
    { role: 'user', parts: [{ text: ' ' }] },
    { role: 'model' },
    { role: 'user' },
  ])
})

test('media go along in their bytes, or by their address where nobody fetched them', () => {
  const turns: Turn[] = [
    {
      role: 'user',
      content: [
        { type: 'image', source: { kind: 'data', base64: 'iVBO\nRw==' }, mediaType: 'image/png' },
        { type: 'image', source: { kind: 'url', url: 'https://a.example/b.png' } },
        { type: 'audio', source: { kind: 'data', base64: 'UklG' }, mediaType: 'audio/wav' },
        {
          type: 'file',
          source: { kind: 'data', base64: 'JVBE' },
          title: 'Report',
          context: 'From May.',
        },
        { type: 'file', source: { kind: 'text', text: 'One. Two.' }, name: 'notes.txt' },
      ],
    },
  ]
  expect(contentsOf(turns)).toEqual([
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } },
        { fileData: { fileUri: 'https://a.example/b.png' } },
        { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
        { text: 'Report\nFrom May.' },
        { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } },
        { text: 'notes.txt\n\nOne. Two.' },
      ],
    },
  ])
})

test('every knob that an account has is turned', () => {
  const { generationConfig } = encode({
    sampling: {
      temperature: 0.5,
      topP: 0.9,
      topK: 3,
      seed: 2 ** 40 + 5,
      presencePenalty: 1,
      frequencyPenalty: -1,
    },
    maxOutputTokens: 10,
    stop: ['', 'END'],
    candidates: 2,
    logprobs: { top: 0 },
    output: { kind: 'schema', schema: { type: 'object' }, name: 'thing', description: 'A thing.' },
  })
  expect(generationConfig).toEqual({
    temperature: 0.5,
    topP: 0.9,
    topK: 3,
    seed: 5,
    presencePenalty: 1,
    frequencyPenalty: -1,
    maxOutputTokens: 10,
    stopSequences: ['END'],
    candidateCount: 2,
    responseLogprobs: true,
    responseMimeType: 'application/json',
    responseJsonSchema: { type: 'object', description: 'A thing.' },
  })
})

test.each([
  [{ maxOutputTokens: 0, settings: { max_output_tokens: 'max_tokens' } }, 'max_tokens'],
  [{ stop: ['a', 'b', 'c', 'd', 'e', 'f'], fields: { stop: 'stop_sequences' } }, 'stop_sequences'],
  [{ candidates: 9, fields: { candidates: 'n' } }, 'n'],
])('a client that asks for more than any account gives is told so: %j', (told, param) => {
  expect(() => encode(told)).toThrow(expect.objectContaining({ code: 'invalid_value', param }))
})
