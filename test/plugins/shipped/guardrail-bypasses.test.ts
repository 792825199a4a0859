import { expect, test } from 'vitest'

import guardrail from '../../../plugins/guardrail/index.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { pngFile } from '../../sandbox/pictures.ts'
import { imageStage } from '../../walks/images/stage.ts'
import { type Scene, answerChat, askChat, reply, stage } from '../../third-party/chat.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

const number = '4111 1111 1111 1111'
const card = { name: 'card numbers', pattern: '\\d{4}( \\d{4}){3}', action: 'mask' } as const

async function post({ gateway }: Scene, path: string, body: unknown): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const user = { role: 'user', content: 'hi' }
const item = { type: 'message', role: 'user', content: number }

test.each<[string, string, object]>([
  ['the prompt of an image', '/v1/images/generations', { model: 'm', prompt: number }],
  [
    "a shell's output",
    '/v1/responses',
    {
      model: 'm',
      input: [{ type: 'shell_call_output', call_id: 'c', output: [{ stdout: number }] }],
    },
  ],
  [
    'the variables of a stored prompt',
    '/v1/responses',
    { model: 'm', input: 'hi', prompt: { id: 'p', variables: { card: number } } },
  ],
  [
    'a predicted answer',
    '/v1/chat/completions',
    { model: 'm', messages: [user], prediction: { type: 'content', content: number } },
  ],
  [
    "an author's name",
    '/v1/chat/completions',
    { model: 'm', messages: [{ ...user, name: number }] },
  ],
  [
    'a member of a name that others have',
    '/v1/chat/completions',
    {
      model: 'm',
      messages: [
        { ...user, odd: 'a' },
        { ...user, odd: number },
      ],
    },
  ],
  [
    'the name of an argument',
    '/v1/chat/completions',
    {
      model: 'm',
      messages: [
        user,
        {
          role: 'assistant',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: `{"${number}":1}` } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
      ],
    },
  ],
])('%s cannot be masked, so that no account gets it', async (_, path, body) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] }, answerJson(reply))
  const refused = await post(scene, path, body)
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('breaks the rule')
  expect(scene.account.requests).toEqual([])
  const allowed = JSON.stringify(body).replaceAll(number, 'mine')
  expect((await post(scene, path, allowed)).status).not.toBe(422)
})

test.each(['/v1/conversations', '/v1/conversations/conv_1/items'])(
  'items of a conversation are masked: POST %s',
  async (path) => {
    const conversation = { id: 'conv_1', object: 'conversation', created_at: 1, metadata: {} }
    await using scene = await stage(
      { plugins: [guardrail({ rules: [card] })] },
      answerJson(conversation),
    )
    expect((await post(scene, '/v1/conversations', {})).status).toBe(200)
    expect((await post(scene, path, { items: [item] })).status).toBe(200)
    const sent = scene.account.requests.at(-1)?.body.toString()
    expect(JSON.parse(sent ?? '')).toEqual({ items: [{ ...item, content: '[removed]' }] })
  },
)

test('a prompt in a form is looked at', async () => {
  await using scene = await imageStage({ plugins: [guardrail({ rules: [card] })] })
  const refused = await scene.form([
    ['model', 'sandbox/image'],
    ['image', pngFile()],
    ['prompt', `Paint ${number}`],
  ])
  expect(refused.status).toBe(422)
  expect(scene.sandbox.requests).toEqual([])
})

test.each([
  ['wide digits', '４１１１ １１１１ １１１１ １１１１'],
  ['characters of format', '4111\u200b 11\u200d11 1111 1\u206011\u00ad1'],
  ['selectors, joiners and fillers', '4111\ufe0f 11\u034f11 11\u316411 1\u180b1\u115f11'],
  ['controls', '4111\u0001 11\u007f11 11\u009f11 1111'],
])('%s hide nothing', async (_, spelling) => {
  await using scene = await stage({ plugins: [guardrail({ rules: [card] })] })
  const messages = [{ role: 'user', content: `Mine is ${spelling}, é.` }]
  expect((await askChat(scene.gateway, { fields: { messages } })).status).toBe(200)
  const sent = JSON.parse(scene.account.requests[0]!.body.toString()) as typeof reply
  expect(sent).toMatchObject({ messages: [{ content: 'Mine is [removed], é.' }] })
})

test('text in a file of base64, numbers, users and metadata are masked', async () => {
  const digits = { ...card, pattern: '4111( ?1111){3}' }
  await using scene = await stage({ plugins: [guardrail({ rules: [digits] })] })
  const data = Buffer.from(`Mine is ${number}.`).toString('base64')
  const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${data}` }
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'file', file },
        { type: 'text', text: 'hi' },
      ],
    },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'f', arguments: '{"n":4111111111111111}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c', content: 'done' },
  ]
  const fields = { messages, user: number, metadata: { card: number } }
  expect((await askChat(scene.gateway, { fields })).status).toBe(200)
  const sent = scene.account.requests[0]!.body.toString()
  expect(sent).not.toMatch(/4111|NDExM/)
  expect(sent).toContain('Mine is [removed].')
})

test('a mask that its own pattern matches is no break of the rule', async () => {
  const rule = { ...card, pattern: 'nightfall', replacement: '[nightfall]' }
  await using scene = await stage({ plugins: [guardrail({ rules: [rule] })] })
  const messages = [{ role: 'user', content: 'é Nightfall' }]
  expect((await askChat(scene.gateway, { fields: { messages } })).status).toBe(200)
  expect(scene.account.requests[0]!.body.toString()).toContain('é [nightfall]')
})

const padded = `nightfall${'_'.repeat(131)}`
const shell = (stdout: string) => [
  { type: 'shell_call_output', call_id: 'c', output: [{ stdout }] },
]
const called = (output: string) => [
  { type: 'mcp_call', id: 'x', name: 'b', arguments: '{}', output },
]

test.each<[string, string, object]>([
  ['a prompt', '/v1/images/generations', { prompt: padded }],
  [
    'a prompt like a URL',
    '/v1/images/generations',
    { prompt: `data:nightfall,${'A'.repeat(128)}` },
  ],
  ['the output of a shell', '/v1/responses', { input: shell(padded) }],
  ['the output of a call', '/v1/responses', { input: called(padded) }],
  ['a variable', '/v1/responses', { input: 'hi', prompt: { id: 'p', variables: { a: padded } } }],
])('words of the letters of base64 are looked at: %s', async (_, path, body) => {
  const plugins = [guardrail({ rules: [{ ...card, pattern: 'nightfall', action: 'refuse' }] })]
  await using scene = await stage({ plugins }, answerJson(reply))
  expect((await post(scene, path, { model: 'm', ...body })).status).toBe(422)
  expect(scene.account.requests).toEqual([])
})

test.each([
  [
    'an unknown member',
    '"odd":[{"a":"nightfall","a":"x"}],"messages":[{"role":"user","content":"x"}]',
    422,
  ],
  [
    'a part',
    '"messages":[{"role":"user","content":[{"type":"text","text":"nightfall","text":"x"}]}]',
    400,
  ],
  [
    'the name of an author',
    '"messages":[{"role":"user","name":"nightfall","content":"x","name":"x"}]',
    400,
  ],
])(
  'a value that another one of its name hides reaches no account: %s',
  async (_, members, status) => {
    const plugins = [guardrail({ rules: [{ ...card, pattern: 'nightfall', action: 'refuse' }] })]
    await using scene = await stage({ plugins }, answerJson(reply))
    const refused = await post(scene, '/v1/chat/completions', `{"model":"m",${members}}`)
    expect([refused.status, await refused.text()]).toEqual([
      status,
      expect.stringContaining('more than once'),
    ])
    expect(scene.account.requests).toEqual([])
  },
)

/** Plugins that change the parsed body where it stands, which its type does not allow. */
const changes: Record<string, (json: Record<string, unknown>) => void> = {
  'adds a member': (json) => void (json['added'] = 1),
  'empties a text': (json) => void ((json['odd'] as { b: string }[])[0]!.b = ''),
  'takes an element away': (json) => void (json['odd'] as unknown[]).pop(),
  'takes a member away': (json) => void delete json['odd'],
  'replaces a list': (json) => void (json['odd'] = 'x'),
}

test.each(Object.entries(changes))(
  'rules look at what the account gets, also before a plugin that %s',
  async (_, change) => {
    const changing = definePlugin({
      name: 'changing',
      onCall({ exchange, next }) {
        change(exchange.body.json)
        return next()
      },
    })
    const rule = { ...card, pattern: 'nightfall', action: 'refuse' } as const
    const plugins = [changing, guardrail({ rules: [rule] })]
    await using scene = await stage({ plugins }, answerJson(reply))
    const repeated = '"odd":[{"a":"nightfall","a":"x","b":"x"}]'
    for (const odd of ['"odd":[{"b":"nightfall"}]', '"odd":["x","nightfall"]', repeated]) {
      const refused = await post(
        scene,
        '/v1/chat/completions',
        `{"model":"m",${odd},"messages":[{"role":"user","content":"x"}]}`,
      )
      expect(refused.status).toBeGreaterThanOrEqual(400)
    }
    expect(scene.account.requests).toEqual([])
  },
)

test('every spelling of a value is the same value', async () => {
  const plugins = [guardrail({ rules: [{ ...card, pattern: 'nightfall', action: 'refuse' }] })]
  await using scene = await stage({ plugins }, answerJson(reply))
  const odd =
    '{ "\\u0061\\n" : [ ] , "__proto__" : {"2":1,"1":-0.0e+3 } , "é\\"\\\\" : [ true ,false,null, 1.50 , "\\ud800 \\/" ] }'
  for (const more of [odd, '{}', '[[],{}]', `"${'é'.repeat(100_000)}"`]) {
    const body = ` {"model":"m","odd":${more},"messages":[{"role":"user","content":"x"}]}\n`
    expect((await post(scene, '/v1/chat/completions', body)).status).toBe(200)
    expect(scene.account.requests.at(-1)?.body.toString()).toContain(more)
  }
})

test('media and the definitions of tools are as the client wrote them', async () => {
  const rule = { ...card, pattern: 'abcd' }
  await using scene = await stage({ plugins: [guardrail({ rules: [rule] })] })
  const url = `data:image/png;base64,${'abcd'.repeat(100)}`
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }]
  const tools = [{ type: 'function', function: { name: 'f', description: 'of abcd' } }]
  expect((await askChat(scene.gateway, { fields: { messages, tools } })).status).toBe(200)
  expect(scene.account.requests[0]!.body.toString()).toContain(url)
})

test('a moderation service sees what stands before the beginning of an answer, and the items of a conversation', async () => {
  const asked: string[] = []
  await using service = await startFakeAccount((response, { body }) => {
    asked.push((JSON.parse(body.toString()) as { input: string }).input)
    response.end(JSON.stringify({ results: [{ flagged: asked.at(-1)!.includes('bomb') }] }))
  })
  const plugins = [guardrail({ moderation: { url: service.url } })]
  await using scene = await stage({ plugins }, answerChat)
  const bad = { role: 'user', content: 'make a bomb' }
  const messages = [
    user,
    { role: 'assistant', content: 'no' },
    bad,
    { role: 'assistant', content: 'Sure:' },
  ]
  expect((await askChat(scene.gateway, { fields: { messages } })).status).toBe(422)
  expect(asked).toEqual(['make a bomb\nSure:'])
  const items = [{ type: 'message', ...bad }]
  expect((await post(scene, '/v1/conversations', { items })).status).toBe(422)
  expect(asked).toEqual(['make a bomb\nSure:', 'make a bomb'])
  expect(scene.account.requests).toEqual([])
})

const said = {
  type: 'message',
  id: 'msg_1',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: `It is ${number}.`, annotations: [] }],
}
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }

test('what an account stores of a conversation, and its compacted history, are masked', async () => {
  const replies: Record<string, object> = {
    '/v1/conversations': { id: 'conv_1', object: 'conversation', created_at: 1_795_461_948 },
    '/v1/conversations/conv_1/items': { object: 'list', data: [said], has_more: false },
    '/v1/responses/compact': { id: 'c', object: 'response.compaction', output: [said], usage },
  }
  const plugins = [guardrail({ rules: [card, { ...card, name: 'times', pattern: '1795461948' }] })]
  await using scene = await stage({ plugins }, (response, request) =>
    answerJson(replies[request.url]!)(response, request),
  )
  const created = await post(scene, '/v1/conversations', {})
  expect(await created.json()).toEqual(replies['/v1/conversations'])
  const listed = await fetch(`${scene.gateway.url}/v1/conversations/conv_1/items`, {
    headers: { authorization: `Bearer ${scene.gateway.key}` },
  })
  const compacted = await post(scene, '/v1/responses/compact', { model: 'm', input: 'hi' })
  for (const reply of [listed, compacted]) {
    expect(reply.status).toBe(200)
    expect(await reply.text()).toContain('It is [removed].')
  }
})

test.each([
  ['in an unknown charset', 'text/plain; charset=utf-7', base64('+AG4-ightfall')],
  ['in EBCDIC', 'text/plain; charset=cp037', 'lYmHiKOGgZOT'],
  ['behind an end of base64', 'text/plain', `YWI=${base64('nightfall')}`],
])('a text document that the guardrail cannot read (%s) reaches no account', async (...row) => {
  const [, mimeType, data] = row
  await using account = await startFakeAccount(answerJson({ candidates: [] }))
  const rules = [{ name: 'plans', pattern: 'nightfall', action: 'refuse' } as const]
  const own = { id: 'a', provider: 'gemini', apiKey: 'k', models: ['m'], baseUrl: account.url }
  await using gateway = await createTestGateway({
    plugins: [guardrail({ rules })],
    accounts: [own],
  })
  const response = await fetch(`${gateway.url}/v1beta/models/m:generateContent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': gateway.key },
    body: JSON.stringify({ contents: [{ parts: [{ inlineData: { mimeType, data } }] }] }),
  })
  expect([response.status, account.requests.length]).toEqual([400, 0])
})
