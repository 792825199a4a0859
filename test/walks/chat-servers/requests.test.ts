import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'

const reply = {
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

const user = { role: 'user', content: 'hi' }
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const get = { type: 'function', name: 'get', description: 'd', parameters }

/** A gateway before one chat server. `ask` returns what the server got, and the named losses. */
async function before(settings: object = {}) {
  const server = await startFakeAccount(answerJson(reply))
  const account = { id: 'a', baseUrl: `${server.url}/v1`, speaks: ['chat'], models: ['m'] }
  const gateway = await createTestGateway({
    accounts: [{ ...account, provider: 'openai-compatible', ...settings }],
  })
  return {
    async ask(path: string, fields: object) {
      const response = await fetch(`${gateway.url}/v1/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${gateway.key}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
        body: JSON.stringify({ model: 'm', ...fields }),
      })
      expect(response.status, await response.text()).toBe(200)
      const sent = JSON.parse(server.requests.at(-1)!.body.toString())
      return { sent, losses: response.headers.get('x-dragoman-losses') }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

const hints = {
  input: 'hi',
  store: false,
  prompt_cache_key: 'c',
  service_tier: 'auto',
  safety_identifier: 'u1',
  tools: [{ ...get, strict: false }],
}

test('a chat server gets no hints that it may not know', async () => {
  await using gateway = await before()
  const { sent, losses } = await gateway.ask('responses', hints)
  expect(sent).toEqual({
    model: 'm',
    messages: [user],
    tools: [{ type: 'function', function: { name: 'get', description: 'd', parameters } }],
    user: 'u1',
  })
  expect(losses).toBeNull()
})

test('the end user of a Messages client goes to a chat server as `user` alone', async () => {
  await using gateway = await before()
  const metadata = { user_id: 'u1' }
  const fields = { max_tokens: 50, metadata, messages: [user], service_tier: 'standard_only' }
  const { sent, losses } = await gateway.ask('messages', fields)
  expect(sent).toEqual({ model: 'm', messages: [user], max_tokens: 50, user: 'u1' })
  expect(losses).toBeNull()
})

test('a value with an effect is named as a loss', async () => {
  await using gateway = await before()
  const tools = [{ ...get, strict: true }]
  const { sent, losses } = await gateway.ask('responses', { ...hints, tools, service_tier: 'flex' })
  expect(sent).not.toHaveProperty('service_tier')
  expect(sent.tools[0].function).not.toHaveProperty('strict')
  expect(losses).toBe('service_tier, tools[0].strict')
})

test.each([
  ['an account that takes all hints', { lacks: [] }],
  ['an account of OpenAI', { provider: 'openai' }],
])('%s gets them', async (_, settings) => {
  await using gateway = await before(settings)
  const { sent } = await gateway.ask('responses', hints)
  expect(sent).toMatchObject({ prompt_cache_key: 'c', service_tier: 'auto', store: false })
  expect(sent).toMatchObject({ safety_identifier: 'u1', tools: [{ function: { strict: false } }] })
})

test('a native call has its hints and its messages as the client wrote them', async () => {
  await using gateway = await before()
  const messages = [user, { role: 'system', content: 'Stop.' }, user, user]
  const native = { messages, store: false, prompt_cache_key: 'c', service_tier: 'auto' }
  expect((await gateway.ask('chat/completions', native)).sent).toEqual({ model: 'm', ...native })
})

const developer = (content: string) => ({ role: 'developer', content })
const system = (content: string) => ({ role: 'system', content })

test('system texts become one message at the start, neighbouring users one message', async () => {
  await using gateway = await before()
  const { sent, losses } = await gateway.ask('responses', {
    instructions: 'Be brief.',
    input: [developer('No files.'), user, { role: 'user', content: 'and?' }],
  })
  expect(sent.messages).toEqual([
    system('Be brief.\n\nNo files.'),
    { role: 'user', content: 'hi\n\nand?' },
  ])
  expect(losses).toBeNull()
})

test('texts of neighbouring messages with images do not become one word that no guardrail has seen', async () => {
  await using gateway = await before()
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
  const text = (content: string) => ({ type: 'input_text', text: content })
  const { sent } = await gateway.ask('responses', {
    input: [
      { role: 'user', content: [image, text('night')] },
      { role: 'user', content: [text('fa'), text('ll')] },
      { role: 'user', content: 's' },
    ],
  })
  expect(sent.messages).toMatchObject([
    {
      role: 'user',
      content: [
        { type: 'image_url' },
        { type: 'text', text: 'night' },
        { type: 'text', text: '\n\nfa' },
        { type: 'text', text: 'll' },
        { type: 'text', text: '\n\ns' },
      ],
    },
  ])
})

test('a system text in the middle moves to the start, and is named', async () => {
  await using gateway = await before()
  const input = [user, { role: 'assistant', content: 'yes' }, developer('Late.'), user]
  const { sent, losses } = await gateway.ask('responses', { instructions: 'Early.', input })
  const answer = { role: 'assistant', content: 'yes' }
  expect(sent.messages).toEqual([system('Early.\n\nLate.'), user, answer, user])
  expect(losses).toBe('input[2]')
})

test('lists of texts become strings, and lists with an image stay one list', async () => {
  await using gateway = await before()
  const text = (words: string) => ({ type: 'text', text: words })
  const url = 'data:image/png;base64,iVBORw0KGgo='
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
  const { sent } = await gateway.ask('messages', {
    max_tokens: 50,
    system: [text('a'), text('b')],
    messages: [
      { role: 'user', content: [text('c'), text('d')] },
      { role: 'assistant', content: [text('e')] },
      { role: 'user', content: [text('f')] },
      { role: 'user', content: [{ type: 'image', source }] },
    ],
  })
  expect(sent.messages).toEqual([
    system('a\n\nb'),
    { role: 'user', content: 'c\n\nd' },
    { role: 'assistant', content: 'e' },
    { role: 'user', content: [text('f'), { type: 'image_url', image_url: { url } }] },
  ])
})

test('the hint of JSON mode does not make a second system message', async () => {
  await using gateway = await before()
  const text = { format: { type: 'json_object' } }
  const { sent } = await gateway.ask('responses', { instructions: 'Be brief.', input: 'hi', text })
  expect(sent.messages).toEqual([system('Answer with a JSON object.\n\nBe brief.'), user])
})

test('accounts of OpenAI get system texts where the client wrote them', async () => {
  await using gateway = await before({ provider: 'openai' })
  const input = [user, developer('Late.'), user, user]
  const { sent } = await gateway.ask('responses', { instructions: 'Early.', input })
  expect(sent.messages).toEqual([system('Early.'), user, system('Late.'), user, user])
})

test('what an account lacks is left out and named', async () => {
  await using gateway = await before({ lacks: ['reasoning', 'verbosity', 'temperature_above_1'] })
  const { sent, losses } = await gateway.ask('responses', {
    input: 'hi',
    reasoning: { effort: 'high' },
    temperature: 1.5,
    text: { verbosity: 'low' },
  })
  expect(sent).toEqual({ model: 'm', messages: [user], temperature: 1 })
  expect(losses?.split(', ').toSorted()).toEqual([
    'reasoning.effort',
    'temperature',
    'text.verbosity',
  ])
})
