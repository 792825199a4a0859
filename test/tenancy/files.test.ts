import { describe, expect, test } from 'vitest'

import { bindingKeyOf, ownerMarkOf } from '../../src/stores/bindings.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { asked, message as plainMessage, usage } from './messages.ts'
import { type Scene, startScene, streamOf } from './scene.ts'

const anthropic = { provider: 'anthropic' }

/** The result of code that has made a file. */
function madeBy(tool: string, id = 'file_1') {
  return {
    type: `${tool}_tool_result`,
    tool_use_id: 'srvtoolu_1',
    content: {
      type: `${tool}_result`,
      stdout: '',
      stderr: '',
      return_code: 0,
      content: [{ type: `${tool}_output`, file_id: id }],
    },
  }
}

const made = madeBy('bash_code_execution')
const message = { ...plainMessage, content: [made, ...plainMessage.content] }

const { content: _content, ...started } = plainMessage
const begin = { type: 'message_start', message: { ...started, content: [], stop_reason: null } }
const block = { type: 'content_block_start', index: 0, content_block: made }
const end = [
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
]

/** A request that names a file, in each place. */
const places = [
  {
    field: 'messages[0].content[0].file_id',
    content: (id: string) => [{ type: 'container_upload', file_id: id }],
  },
  {
    field: 'messages[0].content[1].source.file_id',
    content: (id: string) => [
      { type: 'text', text: 'read' },
      { type: 'document', source: { type: 'file', file_id: id } },
    ],
  },
  {
    field: 'messages[0].content[0].content[0].source.file_id',
    content: (id: string) => [
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'image', source: { type: 'file', file_id: id } }],
      },
    ],
  },
  {
    field: 'messages[0].content[0].source.content[0].source.file_id',
    content: (id: string) => [
      {
        type: 'document',
        source: {
          type: 'content',
          content: [{ type: 'image', source: { type: 'file', file_id: id } }],
        },
      },
    ],
  },
  {
    field: 'messages[0].content[0].content.content[0].file_id',
    content: (id: string) => [madeBy('code_execution', id)],
  },
]

const fetched = (members: string) =>
  `{"type":"web_fetch_tool_result","tool_use_id":"t","content":{"type":"web_fetch_result","content":{"type":"document",${members}}}}`

function naming(id: string, { content } = places[0]!) {
  return { ...asked, messages: [{ role: 'user', content: content(id) }] }
}

const ways = [
  { way: 'in one piece', stream: false, answer: answerJson(message) },
  { way: 'streamed', stream: true, answer: streamOf(begin, block, ...end) },
]

describe.each(ways)('a file that code has made ($way)', ({ stream, answer }) => {
  test.each(places)('is its key’s alone: $field', async (place) => {
    await using scene = await startScene({}, { a: anthropic })
    scene.answer = answer
    expect((await ask(scene, 'one', { ...asked, stream })).status).toBe(200)
    scene.answer = answerJson(plainMessage)
    const before = scene.requests.length

    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const refused = await scene.ask('two', path, naming('file_1', place))
      expect(refused.status).toBe(400)
      expect(refused.text).toContain(`\`${place.field}\`: File with id 'file_1' not found.`)
    }
    expect(scene.requests).toHaveLength(before)
    expect((await ask(scene, 'one', naming('file_1', place))).status).toBe(200)
  })
})

test('a file that a reply has put into the container is its key’s alone, in instructions too', async () => {
  await using scene = await startScene({}, { a: anthropic })
  const upload = { type: 'container_upload', file_id: 'file_1' }
  scene.answer = answerJson({ ...plainMessage, content: [upload] })
  expect((await ask(scene, 'one', asked)).status).toBe(200)
  const source = { type: 'file', file_id: 'file_1' }
  const named = { ...asked, system: [{ type: 'document', source }] }
  expect((await ask(scene, 'two', naming('file_1'))).status).toBe(400)
  const refused = await ask(scene, 'two', named)
  expect([refused.status, refused.text.includes('system[0].source.file_id')]).toEqual([400, true])
})

test('a file in a stream that breaks is its key’s alone', async () => {
  await using scene = await startScene({}, { a: anthropic })
  scene.answer = streamOf(begin, block)
  const broken = await ask(scene, 'one', { ...asked, stream: true })
  expect(broken.text).toContain('event: error')
  scene.answer = answerJson(plainMessage)
  expect((await ask(scene, 'two', naming('file_1'))).status).toBe(400)
  expect((await ask(scene, 'one', naming('file_1'))).status).toBe(200)
})

test('a file in a stream whose client leaves is its key’s alone', async () => {
  await using scene = await startScene({}, { a: anthropic })
  scene.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [begin, block]) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    }
  }
  const leaving = new AbortController()
  const reply = await fetch(`${scene.gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret-one', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ ...asked, stream: true }),
    signal: leaving.signal,
  })
  for await (const bytes of reply.body!) {
    if (Buffer.from(bytes).includes('file_1')) break
  }
  leaving.abort()
  scene.answer = answerJson(plainMessage)
  await expect
    .poll(() => ask(scene, 'two', naming('file_1')).then(({ status }) => status))
    .toBe(400)
})

test('a file leads to the account that has it, and to no other', async () => {
  await using scene = await startScene({}, { a: anthropic, b: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', asked)
  const owner = scene.requests.at(-1)?.account
  scene.answer = answerJson(plainMessage)
  for (let call = 0; call < 20; call++)
    expect((await ask(scene, 'one', naming('file_1'))).status).toBe(200)
  expect(new Set(scene.requests.map(({ account }) => account))).toEqual(new Set([owner]))
})

test('a file that code has made is looked up, downloaded and deleted by its key alone', async () => {
  await using scene = await startScene({}, { a: anthropic, b: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', asked)
  const owner = scene.requests.at(-1)?.account
  scene.answer = answerJson({ id: 'file_1', type: 'file', filename: 'plot.png' })
  const calls = [
    ['/v1/files/file_1', 'GET'],
    ['/v1/files/file_1/content', 'GET'],
    ['/v1/files/file_1', 'DELETE'],
  ] as const
  for (const [path, method] of calls) {
    const before = scene.requests.length
    expect((await scene.ask('two', path, undefined, method)).status).toBe(404)
    expect((await scene.ask('one', path.replace('_1', '_2'), undefined, method)).status).toBe(404)
    expect(scene.requests).toHaveLength(before)
    expect((await scene.ask('one', path, undefined, method)).status).toBe(200)
    const { account, url } = scene.requests.at(-1)!
    expect([account, url.endsWith(path)]).toEqual([owner, true])
  }
})

test('the results of earlier code can be sent to any account', async () => {
  await using scene = await startScene({}, { a: anthropic, b: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', asked)
  scene.answer = answerJson(plainMessage)
  for (let call = 0; call < 20; call++)
    expect((await ask(scene, 'one', naming('file_1', places[4]))).status).toBe(200)
  expect(new Set(scene.requests.map(({ account }) => account)).size).toBe(2)
})

describe('a file that the operator has put at the account', () => {
  test.each(places)('can be named by every key: $field', async (place) => {
    await using scene = await startScene({}, { a: anthropic })
    scene.answer = answerJson(plainMessage)
    for (const key of ['one', 'two']) {
      expect((await ask(scene, key, naming('file_2', place))).status).toBe(200)
    }
  })

  test('stays for every key, whatever an account says of it', async () => {
    await using scene = await startScene({}, { a: anthropic })
    scene.answer = answerJson({ ...message, content: [madeBy('code_execution', 'file_2')] })
    expect((await ask(scene, 'one', naming('file_2'))).status).toBe(200)
    expect((await ask(scene, 'two', naming('file_2'))).status).toBe(200)
  })
})

test('an account takes no file of another account from the other keys', async () => {
  await using scene = await startScene({}, { a: anthropic, b: { ...anthropic, models: ['n'] } })
  scene.answer = answerJson({ ...message, content: [madeBy('code_execution', 'file_2')] })
  expect((await ask(scene, 'two', { ...asked, model: 'n' })).status).toBe(200)
  scene.answer = answerJson(plainMessage)
  expect((await ask(scene, 'one', naming('file_2'))).status).toBe(200)
  expect((await ask(scene, 'one', { ...naming('file_2'), model: 'n' })).status).toBe(400)
})

test('what another account says of a file later does not give it to all keys', async () => {
  await using scene = await startScene({}, { a: anthropic, b: { ...anthropic, models: ['n'] } })
  scene.answer = answerJson(message)
  expect((await ask(scene, 'one', asked)).status).toBe(200)
  expect((await ask(scene, 'two', { ...asked, model: 'n' })).status).toBe(200)
  scene.answer = answerJson(plainMessage)
  expect((await ask(scene, 'one', naming('file_1'))).status).toBe(200)
  // It leads to the account that has named it to this key, which does not have the model.
  expect((await ask(scene, 'two', naming('file_1'))).status).toBe(503)
  const mark = bindingKeyOf(ownerMarkOf({ kind: 'file', id: 'file_1' }))
  expect(await scene.store.records('bindings').get(mark)).toMatchObject({ account: 'a' })
})

test('a call goes to the accounts that have made no such file for another key', async () => {
  await using scene = await startScene({}, { a: anthropic, b: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', asked)
  const owner = scene.requests.at(-1)?.account
  scene.answer = answerJson(plainMessage)
  const before = scene.requests.length
  for (let call = 0; call < 10; call++)
    expect((await ask(scene, 'two', naming('file_1'))).status).toBe(200)
  const accounts = new Set(scene.requests.slice(before).map(({ account }) => account))
  expect(accounts).toEqual(new Set([owner === 'a' ? 'b' : 'a']))
})

test('a file of another account hides no other data that is unknown', async () => {
  await using scene = await startScene({}, { a: anthropic, b: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', { ...asked, diagnostics: { previous_message_id: null } })
  scene.answer = answerJson(plainMessage)
  const before = scene.requests.length
  const named = { ...naming('file_1'), diagnostics: { previous_message_id: 'msg_1' } }
  const refused = await ask(scene, 'two', named)
  expect([refused.status, refused.text.includes('diagnostics.previous_message_id')]).toEqual([
    400,
    true,
  ])
  expect(scene.requests).toHaveLength(before)
})

test('a thousand files of the operator can be named at once', async () => {
  await using scene = await startScene({}, { a: anthropic })
  scene.answer = answerJson(plainMessage)
  const content = Array.from({ length: 1_000 }, (_, at) => ({
    type: 'container_upload',
    file_id: `file_a${at}`,
  }))
  const { status } = await ask(scene, 'two', { ...asked, messages: [{ role: 'user', content }] })
  expect(status).toBe(200)
})

test('no request passes unseen because it names many files', async () => {
  await using scene = await startScene({}, { a: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', asked)
  scene.answer = answerJson(plainMessage)
  const ids = [...Array.from({ length: 2_000 }, (_, at) => `file_a${at}`), 'file_1']
  const content = ids.map((id) => ({ type: 'container_upload', file_id: id }))
  const refused = await ask(scene, 'two', { ...asked, messages: [{ role: 'user', content }] })
  expect(refused.status).toBe(400)
})

test('while the store is away, nobody can tell whose a file is', async () => {
  await using scene = await startScene({}, { a: anthropic })
  scene.store.broken.reads = true
  const refused = await ask(scene, 'two', naming('file_1'))
  expect([refused.status, refused.text]).toEqual([
    503,
    expect.stringContaining('lookup_unavailable') as string,
  ])
})

test.each([
  '{"type":"container_upload","file_id":"file_9","file_id":"file_1"}',
  '{"type":"container_upload","file_id":"file_9","File_Id":"file_1"}',
  '{"type":"document","source":{"type":"file","file_id":"file_9","FILE_ID":"file_1"}}',
  fetched('"source":{"type":"file","file_id":"file_1","file_id":"file_9"}'),
  fetched(
    '"source":{"type":"file","file_id":"file_1"},"source":{"type":"file","file_id":"file_9"}',
  ),
  fetched('"source":{"type":"file","File_ID":"file_1"}'),
  '{"type":"code_execution_tool_result","content":{"content":[{"file_id":"file_1","file_id":"file_9"}]}}',
])('no other spelling names a file: %s', async (named) => {
  await using scene = await startScene({}, { a: anthropic })
  const body = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[${named}]}]}`
  expect((await scene.ask('one', '/v1/messages', body)).status).toBe(400)
  expect(scene.requests).toHaveLength(0)
})

function ask(scene: Scene, key: string, body: object) {
  return scene.ask(key, '/v1/messages', body)
}
