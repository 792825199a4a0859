import { expect, test } from 'vitest'

import { DisclosedData } from '../../src/kit/observer-state.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { asked, message } from './messages.ts'
import { startScene, streamOf } from './scene.ts'

const long = 'a'.repeat(5_000)
const anthropic = { a: { provider: 'anthropic' } }
const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [] }

test.each<[string, object]>([
  ['/v1/messages', { ...asked, container: long }],
  ['/v1/messages', { ...asked, thread: { type: 'continue', previous_message_id: long } }],
  [
    '/v1/messages',
    {
      ...asked,
      messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: long }] }],
    },
  ],
])('an id that no account gives is unknown, though a reply has it: %s %j', async (path, body) => {
  await using scene = await startScene({}, anthropic)
  scene.answer = answerJson({
    ...message,
    id: long,
    container: { id: long },
    content: [{ type: 'container_upload', file_id: long }],
  })
  expect((await scene.ask('one', path, { ...asked, thread: { type: 'create' } })).status).toBe(200)
  expect((await scene.ask('one', path, body)).status).toBe(400)
  expect(scene.requests).toHaveLength(1)
})

test('a response with an id of many characters is continued', async () => {
  await using scene = await startScene()
  const id = `resp_${'b'.repeat(200_000)}`
  scene.answer = answerJson({ ...response, id })
  expect((await scene.ask('one', '/v1/responses', { model: 'm', input: 'hi' })).status).toBe(200)
  const next = { model: 'm', input: 'hi', previous_response_id: id }
  expect((await scene.ask('one', '/v1/responses', next)).status).toBe(200)
  expect((await scene.ask('two', '/v1/responses', next)).status).toBe(400)
})

test('a response whose id is as long as a body is not, and its reply is whole', async () => {
  await using scene = await startScene()
  const id = `resp_${'c'.repeat(2 * 1024 * 1024)}`
  scene.answer = answerJson({ ...response, id })
  const reply = await scene.ask('one', '/v1/responses', { model: 'm', input: 'hi' })
  expect([reply.status, reply.json.id]).toEqual([200, id])
  const next = { model: 'm', input: 'hi', previous_response_id: id }
  expect((await scene.ask('one', '/v1/responses', next)).status).toBe(400)
})

test('a stream keeps a thousand ids that accounts give, and no others', () => {
  const disclosed = new DisclosedData()
  expect(disclosed.all).toBeUndefined()
  disclosed.add({ kind: 'audio', id: long })
  for (let at = 0; at < 3_000; at++) {
    disclosed.add({ kind: 'audio', id: `a${at >> 1}` }, { kind: 'item', id: 'a0' })
  }
  expect(disclosed.all).toHaveLength(1_000)
  expect(disclosed.all?.slice(0, 3)).toEqual([
    { kind: 'audio', id: 'a0' },
    { kind: 'item', id: 'a0' },
    { kind: 'audio', id: 'a1' },
  ])
})

test('a key goes on with the container of a stream that broke', async () => {
  await using scene = await startScene()
  const item = {
    type: 'code_interpreter_call',
    id: 'ci_1',
    container_id: 'cntr_1',
    status: 'completed',
    code: 'x',
    outputs: [],
  }
  scene.answer = streamOf(
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: 0, item },
  )
  const broken = await scene.ask('one', '/v1/responses', { model: 'm', input: 'a', stream: true })
  expect(broken.text).toContain('response.failed')
  scene.answer = answerJson(response)
  const tools = [{ type: 'code_interpreter', container: 'cntr_1' }]
  const next = { model: 'm', input: 'a', tools }
  expect((await scene.ask('one', '/v1/responses', next)).status).toBe(200)
  expect((await scene.ask('two', '/v1/responses', next)).status).toBe(400)
})
