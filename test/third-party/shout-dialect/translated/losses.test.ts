import { describe, expect, test } from 'vitest'

import { answerJson, createTestGateway, startFakeAccount } from '../../../../src/testing/index.ts'
import { shout } from '../index.ts'
import { speak, stage } from '../speaking.ts'
import type { DialectName } from './clients/index.ts'
import { stageForeign } from './stage.ts'
import { strictAccount } from './strict-account.ts'

interface Request {
  readonly path: string
  readonly body: object
}

const text = 'hear me'
const contents = [{ role: 'user', parts: [{ text }] }]
const messages = [{ role: 'user', content: text }]
const picture = 'data:image/png;base64,iVBORw0KGgo='

const generate = (more: object): Request => ({
  path: '/v1beta/models/stentor:generateContent',
  body: { contents, ...more },
})

const send = ({ url, key }: { url: string; key: string }, { path, body }: Request) =>
  fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ model: 'stentor', ...body }),
  })

const dropped: { name: DialectName; request: Request; losses: string }[] = [
  {
    name: 'responses',
    request: { path: '/v1/responses', body: { input: text, text: { verbosity: 'low' } } },
    losses: 'text.verbosity',
  },
  {
    name: 'chat',
    request: {
      path: '/v1/chat/completions',
      body: { messages, seed: 7, temperature: 2, top_p: 0.5, user: 'me' },
    },
    losses: 'seed, temperature, top_p',
  },
  {
    name: 'messages',
    request: { path: '/v1/messages', body: { messages, max_tokens: 9, top_k: 3 } },
    losses: 'top_k',
  },
  {
    name: 'generate',
    request: generate({ generationConfig: { topK: 3 } }),
    losses: 'generationConfig.topK',
  },
]

test.each(dropped)(
  'a client of $name reads which of its settings a shout account does not get',
  async ({ request, losses }) => {
    await using scene = await stage([strictAccount])
    const response = await send(scene.gateway, request)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBe(losses)
  },
)

const refused: { name: DialectName; request: Request; reason: string }[] = [
  {
    name: 'responses',
    request: {
      path: '/v1/responses',
      body: { input: text, text: { format: { type: 'json_object' } } },
    },
    reason: '`text.format`: the Shout API does not hold an answer to a format',
  },
  {
    name: 'chat',
    request: {
      path: '/v1/chat/completions',
      body: {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: picture } }] }],
      },
    },
    reason: '`messages[0].content[0].image_url`: the Shout API takes no images',
  },
  {
    name: 'messages',
    request: {
      path: '/v1/messages',
      body: { max_tokens: 9, messages: [...messages, { role: 'assistant', content: 'HEAR' }] },
    },
    reason: '`messages[1]`: a voice does not go on from the beginning of an answer',
  },
  {
    name: 'generate',
    request: generate({ generationConfig: { candidateCount: 2 } }),
    reason: '`generationConfig.candidateCount`: the Shout API gives one answer to a request',
  },
]

test.each(refused)(
  'a client of $name is refused what a shout account could not answer',
  async ({ request, reason }) => {
    await using scene = await stage([strictAccount])
    const response = await send(scene.gateway, request)
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { message: string } }
    expect(error.message).toContain(reason)
    expect(scene.accounts[0]!.requests).toEqual([])
  },
)

test('a stop sequence ends an answer of a shout account, which knows of none', async () => {
  await using scene = await stage([strictAccount])
  const path = '/v1/chat/completions'
  const response = await send(scene.gateway, { path, body: { messages, stop: [' ME'] } })
  expect(await response.json()).toMatchObject({
    choices: [{ message: { content: 'HEAR' }, finish_reason: 'stop' }],
  })
})

const lines = [
  { by: 'prompter', words: 'Be brief.' },
  { by: 'crowd', words: 'what is there?' },
  { by: 'voice', words: '', calls: [{ id: 'call_1', helper: 'look_out', with: {} }] },
  { by: 'helper', call: 'call_1', words: 'a wall', failed: true },
  { by: 'prompter', words: 'Be kind.' },
  { by: 'crowd', words: 'and now?' },
]

describe('a client of the shout dialect', () => {
  test.each<[DialectName, string]>([
    ['responses', 'echoes, words[3].failed'],
    ['chat', 'echoes, words[3].failed'],
    ['messages', 'echoes, words[4]'],
    ['generate', 'echoes, words[4]'],
  ])('reads what an account of %s does not get', async (name, losses) => {
    await using scene = await stageForeign(name)
    const fields = { voice: 'sandbox/echo', words: lines, echoes: 3 }
    const response = await speak(scene.gateway, { fields })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBe(losses)
  })

  test('is refused what only a shout account could go on from', async () => {
    await using scene = await stageForeign('chat')
    const words = [...lines, { by: 'voice', words: 'NOW' }]
    const response = await speak(scene.gateway, { fields: { voice: 'sandbox/echo', words } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      number: 400,
      oops: expect.stringContaining('use a model of an account that speaks the Shout API'),
    })
    expect(scene.sandbox.requests).toEqual([])
  })

  test.each([
    [[], 'words'],
    [[{ by: 'ghost', words: 'boo' }], 'words[0].by'],
    [[{ by: 'crowd' }], 'words[0].words'],
    [[{ by: 'helper', words: 'a wall' }], 'words[0].call'],
    [['boo'], 'words[0]'],
  ])('is refused words that nobody can read: %j', async (words, about) => {
    await using scene = await stageForeign('chat')
    const response = await speak(scene.gateway, { fields: { voice: 'sandbox/echo', words } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ number: 400, about })
  })

  test('reads which parts of a reply no words can hold', async () => {
    const message = {
      role: 'assistant',
      content: 'Look.',
      images: [{ image_url: { url: picture } }],
    }
    await using account = await startFakeAccount(
      answerJson({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    )
    await using gateway = await createTestGateway({
      plugins: [shout()],
      accounts: [
        {
          id: 'painter',
          provider: 'openai-compatible',
          baseUrl: `${account.url}/v1`,
          apiKey: 'key',
          models: ['*'],
        },
      ],
    })
    const response = await speak(gateway)
    expect(await response.json()).toMatchObject({ echo: 'Look.', end: 'done' })
    expect(response.headers.get('x-dragoman-losses')).toBe('echo.image')
  })
})
