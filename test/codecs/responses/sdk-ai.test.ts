import { generateText, streamText } from 'ai'
import { expect, test } from 'vitest'

import { eventsOf } from '../../../src/generate/replay.ts'
import { encodedResult, framesOf } from './codec.ts'
import { hello, reply, thought, usage, weather } from './replies.ts'
import { serve } from './sdk.ts'

const told = reply([thought, hello, weather], { reason: 'tool_calls' })

test('the AI SDK streams thoughts, text, calls and usage', async () => {
  await using server = await serve('text/event-stream', framesOf(eventsOf(told)))
  const result = streamText({ model: server.aiSdk.responses('m'), prompt: 'hi' })
  expect(await result.text).toBe('Hello there')
  expect(await result.reasoningText).toBe('Let me see.')
  expect(await result.toolCalls).toMatchObject([{ toolCallId: 'call_1', toolName: 'weather' }])
  expect(await result.usage).toMatchObject({
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
  })
})

test('the AI SDK reads the same from JSON', async () => {
  await using server = await serve('application/json', JSON.stringify(encodedResult(told).body))
  const result = await generateText({ model: server.aiSdk.responses('m'), prompt: 'hi' })
  expect(result.text).toBe('Hello there')
  expect(result.reasoningText).toBe('Let me see.')
  expect(result.toolCalls).toMatchObject([{ toolCallId: 'call_1', toolName: 'weather' }])
})

test('the AI SDK learns that a reply was cut off, and takes one without usage', async () => {
  const cut = { ...reply([hello], { reason: 'length' }), usage: {} }
  await using server = await serve('text/event-stream', framesOf(eventsOf(cut)))
  const result = streamText({ model: server.aiSdk.responses('m'), prompt: 'hi' })
  expect(await result.finishReason).toBe('length')
  expect((await result.usage).inputTokens).toBeUndefined()
})
