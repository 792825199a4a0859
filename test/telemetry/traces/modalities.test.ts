import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { tracedStage } from './stage.ts'

const chat = '/v1/chat/completions'
const message = { role: 'user', content: 'hi' }

/** A reply of an account to a chat request. */
const completion = (details: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17, ...details },
})

const content = { role: 'model', parts: [{ text: 'x' }] }
const tokens = (modality: string, tokenCount: number) => ({ modality, tokenCount })

test.each([
  [
    'Chat',
    'openai',
    chat,
    { model: 'm', messages: [message] },
    completion({
      prompt_tokens_details: { audio_tokens: 4 },
      completion_tokens_details: { audio_tokens: 3 },
    }),
    { 'audio.input_tokens': 4, 'audio.output_tokens': 3 },
  ],
  [
    'Chat without audio',
    'openai',
    chat,
    { model: 'm', messages: [message] },
    completion({ prompt_tokens_details: { audio_tokens: 0, cached_tokens: 0 } }),
    {},
  ],
  [
    'Gemini',
    'gemini',
    '/v1beta/models/m:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    {
      candidates: [{ content, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 9,
        candidatesTokenCount: 8,
        totalTokenCount: 17,
        promptTokensDetails: [tokens('TEXT', 4), tokens('IMAGE', 5)],
        candidatesTokensDetails: [tokens('IMAGE', 8)],
      },
    },
    { 'image.input_tokens': 5, 'image.output_tokens': 8 },
  ],
  [
    'images',
    'openai',
    '/v1/images/generations',
    { model: 'm', prompt: 'a cat' },
    {
      created: 1,
      data: [{ b64_json: Buffer.from('a picture').toString('base64') }],
      usage: {
        input_tokens: 9,
        output_tokens: 8,
        total_tokens: 17,
        input_tokens_details: { text_tokens: 7, image_tokens: 2 },
        output_tokens_details: { image_tokens: 8 },
      },
    },
    { 'image.input_tokens': 2, 'image.output_tokens': 8 },
  ],
] as const)(
  'the span of a call of %s has the tokens of images and audio that its account reports',
  async (_, provider, path, body, reply, expected) => {
    await using account = await startFakeAccount(answerJson(reply))
    const baseUrl = provider === 'openai' ? `${account.url}/v1` : account.url
    await using stage = await tracedStage({ accounts: [{ provider, baseUrl }] })
    const answer = await stage.ask(path, body)
    await answer.text()
    const spans = await stage.traceOf(answer)
    const { attributes = {} } =
      spans.find((span) => 'gen_ai.operation.name' in span.attributes) ?? {}
    expect(attributes['gen_ai.usage.input_tokens']).toBe(9)
    const special = Object.entries(attributes).filter(([name]) =>
      /^gen_ai\.usage\.(?:text|image|audio)\./.test(name),
    )
    expect(
      Object.fromEntries(
        special.map(([name, value]) => [name.slice('gen_ai.usage.'.length), value]),
      ),
    ).toEqual(expected)
  },
)
