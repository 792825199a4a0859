import { generateText, streamText } from 'ai'
import { expect, test } from 'vitest'

import type { AssistantPart } from '../../../src/generate/content.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { decode } from './codec.ts'
import { aiProviders } from '../../walks/sdk/ai.ts'
import { genaiVersions } from '../../walks/sdk/genai.ts'
import { serve } from '../served.ts'

const content: AssistantPart[] = [
  {
    type: 'reasoning',
    form: 'summary',
    text: 'Let me see.',
    signature: { dialect: 'messages', value: 'EqQB' },
  },
  { type: 'text', text: 'Checking\n\nnow.' },
  ...['Oslo', 'Rome'].map((city, index) => ({
    type: 'tool_call' as const,
    id: `call_${index}`,
    name: 'weather',
    kind: 'function' as const,
    arguments: JSON.stringify({ city }),
  })),
]

const result: GenerateResult = {
  choices: [{ content, stop: { reason: 'tool_calls' } }],
  usage: { inputTokens: 9, outputTokens: 7, reasoningTokens: 2 },
}

/** What is said without thinking. The SDK's own `text` warns of every other part. */
function textOf(parts: readonly { text?: string; thought?: boolean }[] = []): string {
  return parts.map(({ text = '', thought }) => (thought ? '' : text)).join('')
}

const calls = [
  { id: 'call_0', name: 'weather', args: { city: 'Oslo' } },
  { id: 'call_1', name: 'weather', args: { city: 'Rome' } },
]

test.each(genaiVersions)(
  'a client of the official SDK $name reads a reply',
  async ({ connect }) => {
    await using server = await serve('generate', { result })
    const { models } = connect(server)
    const reply = await models.generateContent({ model: 'house/large', contents: 'Hello' })
    expect(textOf(reply.candidates?.[0]?.content?.parts)).toBe('Checking\n\nnow.')
    expect(reply.functionCalls).toEqual(calls)
    expect(reply.candidates?.[0]?.finishReason).toBe('STOP')
    expect(reply.usageMetadata).toMatchObject({
      promptTokenCount: 9,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 2,
      totalTokenCount: 16,
    })
    expect(reply.modelVersion).toBe('house/large')
  },
)

test.each(genaiVersions)(
  'a client of the official SDK $name reads a stream',
  async ({ connect }) => {
    await using server = await serve('generate', { result })
    const { models } = connect(server)
    const stream = await models.generateContentStream({ model: 'house/large', contents: 'Hello' })
    let text = ''
    const called: unknown[] = []
    const reasons: unknown[] = []
    const totals: unknown[] = []
    for await (const chunk of stream) {
      text += textOf(chunk.candidates?.[0]?.content?.parts)
      called.push(...(chunk.functionCalls ?? []))
      reasons.push(chunk.candidates?.[0]?.finishReason)
      totals.push(chunk.usageMetadata?.totalTokenCount)
    }
    expect(text).toBe('Checking\n\nnow.')
    expect(called).toEqual(calls)
    expect(reasons.at(-1)).toBe('STOP')
    expect(totals.at(-1)).toBe(16)
  },
)

test.each(genaiVersions)(
  'a chat of the official SDK $name sends a streamed answer back whole',
  async ({ connect }) => {
    await using server = await serve('generate', { result })
    const chat = connect(server).chats.create({ model: 'house/large' })
    for await (const _ of await chat.sendMessageStream({ message: 'Hello' }));
    const answers = ['rain', 'sun'].map((output) => ({
      functionResponse: { name: 'weather', response: { output } },
    }))
    for await (const _ of await chat.sendMessageStream({ message: answers }));
    const { turns } = decode(JSON.parse(server.bodies()[1]!) as Record<string, unknown>)
    expect(turns.slice(1)).toEqual([
      { role: 'assistant', content },
      {
        role: 'tool',
        results: ['rain', 'sun'].map((text, index) => ({
          callId: `call_${index}`,
          name: 'weather',
          content: [{ type: 'text', text }],
        })),
      },
    ])
  },
)

test('a client of the AI SDK reads a reply and a stream', async () => {
  await using server = await serve('generate', { result })
  const model = aiProviders
    .find(({ name }) => name === '@ai-sdk/google')!
    .model(server, 'house/large')
  const whole = await generateText({ model, prompt: 'Hello', maxRetries: 0 })
  const streamed = streamText({ model, prompt: 'Hello', maxRetries: 0 })
  for (const reply of [
    whole,
    {
      text: await streamed.text,
      reasoningText: await streamed.reasoningText,
      toolCalls: await streamed.toolCalls,
      finishReason: await streamed.finishReason,
      usage: await streamed.usage,
    },
  ]) {
    expect(reply.text).toBe('Checking\n\nnow.')
    expect(reply.reasoningText).toBe('Let me see.')
    expect(reply.toolCalls.map(({ input }) => input as unknown)).toEqual([
      { city: 'Oslo' },
      { city: 'Rome' },
    ])
    expect(reply.finishReason).toBe('tool-calls')
    expect(reply.usage).toMatchObject({ inputTokens: 9, outputTokens: 7 })
  }
})

test.each(genaiVersions)(
  'a client of the official SDK $name reads an empty and a refused reply',
  async ({ connect }) => {
    const empty: GenerateResult = {
      choices: [{ content: [], stop: { reason: 'length' } }],
      usage: {},
    }
    await using server = await serve('generate', { result: empty })
    const asked = { model: 'm', contents: 'Hello' }
    const reply = await connect(server).models.generateContent(asked)
    expect(reply.candidates?.[0]?.finishReason).toBe('MAX_TOKENS')

    const refusal = { type: 'refusal', text: 'I will not.' } as const
    const choices = [{ content: [refusal], stop: { reason: 'refused' as const } }]
    await using other = await serve('generate', { result: { choices, usage: {} } })
    const refused = await connect(other).models.generateContent(asked)
    expect(refused.text).toBe('I will not.')
    expect(refused.candidates?.[0]?.finishReason).toBe('SAFETY')
  },
)
