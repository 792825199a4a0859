import { expect, test } from 'vitest'

import type { GenerateRequest } from '../../../src/generate/request.ts'
import { request } from './codec.ts'
import { startAccount } from './sandbox.ts'

const user = { role: 'user', content: [{ type: 'text', text: 'hi' }] } as const
const weather = { kind: 'function', name: 'weather' } as const
const call = (id: string, name = 'weather') =>
  ({ type: 'tool_call', id, name, kind: 'function', arguments: '' }) as const
const text = (said: string) => ({ type: 'text', text: said }) as const
const bytes = { kind: 'data', base64: 'JVBERi0=' } as const

/** What clients of other dialects ask for, each of it something that OpenAI has its own mind about. */
const requests: Record<string, Partial<GenerateRequest>> = {
  'nothing but a system text': { turns: [{ role: 'system', content: [text('Be brief.')] }] },
  'JSON without saying so': { output: { kind: 'json' } },
  'a format with a name of its own kind': {
    output: { kind: 'schema', name: 'my format!', schema: { type: 'object' } },
  },
  'a tool without parameters': { tools: [weather] },
  'a tool with a long name': { tools: [{ kind: 'function', name: 'a.b/'.repeat(30) }] },
  'a free-text tool with a grammar': {
    tools: [{ kind: 'custom', name: 'c', grammar: { syntax: 'regex', definition: 'a+' } }],
    toolChoice: { mode: 'required', only: ['c'] },
  },
  'one of several tools': {
    tools: [weather, { kind: 'function', name: 'other' }],
    toolChoice: { mode: 'required', only: ['weather', 'other'] },
    parallelToolCalls: false,
  },
  'no tool at all': { tools: [weather], toolChoice: { mode: 'auto', only: [] } },
  'a choice without tools': { toolChoice: { mode: 'required' }, parallelToolCalls: true },
  'parallel calls with long ids, of which one was not answered': {
    turns: [
      user,
      {
        role: 'assistant',
        content: [text('I look.'), call('x'.repeat(300)), call('b'), call('c')],
      },
      {
        role: 'tool',
        results: [
          { callId: 'b', content: [text('2')], failed: true },
          { callId: 'x'.repeat(300), content: [] },
        ],
      },
    ],
  },
  'the result of a call that nobody made': {
    turns: [user, { role: 'tool', results: [{ callId: 'gone', content: [text('2')] }] }],
  },
  'a result with a picture': {
    turns: [
      user,
      { role: 'assistant', content: [call('a')] },
      {
        role: 'tool',
        results: [
          { callId: 'a', content: [text('see'), { type: 'image', source: bytes }], failed: true },
        ],
      },
    ],
  },
  'pictures and documents of all kinds': {
    turns: [
      {
        role: 'user',
        content: [
          { type: 'image', source: bytes, detail: 'original' },
          { type: 'image', source: { kind: 'url', url: 'https://a.example/a.png' } },
          { type: 'file', source: bytes, mediaType: 'application/pdf', title: 'T', context: 'C' },
          { type: 'file', source: { kind: 'url', url: 'https://a.example/a.pdf' } },
          { type: 'file', source: { kind: 'text', text: 'plain' }, title: 'T' },
        ],
      },
    ],
  },
  'answers with refusals, pictures and foreign thoughts': {
    turns: [
      user,
      {
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            form: 'raw',
            text: 'secret',
            signature: { dialect: 'messages', value: 'x' },
          },
          { type: 'reasoning', form: 'raw', text: 'unsigned' },
          { type: 'refusal', text: 'No.' },
          { type: 'image', mediaType: 'image/png', source: bytes },
        ],
      },
      user,
    ],
  },
  'empty turns': {
    turns: [user, { role: 'assistant', content: [] }, { role: 'user', content: [] }, user],
  },
  'a long name of a user, and a tier of another provider': {
    endUser: 'u'.repeat(200),
    cacheKey: 'k'.repeat(200),
    serviceTier: 'standard_only',
  },
  'a budget of thoughts': { reasoning: { budget: 4096, show: true } },
  'no thoughts': { reasoning: { budget: 0 } },
  probabilities: { logprobs: { top: 5 } },
  'all the numbers': {
    sampling: {
      temperature: 1.5,
      topP: 0.5,
      topK: 4,
      seed: 3,
      presencePenalty: 1,
      frequencyPenalty: -1,
    },
    maxOutputTokens: 100,
    stop: ['END'],
    candidates: 2,
  },
}

test.each(Object.entries(requests))('an account takes %s', async (_, told) => {
  await using account = await startAccount()
  await expect(account.ask(request(told))).resolves.toMatchObject({ object: 'response' })
})

test('an account streams what it is asked to stream', async () => {
  await using account = await startAccount()
  const { status, text: frames } = await account.post({ model: 'm', input: 'hi', stream: true })
  expect(status).toBe(200)
  expect(frames).toContain('event: response.completed')
})

test('an account that does not think is not asked for its thoughts', async () => {
  await using account = await startAccount()
  await expect(account.ask(request(), 'gpt-4o-mini')).resolves.not.toHaveProperty('include')
})
