import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { type Scene, startScene } from './scene.ts'

/** Each member of a request of OpenAI's API that names a file, as the types of its SDK have them. */
const places: readonly {
  readonly param: string
  readonly path: string
  readonly body: (id: string) => object
}[] = [
  ...inItems('content', (part) => ({ role: 'user', content: [part] })),
  ...inItems('output', (part) => ({ type: 'function_call_output', call_id: 'c', output: [part] })),
  ...inItems('output', (part) => ({
    type: 'custom_tool_call_output',
    call_id: 'c',
    output: [part],
  })),
  ofResponses('input[0].output.file_id', (file_id) => ({
    input: [
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', file_id },
      },
    ],
  })),
  ...tools().map(({ param, tool }) =>
    ofResponses(`tools[0].${param}`, (id) => ({ input: 'hi', tools: [tool(id)] })),
  ),
  ...tools().map(({ param, tool }) =>
    ofResponses(`tools[1].tools[0].${param}`, (id) => ({
      input: 'hi',
      tools: [
        { type: 'web_search' },
        { type: 'namespace', name: 'n', description: 'd', tools: [tool(id)] },
      ],
    })),
  ),
  ...tools().map(({ param, tool }) =>
    ofResponses(`tool_choice.tools[0].${param}`, (id) => ({
      input: 'hi',
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [tool(id)] },
    })),
  ),
  ...tools().map(({ param, tool }) =>
    ofResponses(`input[1].tools[0].${param}`, (id) => ({
      input: [
        { role: 'user', content: 'hi' },
        { type: 'additional_tools', role: 'developer', tools: [tool(id)] },
      ],
    })),
  ),
  ...['input_image', 'input_file'].map((type) =>
    ofResponses('prompt.variables.any name.file_id', (file_id) => ({
      prompt: { id: 'pmpt_1', variables: { 'any name': { type, file_id }, text: 't' } },
    })),
  ),
  ...['/v1/responses/input_tokens', '/v1/responses/compact'].map((path) => ({
    path,
    param: 'input[0].content[0].file_id',
    body: (file_id: string) => ({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_file', file_id }] }],
    }),
  })),
  {
    path: '/v1/conversations',
    param: 'items[0].content[0].file_id',
    body: (file_id) => ({ items: [{ role: 'user', content: [{ type: 'input_file', file_id }] }] }),
  },
  {
    path: '/v1/chat/completions',
    param: 'messages[0].content[0].file.file_id',
    body: (file_id) => ({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }],
    }),
  },
  {
    path: '/v1/images/edits',
    param: 'images[1].file_id',
    body: (file_id) => ({
      model: 'm',
      prompt: 'p',
      images: [{ image_url: 'https://example.com/a.png' }, { file_id }],
    }),
  },
  {
    path: '/v1/images/edits',
    param: 'mask.file_id',
    body: (file_id) => ({
      model: 'm',
      prompt: 'p',
      images: [{ image_url: 'https://example.com/a.png' }],
      mask: { file_id },
    }),
  },
  {
    path: '/v1/videos',
    param: 'input_reference.file_id',
    body: (file_id) => ({ model: 'm', prompt: 'p', input_reference: { file_id } }),
  },
]

function ofResponses(param: string, fields: (id: string) => object) {
  return { path: '/v1/responses', param, body: (id: string) => ({ model: 'm', ...fields(id) }) }
}

function inItems(member: string, item: (part: object) => object) {
  return ['input_image', 'input_file'].map((type) =>
    ofResponses(`input[0].${member}[0].file_id`, (file_id) => ({
      input: [item({ type, file_id })],
    })),
  )
}

function tools() {
  return [
    {
      param: 'container.file_ids[1]',
      tool: (id: string) => ({
        type: 'code_interpreter',
        container: { type: 'auto', file_ids: ['file-operators', id] },
      }),
    },
    {
      param: 'environment.file_ids[0]',
      tool: (id: string) => ({
        type: 'shell',
        environment: { type: 'container_auto', file_ids: [id] },
      }),
    },
    {
      param: 'input_image_mask.file_id',
      tool: (file_id: string) => ({ type: 'image_generation', input_image_mask: { file_id } }),
    },
  ]
}

const speaks = ['responses', 'chat', 'images', 'videos', 'files']

describe.each(places)('a file in $param of $path', ({ path, param, body }) => {
  test('reaches the account that has it by the account’s id, and is unknown to other keys', async () => {
    await using scene = await startScene({}, { a: { speaks }, b: { speaks } })
    const id = await upload(scene)
    const owner = scene.requests.at(-1)?.account
    scene.answer = answerJson({ id: 'x_1', object: 'response', status: 'completed', output: [] })
    for (let call = 0; call < 3; call++) {
      await scene.ask('one', path, body(id))
      const { account, body: sent } = scene.requests.at(-1)!
      expect(account).toBe(owner)
      expect(JSON.parse(sent.toString())).toEqual(body('file-up'))
    }
    const before = scene.requests.length
    const refused = await scene.ask('two', path, body(id))
    expect(refused).toMatchObject({ status: 404, json: { error: { param } } })
    await scene.ask('two', path, body('file-up'))
    const reached = scene.requests.slice(before).map(({ account }) => account)
    expect(reached).not.toContain(owner)
  })
})

test('a file in the form of a video reaches the account that has it by the account’s id', async () => {
  await using scene = await startScene({}, { a: { speaks }, b: { speaks } })
  const id = await upload(scene)
  const owner = scene.requests.at(-1)?.account
  const asking = (key: string) => {
    const form = new FormData()
    for (const [name, value] of [
      ['model', 'm'],
      ['input_reference[file_id]', id],
      ['prompt', 'p'],
    ] as const)
      form.append(name, value)
    return send(scene, key, '/v1/videos', form)
  }
  scene.answer = answerJson({ id: 'video_1', object: 'video', status: 'queued' })
  for (let call = 0; call < 3; call++) {
    expect((await asking('one')).status).toBe(200)
    const { account, body } = scene.requests.at(-1)!
    expect([account, body.includes('file-up'), body.includes(id)]).toEqual([owner, true, false])
  }
  const before = scene.requests.length
  const refused = await asking('two')
  expect([refused.status, await refused.json()]).toMatchObject([
    404,
    { error: { param: 'input_reference.file_id' } },
  ])
  expect(scene.requests).toHaveLength(before)
})

const url = 'https://example.com/a.png'
const beside: readonly (readonly [path: string, body: (file_id: string) => object])[] = [
  ...[
    { type: 'input_image', image_url: url },
    { type: 'input_file', file_url: url },
    { type: 'input_file', file_data: 'data:text/plain;base64,eA==', filename: 'a.txt' },
  ].map(
    (part) =>
      [
        '/v1/responses',
        (file_id: string) => ({
          model: 'm',
          input: [{ role: 'user', content: [{ ...part, file_id }] }],
        }),
      ] as const,
  ),
  [
    '/v1/responses',
    (file_id) => ({
      model: 'm',
      input: 'hi',
      tools: [{ type: 'image_generation', input_image_mask: { image_url: url, file_id } }],
    }),
  ],
  [
    '/v1/chat/completions',
    (file_id) => ({
      model: 'm',
      messages: [
        { role: 'user', content: [{ type: 'file', file: { file_data: 'data:,x', file_id } }] },
      ],
    }),
  ],
]

test.each(beside)(
  'what stands beside an id hides no file of another key: %s',
  async (path, body) => {
    await using scene = await startScene({}, { a: { speaks } })
    const id = await upload(scene)
    const before = scene.requests.length
    for (const [named, status] of [
      [id, 404],
      ['file-up', 400],
    ] as const)
      expect((await scene.ask('two', path, body(named))).status).toBe(status)
    expect(scene.requests).toHaveLength(before)
  },
)

test.each([
  '{"type":"input_file","file_id":"file-a","File_ID":"file-up"}',
  '{"type":"input_file","file_id":"file-a","file_id":"file-up"}',
])('no other spelling names a file: %s', async (part) => {
  await using scene = await startScene({}, { a: { speaks } })
  const body = `{"model":"m","input":[{"role":"user","content":[${part}]}]}`
  expect((await scene.ask('one', '/v1/responses', body)).status).toBe(400)
  expect(scene.requests).toHaveLength(0)
})

test.each([
  ['begins with an escape', '\\u0066ile-', 0],
  ['has one in its prefix', 'file\\u002d', 0],
  ['has one in a body of 2 KiB, which is known by its strings', '\\u0066ile-', 1_500],
  ['has one in a body that is searched', '\\u0066ile-', 20_000],
  ['has one in a large body', '\\u0066ile-', 100_000],
])('an id that %s hides no file of another key', async (_, prefix, padding) => {
  await using scene = await startScene({}, { a: { speaks } })
  const id = await upload(scene)
  const ask = (key: string, named: string) => {
    const file = `{"type":"input_file","file_id":"${named.replace('file-', prefix)}"}`
    const text = `{"type":"input_text","text":"a \\"word\\"${'x'.repeat(padding)}"}`
    const body = `{"model":"m","input":[{"role":"user","content":[${text},${file}]}]}`
    return scene.ask(key, '/v1/responses', body)
  }
  const before = scene.requests.length
  expect((await ask('two', id)).status).toBe(404)
  expect((await ask('two', 'file-up')).status).toBe(400)
  expect(scene.requests).toHaveLength(before)
  scene.answer = answerJson({ id: 'x_1', object: 'response', status: 'completed', output: [] })
  expect((await ask('one', id)).status).toBe(200)
  expect(String(scene.requests.at(-1)?.body)).toContain('"file-up"')
})

async function upload(scene: Scene): Promise<string> {
  scene.answer = answerJson({ id: 'file-up', object: 'file', purpose: 'user_data' })
  const form = new FormData()
  form.append('purpose', 'user_data')
  form.append('file', new Blob(['x']), 'x.txt')
  const { id } = (await (await send(scene, 'one', '/v1/files', form)).json()) as { id: string }
  return id
}

function send({ gateway }: Scene, key: string, path: string, body: FormData): Promise<Response> {
  const headers = { authorization: `Bearer secret-${key}` }
  return fetch(gateway.url + path, { method: 'POST', headers, body })
}
