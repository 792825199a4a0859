import Anthropic from 'anthropic-0'
import { GoogleGenAI } from 'genai-3'
import { expect, test } from 'vitest'

import { foreign } from '../../requests/edits/tokens.ts'
import { startStage } from './stage.ts'

test('a messages client counts a history that an account of another dialect made', async () => {
  await using stage = await startStage('messages')
  const { gateway } = stage
  const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 })
  const thinking = { type: 'thinking' as const, thinking: 'Hm.', signature: foreign }
  const counted = await client.messages.countTokens({
    model: 'm',
    messages: [
      { role: 'user', content: 'one two' },
      { role: 'assistant', content: [thinking, { type: 'text', text: 'three' }] },
      { role: 'user', content: 'four' },
    ],
  })
  expect(counted.input_tokens).toBe(4)
  expect(stage.asked()[0]!.raw).not.toContain('gw1.')
})

const token = Buffer.from(foreign).toString('base64')
const contents = [
  { role: 'user', parts: [{ text: 'one two' }] },
  { role: 'model', parts: [{ text: 'three', thoughtSignature: token }] },
]

test('a Gemini client counts such a history', async () => {
  await using stage = await startStage('generate')
  const { key, url } = stage.gateway
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  expect((await models.countTokens({ model: 'm', contents })).totalTokens).toBe(3)
  expect(stage.asked()[0]!.raw).not.toContain(token)
})

test('a client that counts a whole Gemini request does so too', async () => {
  await using stage = await startStage('generate')
  const { key, url } = stage.gateway
  const response = await fetch(`${url}/v1beta/models/m:countTokens`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key },
    body: JSON.stringify({ generateContentRequest: { model: 'models/m', contents } }),
  })
  expect(await response.json()).toMatchObject({ totalTokens: 3 })
  expect(stage.asked()[0]!.raw).not.toContain(token)
})
