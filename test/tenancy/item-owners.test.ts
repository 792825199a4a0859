import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { type Scene, startScene, streamOf } from './scene.ts'

/** What the account answers to the owner: everything that later requests can name. */
const output = [
  { type: 'reasoning', id: 'rs_1', summary: [] },
  { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
  { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'n', arguments: '{}' },
  { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: '', outputs: null },
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  { type: 'image_generation_call', id: 'ig_1', result: 'AAAA' },
]
const response = { id: 'resp_1', object: 'response', status: 'completed', output }

const user = { role: 'user', content: 'hi' }

/** Ways to name stored data in a list of items. */
const items: Record<string, readonly object[]> = {
  'a reference': [{ type: 'item_reference', id: 'msg_1' }],
  'an untyped reference': [{ id: 'msg_1' }],
  'a reference with a null type': [{ type: null, id: 'msg_1' }],
  'a message without content': [{ type: 'message', id: 'msg_1', role: 'assistant' }],
  'a message with a phase and no content': [
    { type: 'message', id: 'msg_1', role: 'assistant', phase: 'commentary' },
  ],
  'an untyped message without content': [{ id: 'msg_1', role: 'assistant', phase: 'commentary' }],
  'a message with no part of content': [
    { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
  ],
  'an untyped message with a blank content': [{ id: 'msg_1', role: 'assistant', content: '' }],
  'a compaction with a blank content': [{ type: 'compaction', id: 'msg_1', encrypted_content: '' }],
  'reasoning without its content': [{ type: 'reasoning', id: 'rs_1', summary: [] }],
  'reasoning with a blank content': [
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: '' },
  ],
  'an image without its bytes': [{ type: 'image_generation_call', id: 'ig_1', result: null }],
  'an image with blank bytes': [{ type: 'image_generation_call', id: 'ig_1', result: '' }],
  'a search without its results': [{ type: 'web_search_call', id: 'ws_1', status: 'completed' }],
  'an approval of a request': [
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
  ],
  'the container of a call': [
    { type: 'code_interpreter_call', container_id: 'cntr_1', code: '', outputs: [] },
  ],
  'the container of a shell call': [
    { type: 'shell_call', call_id: 'c', action: {}, environment: { container_id: 'cntr_1' } },
  ],
  'tools that are added later': [
    {
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'code_interpreter', container: 'cntr_1' }],
    },
  ],
}

/** Ways to name stored data beside the input. */
const fields: Record<string, object> = {
  'the container of a tool': { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] },
  'the container of an allowed tool': {
    tools: [{ type: 'code_interpreter', container: { type: 'auto' } }],
    tool_choice: {
      type: 'allowed_tools',
      mode: 'auto',
      tools: [{ type: 'code_interpreter', container: 'cntr_1' }],
    },
  },
  'the container of a tool of a namespace': {
    tools: [
      {
        type: 'namespace',
        name: 'n',
        description: 'd',
        tools: [{ type: 'code_interpreter', container: 'cntr_1' }],
      },
    ],
  },
  'the container of a shell': {
    tools: [
      { type: 'shell', environment: { type: 'container_reference', container_id: 'cntr_1' } },
    ],
  },
  'a response to compare with': { prompt_cache_options: { comparison_response_id: 'resp_1' } },
}

const requests: { what: string; path: string; body: object }[] = [
  ...Object.entries(items).flatMap(([what, named]) => {
    const input = [user, ...named]
    return [
      { what, path: '/v1/responses', body: { model: 'm', input } },
      { what, path: '/v1/responses', body: { model: 'm', input, stream: true } },
      { what, path: '/v1/responses/input_tokens', body: { model: 'm', input } },
      { what, path: '/v1/responses/compact', body: { model: 'm', input } },
      { what, path: '/v1/conversations', body: { items: input } },
      { what, path: '/v1/conversations/conv_OWN/items', body: { items: input } },
    ]
  }),
  ...Object.entries(fields).map(([what, members]) => ({
    what,
    path: '/v1/responses',
    body: { model: 'm', input: 'hi', ...members },
  })),
]

describe.each(requests)('$what in $path $body.stream', ({ path, body }) => {
  test('reads nothing of another key on the same account', async () => {
    await using scene = await startScene()
    await disclose(scene, 'one')
    await beginConversation(scene, 'two')
    const before = scene.requests.length

    const refused = await scene.ask('two', path.replace('OWN', 'two'), body)

    expect(refused.status).toBe(400)
    expect(refused.json.error?.message).toMatch(/(Item|Container|Response) with id '\w+' not found/)
    expect(scene.requests).toHaveLength(before)
  })

  test('is what the owner names, and its account gets the bytes', async () => {
    await using scene = await startScene()
    await disclose(scene, 'one')
    await beginConversation(scene, 'one')

    if ('stream' in body) scene.answer = streamOf({ type: 'response.completed', response })
    const served = await scene.ask('one', path.replace('OWN', 'one'), body)

    expect(served.status).toBe(200)
    expect(scene.requests.at(-1)?.body.toString()).toBe(JSON.stringify(body))
  })
})

test('items that a client sends in full are nobody’s: they pass from every key', async () => {
  await using scene = await startScene()
  const blank = [{ type: 'output_text', text: '', annotations: [] }]
  const input = [
    // The model said nothing. Without any part, an account could take its id for a reference.
    { type: 'message', id: 'msg_1', role: 'assistant', content: blank },
    { type: 'message', role: 'assistant', content: [] },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
    { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', id: 'fco_1', call_id: 'c', output: '' },
    { type: 'image_generation_call', id: 'ig_1', result: 'AAAA' },
    { type: 'file_search_call', id: 'fs_1', queries: [], results: [] },
    { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'n', arguments: '' },
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
  ]
  expect((await scene.ask('two', '/v1/responses', { model: 'm', input })).status).toBe(200)
})

const approval = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true }

test.each<[string, object[]]>([
  ['a message', [{ type: 'message', id: 'mcpr_1', role: 'user', content: 'x' }, approval]],
  ['an untyped message', [{ id: 'mcpr_1', role: 'user', content: 'x' }, approval]],
  [
    'a call',
    [{ type: 'function_call', id: 'mcpr_1', call_id: 'c', name: 'f', arguments: '{}' }, approval],
  ],
  ['a part of a request', [{ type: 'mcp_approval_request', id: 'mcpr_1', name: 'n' }, approval]],
  ['itself', [{ ...approval, id: 'mcpr_1' }]],
])('%s is not the request that an approval is of', async (_what, input) => {
  await using scene = await startScene()
  const refused = await scene.ask('two', '/v1/responses', { model: 'm', input })
  expect([refused.status, refused.text.includes("Item with id 'mcpr_1' not found.")]).toEqual([
    400,
    true,
  ])
  expect(scene.requests).toHaveLength(0)
})

test('approvals in their thousands are looked up in one pass', async () => {
  await using scene = await startScene()
  const input = Array.from({ length: 49_000 }, (_, index) => ({
    type: 'mcp_approval_response',
    approval_request_id: `mcpr_${index}`,
  }))
  const refused = await scene.ask('two', '/v1/responses', { model: 'm', input })
  expect(refused.json.error?.message).toContain("Item with id 'mcpr_0' not found")
}, 10_000)

/** How a client learns of an item. */
const disclosures: Record<string, (scene: Scene) => Promise<unknown>> = {
  'in one piece': (scene) => disclose(scene, 'one'),
  'as an incomplete response': (scene) =>
    disclose(scene, 'one', answerJson({ ...response, status: 'incomplete' })),
  'in the last event of a stream': (scene) =>
    disclose(scene, 'one', streamOf({ type: 'response.completed', response }), true),
  'in a stream whose last event has no items': (scene) => {
    const done = output.map((item) => ({ type: 'response.output_item.done', item }))
    const last = { type: 'response.completed', response: { ...response, output: [] } }
    return disclose(scene, 'one', streamOf(...done, last), true)
  },
  'by looking up a response of the background': async (scene) => {
    await disclose(scene, 'one', answerJson({ ...response, status: 'queued', output: [] }))
    scene.answer = answerJson(response)
    await scene.ask('one', '/v1/responses/resp_1')
  },
  'in the list of the input of a response': async (scene) => {
    await disclose(scene, 'one', answerJson({ ...response, output: [] }))
    scene.answer = answerJson({ object: 'list', data: output })
    await scene.ask('one', '/v1/responses/resp_1/input_items')
  },
  'in the list of a conversation': async (scene) => {
    await beginConversation(scene, 'one')
    scene.answer = answerJson({ object: 'list', data: output })
    await scene.ask('one', '/v1/conversations/conv_one/items')
  },
  'by adding it to a conversation': async (scene) => {
    await beginConversation(scene, 'one')
    scene.answer = answerJson({ object: 'list', data: output })
    await scene.ask('one', '/v1/conversations/conv_one/items', { items: [user] })
  },
  'by looking it up in a conversation': async (scene) => {
    await beginConversation(scene, 'one')
    scene.answer = answerJson(output[1])
    await scene.ask('one', '/v1/conversations/conv_one/items/msg_1')
  },
  'in a compaction': async (scene) => {
    scene.answer = answerJson({ id: 'resp_2', object: 'response.compaction', output })
    await scene.ask('one', '/v1/responses/compact', { model: 'm', input: 'hi' })
  },
}

test.each(Object.keys(disclosures))('a client owns an item that it learns of %s', async (how) => {
  await using scene = await startScene()
  await disclosures[how]?.(scene)
  scene.answer = answerJson({ ...response, id: 'resp_9', output: [] })
  const body = { model: 'm', input: [user, { type: 'item_reference', id: 'msg_1' }] }
  expect((await scene.ask('one', '/v1/responses', body)).status).toBe(200)
  expect((await scene.ask('two', '/v1/responses', body)).status).toBe(400)
})

describe('an item', () => {
  const body = { model: 'm', input: [user, { type: 'item_reference', id: 'msg_1' }] }
  const pair = { a: {}, b: { priority: 1 } }

  test('takes its call to the account that has it, and to no other', async () => {
    await using scene = await startScene({}, { a: { priority: 1 }, b: {} })
    await disclose(scene, 'one')
    expect(scene.requests.at(-1)?.account).toBe('b')
    const [a, b] = accountsOf(scene)
    scene.gateway.reload({
      accounts: [
        { ...a, priority: 0 },
        { ...b, priority: 1 },
      ] as never,
    })
    expect((await scene.ask('one', '/v1/responses', body)).status).toBe(200)
    expect(scene.requests.at(-1)?.account).toBe('b')

    scene.gateway.reload({ accounts: [a, { ...b, enabled: false }] as never })
    const away = await scene.ask('one', '/v1/responses', body)
    expect(away.status).toBe(503)
    expect(away.text).toContain('The account that has this item cannot be used: it is disabled.')

    function accountsOf({ requests }: Scene) {
      const urls = new Map(requests.map((request) => [request.account, request.headers.host]))
      const settings = (id: string) => ({
        id,
        provider: 'openai',
        baseUrl: `http://${urls.get(id) ?? '127.0.0.1:9'}/v1`,
        models: ['m'],
      })
      return [settings('a'), settings('b')]
    }
  })

  test('of another account than the chain is refused', async () => {
    await using scene = await startScene({}, pair)
    await disclose(scene, 'one')
    await scene.store.records('bindings').set('item one msg_2', {
      account: 'b',
      model: 'm',
      expiresAt: Date.now() + 60_000,
    })
    const input = [{ type: 'item_reference', id: 'msg_2' }]
    const chained = { model: 'm', input, previous_response_id: 'resp_1' }
    const before = scene.requests.length
    const refused = await scene.ask('one', '/v1/responses', chained)
    expect([refused.status, refused.json.error?.message]).toEqual([
      400,
      'The request refers to resources that belong to different accounts.',
    ])
    expect(scene.requests).toHaveLength(before)
  })

  test('of an unknown owner goes to no account', async () => {
    await using scene = await startScene()
    expect((await scene.ask('one', '/v1/responses', body)).status).toBe(400)
    expect(scene.requests).toHaveLength(0)
  })

  test('is not given away while the store is away', async () => {
    await using scene = await startScene()
    await disclose(scene, 'one')
    scene.store.broken.reads = true
    const before = scene.requests.length
    for (const key of ['one', 'two']) {
      expect((await scene.ask(key, '/v1/responses', body)).status).toBe(503)
    }
    expect(scene.requests).toHaveLength(before)
  })

  test('is found while its write waits for the store', async () => {
    await using scene = await startScene()
    scene.store.broken.writes = true
    await disclose(scene, 'one')
    expect((await scene.ask('one', '/v1/responses', body)).status).toBe(200)
    expect((await scene.ask('two', '/v1/responses', body)).status).toBe(400)
  })
})

test('a reply with thousands of items does not fill the store', async () => {
  await using scene = await startScene()
  const bindings = scene.store.records('bindings')
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    type: 'message',
    id: `msg_${index}`,
  }))
  await disclose(scene, 'one', answerJson({ ...response, output: many }))
  for (const [id, isKnown] of [
    ['msg_0', true],
    ['msg_999', true],
    ['msg_1000', false],
  ] as const) {
    expect((await bindings.get(`item one ${id}`)) !== undefined).toBe(isKnown)
  }
})

describe('an account of another dialect', () => {
  const chatOnly = { a: { speaks: ['chat'] as ['chat'] } }
  const reply = {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  }

  test('takes reasoning of an unknown owner, which it does not look up', async () => {
    await using scene = await startScene({}, chatOnly)
    scene.answer = answerJson(reply)
    const reasoning = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 's' }],
    }
    const input = [user, reasoning, { role: 'assistant', content: 'ok' }, user]
    expect((await scene.ask('two', '/v1/responses', { model: 'm', input })).status).toBe(200)
  })

  test('takes a message without content of an unknown owner, which it does not look up', async () => {
    await using scene = await startScene({}, chatOnly)
    scene.answer = answerJson(reply)
    const input = [user, { type: 'message', id: 'msg_1', role: 'assistant', content: [] }, user]
    expect((await scene.ask('two', '/v1/responses', { model: 'm', input })).status).toBe(200)
  })

  test('is preferred to one that would look it up', async () => {
    await using scene = await startScene({}, { a: {}, b: { speaks: ['chat'], priority: 9 } })
    await disclose(scene, 'one')
    scene.answer = answerJson(reply)
    const input = [user, { type: 'reasoning', id: 'rs_1', summary: [] }, user]
    expect((await scene.ask('two', '/v1/responses', { model: 'm', input })).status).toBe(200)
    expect(scene.requests.at(-1)?.account).toBe('b')
  })
})

/** The account answers one key, which so learns of the data. */
async function disclose(scene: Scene, key: string, answer = answerJson(response), stream = false) {
  const before = scene.answer
  scene.answer = answer
  const asked = { model: 'm', input: 'hi', stream }
  expect((await scene.ask(key, '/v1/responses', asked)).status).toBe(200)
  scene.answer = before
}

async function beginConversation(scene: Scene, key: string) {
  scene.answer = answerJson({ id: `conv_${key}`, object: 'conversation' })
  expect((await scene.ask(key, '/v1/conversations', {})).status).toBe(200)
  scene.answer = answerJson({ ...response, id: 'resp_9', output: [] })
}
