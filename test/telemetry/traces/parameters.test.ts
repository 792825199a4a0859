import { expect, test } from 'vitest'

import { tracedStage } from './stage.ts'
import { spanOf } from './whole.ts'

const model = 'sandbox/echo'
const messages = [{ role: 'user', content: 'hi' }]
const chat = { model, messages }
const responses = { model, input: 'hi' }
const claude = { model, messages, max_tokens: 50 }
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const gemini = `/v1beta/models/${model}:generateContent`
/** Larger than what is parsed again of a large body. */
const schema = {
  type: 'object',
  properties: { a: { type: 'string', description: 'x'.repeat(9_000) } },
}

/** The call's span of a request. */
async function attributesOf(path: string, body: object) {
  await using stage = await tracedStage()
  const reply = await stage.ask(path, body, { 'anthropic-version': '2023-06-01' })
  await reply.text()
  const { attributes } = spanOf(
    await stage.traceOf(reply),
    path === gemini ? 'generate_content' : 'chat',
  )
  return attributes
}

test.each([
  ['/v1/chat/completions', 'xhigh', { ...chat, reasoning_effort: 'xhigh' }],
  ['/v1/responses', 'minimal', { ...responses, reasoning: { effort: 'minimal' } }],
  ['/v1/messages', 'max', { ...claude, output_config: { effort: 'max' } }],
  [gemini, 'high', { contents, generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } } }],
])('the span of a call of %s has its level of reasoning: %s', async (path, level, body) => {
  expect((await attributesOf(path, body))['gen_ai.request.reasoning.level']).toBe(level)
})

test.each([
  ['/v1/chat/completions', 'none', { ...chat, reasoning_effort: null }],
  ['/v1/chat/completions', 'a word of its own', { ...chat, reasoning_effort: 'canary words' }],
  ['/v1/responses', 'a list', { ...responses, reasoning: { effort: ['high'] } }],
])('no level is on the span of a call of %s with %s', async (path, _, body) => {
  expect(await attributesOf(path, body)).not.toHaveProperty(['gen_ai.request.reasoning.level'])
})

test('the settings of a Gemini client are read beside a large schema', async () => {
  const generationConfig = {
    temperature: 0.5,
    thinkingConfig: { thinkingLevel: 'LOW' },
    responseMimeType: 'application/json',
    responseSchema: schema,
  }
  expect(await attributesOf(gemini, { contents, generationConfig })).toMatchObject({
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.reasoning.level': 'low',
  })
})

test('of a large body only small members are read', async () => {
  const long = [{ role: 'user', content: 'x'.repeat(100_000) }]
  const body = { ...claude, messages: long, temperature: 0.5, output_config: { effort: 'low' } }
  const all = { 'gen_ai.request.temperature': 0.5, 'gen_ai.request.reasoning.level': 'low' }
  expect(await attributesOf('/v1/messages', body)).toMatchObject(all)
  const format = { type: 'json_schema', schema }
  const attributes = await attributesOf('/v1/messages', {
    ...body,
    output_config: { effort: 'low', format },
  })
  expect(attributes).toMatchObject({ 'gen_ai.request.temperature': 0.5 })
  expect(attributes).not.toHaveProperty(['gen_ai.request.reasoning.level'])
})
