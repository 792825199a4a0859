import type { OpenAI } from 'openai-7'
import { describe, expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import type { GenerateEvent } from '../../../src/generate/events.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult, StopReason } from '../../../src/generate/result.ts'
import { chatHelpers, openaiVersions } from '../../walks/sdk/openai.ts'
import type { Walk } from '../../walks/sdk/walk.ts'
import { serve } from '../served.ts'

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }]
const asking = { model: 'm', messages }
const withUsage = { ...asking, stream_options: { include_usage: true } }

const call = (id: string, text: string): AssistantPart => ({
  type: 'tool_call',
  id,
  name: 'look',
  kind: 'function',
  arguments: text,
})

function reply(reason: StopReason, ...content: AssistantPart[]): GenerateResult {
  return {
    choices: [{ content, stop: { reason } }],
    usage: { inputTokens: 3, outputTokens: 2, reasoningTokens: 1 },
  }
}

const text: AssistantPart = { type: 'text', text: 'Hi' }
const thought: AssistantPart = { type: 'reasoning', form: 'raw', text: 'Hm.' }
const signed: AssistantPart = {
  ...(call('b', '') as Extract<AssistantPart, { type: 'tool_call' }>),
  signature: { dialect: 'generate-content', value: 'c2ln' },
}

const replies: readonly [string, GenerateResult][] = [
  ['reasoning and text', reply('stop', thought, text)],
  ['text and parallel calls', reply('tool_calls', text, call('a', '{"at":1}'), signed)],
  ['a cut answer', reply('length', text)],
  ['a refusal', reply('refused', { type: 'refusal', text: 'No.' })],
  ['a wordless refusal', reply('refused')],
  ['nothing', reply('stop')],
]

describe.each(openaiVersions)('$name', ({ connect }) => {
  const clientOf = (served: Walk) => connect(served, { maxRetries: 0 })

  test.each(replies)('reads %s alike, as JSON and through its stream helper', async (_, result) => {
    await using served = await serve('chat', { result })
    const whole = await clientOf(served).chat.completions.create(asking)
    const streamed = await chatHelpers(clientOf(served)).stream(withUsage).finalChatCompletion()

    const [expected] = whole.choices
    const [read] = streamed.choices
    expect(read?.finish_reason).toBe(expected?.finish_reason)
    expect(read?.message.content ?? '').toBe(expected?.message.content ?? '')
    expect(read?.message.refusal).toBe(expected?.message.refusal)
    expect(read?.message.tool_calls ?? []).toMatchObject(expected?.message.tool_calls ?? [])
    expect(streamed.usage).toEqual(whole.usage)
    expect(whole.usage?.total_tokens).toBe(5)
  })

  test('reads the pieces of calls that come in turns', async () => {
    const begin = (index: number, id: string): GenerateEvent => ({
      type: 'part',
      index,
      choice: 0,
      part: { type: 'tool_call', id, name: 'look', kind: 'function' },
    })
    const events: GenerateEvent[] = [
      { type: 'start' },
      begin(0, 'a'),
      begin(1, 'b'),
      { type: 'delta', index: 0, text: '{"at":' },
      { type: 'delta', index: 1, text: '{"at":2' },
      { type: 'delta', index: 0, text: '1}' },
      { type: 'delta', index: 1, text: '}' },
      { type: 'end', index: 0 },
      { type: 'end', index: 1 },
      { type: 'stop', choice: 0, stop: { reason: 'tool_calls' } },
      { type: 'finish', usage: {} },
    ]
    await using served = await serve('chat', { result: reply('stop'), events })
    const { choices } = await chatHelpers(clientOf(served)).stream(asking).finalChatCompletion()

    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
      { id: 'b', type: 'function', function: { name: 'look', arguments: '{"at":2}' } },
    ])
  })

  test('has the citations of all texts, and every answer that it asked for', async () => {
    const url = 'https://x.test'
    const cited: AssistantPart = { ...text, citations: [{ url, title: 'X', start: 0, end: 2 }] }
    const one = reply('stop', cited, cited)
    const result = { ...one, choices: [...one.choices, ...one.choices] }
    await using served = await serve('chat', { result })
    const helper = chatHelpers(clientOf(served))
    const { choices } = await helper.stream({ ...asking, n: 2 }).finalChatCompletion()
    const citation = (start_index: number) => ({
      type: 'url_citation',
      url_citation: { url, title: 'X', start_index, end_index: start_index + 2 },
    })

    expect(choices.map(({ message }) => message)).toMatchObject([
      { role: 'assistant', content: 'HiHi', annotations: [citation(0), citation(2)] },
      { role: 'assistant', content: 'HiHi', annotations: [citation(0), citation(2)] },
    ])
  })

  test('reads every chunk by itself, the usage last', async () => {
    const result = reply('stop', text)
    await using served = await serve('chat', { result })
    const chunks = []
    const stream = await clientOf(served).chat.completions.create({ ...withUsage, stream: true })
    for await (const chunk of stream) chunks.push(chunk)

    expect(chunks.map(({ choices }) => choices[0]?.delta.content).join('')).toBe('Hi')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 5 } })
  })

  test('never takes a stream for complete that broke between a reason to stop and its end', async () => {
    const events = eventsOf(reply('stop', text)).slice(0, -1)
    expect(events.at(-1)).toMatchObject({ type: 'stop' })
    await using served = await serve('chat', { result: reply('stop'), events })
    const reasons: unknown[] = []
    const stream = await clientOf(served).chat.completions.create({ ...asking, stream: true })
    for await (const { choices } of stream) reasons.push(choices[0]?.finish_reason)

    expect(new Set(reasons)).toEqual(new Set([null]))
    await expect(
      chatHelpers(clientOf(served)).stream(asking).finalChatCompletion(),
    ).rejects.toThrow('finish_reason')
  })

  test('throws what is told of a failure', async () => {
    const failure = new GatewayError('upstream_stream_broken', 'It broke.')
    const events = eventsOf(reply('stop', text)).slice(0, 3)
    await using served = await serve('chat', { result: reply('stop'), events, failure })
    const { completions } = clientOf(served).chat
    const plain = async () => {
      for await (const _ of await completions.create({ ...asking, stream: true })) void _
    }

    await expect(plain()).rejects.toThrow('It broke.')
    await expect(
      chatHelpers(clientOf(served)).stream(asking).finalChatCompletion(),
    ).rejects.toThrow('It broke.')
  })
})
