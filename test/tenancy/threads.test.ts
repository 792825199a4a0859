import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { asked, message, usage } from './messages.ts'
import { type Scene, startScene, streamOf } from './scene.ts'

const events = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
]

const begun = { ...asked, thread: { type: 'create' } }
const continued = { ...asked, thread: { type: 'continue', previous_message_id: 'msg_1' } }
const compared = { ...asked, diagnostics: { previous_message_id: 'msg_1' } }

const anthropic = { provider: 'anthropic' }
const ways = [
  { way: 'in one piece', stream: false, answer: answerJson(message) },
  { way: 'streamed', stream: true, answer: streamOf(...events) },
]

describe.each(ways)('a message $way', ({ stream, answer }) => {
  const named = [
    { what: 'the message of a thread', first: begun, body: continued, field: 'thread' },
    {
      what: 'a message to compare with',
      first: { ...asked, diagnostics: { previous_message_id: null } },
      body: compared,
      field: 'diagnostics',
    },
  ]

  test.each(named)('$what is its key’s alone', async ({ first, body, field }) => {
    await using scene = await startScene({}, { a: anthropic })
    scene.answer = answer
    expect((await ask(scene, 'one', { ...first, stream })).status).toBe(200)
    scene.answer = answerJson({ ...message, id: 'msg_2' })
    const before = scene.requests.length

    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const refused = await scene.ask('two', path, body)
      expect(refused.status).toBe(400)
      expect(refused.text).toContain(
        `\`${field}.previous_message_id\`: Message with id 'msg_1' not found.`,
      )
    }
    expect(scene.requests).toHaveLength(before)

    expect((await ask(scene, 'one', body)).status).toBe(200)
    expect(scene.requests.at(-1)?.body.toString()).toBe(JSON.stringify(body))
  })
})

test('a thread goes on at the account that holds it, and at no other', async () => {
  await using scene = await startScene({}, { a: anthropic, b: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', begun)
  const owner = scene.requests.at(-1)?.account
  scene.answer = answerJson({ ...message, id: 'msg_2' })
  for (let call = 0; call < 20; call++)
    expect((await ask(scene, 'one', continued)).status).toBe(200)
  expect(new Set(scene.requests.map(({ account }) => account))).toEqual(new Set([owner]))
})

test.each(ways)(
  'each message of a thread can be gone on with ($way)',
  async ({ stream, answer }) => {
    await using scene = await startScene({}, { a: anthropic })
    scene.answer = answerJson({ ...message, id: 'msg_0' })
    await ask(scene, 'one', begun)
    scene.answer = answer
    const second = { ...asked, thread: { type: 'continue', previous_message_id: 'msg_0' }, stream }
    expect((await ask(scene, 'one', second)).status).toBe(200)
    scene.answer = answerJson({ ...message, id: 'msg_2' })
    expect((await ask(scene, 'one', continued)).status).toBe(200)
  },
)

test.each([
  '{"thread":{"type":"create"},"Thread":{"type":"continue","previous_message_id":"msg_1"}}',
  '{"thread":{"type":"create","Previous_Message_Id":"msg_1"}}',
  '{"thread":{"previous_message_id":"msg_9","previous_message_id":"msg_1"}}',
  '{"thread":{"previous\\u005fmessage_id":"msg_1"}}',
  '{"diagnostics":{"previous_message_id":null,"previous_message_ID":"msg_1"}}',
  '{"Diagnostics":{"previous_message_id":"msg_1"}}',
])('no other spelling names a message: %s', async (named) => {
  await using scene = await startScene({}, { a: anthropic })
  const body = `${JSON.stringify(asked).slice(0, -1)},${named.slice(1)}`
  expect((await scene.ask('one', '/v1/messages', body)).status).toBe(400)
  expect(scene.requests).toHaveLength(0)
})

test('a message without a thread leaves no record', async () => {
  await using scene = await startScene({}, { a: anthropic })
  scene.answer = answerJson(message)
  await ask(scene, 'one', { ...asked, thread: null, diagnostics: null })
  expect(await scene.store.records('bindings').get('message one msg_1')).toBeUndefined()
  await ask(scene, 'one', begun)
  expect(await scene.store.records('bindings').get('message one msg_1')).toMatchObject({
    account: 'a',
  })
})

describe('an account of another dialect', () => {
  const chat = { a: { speaks: ['chat'] as ['chat'] } }
  const choices = [
    { index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' },
  ]
  const completion = answerJson({
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices,
  })

  test.each([begun, continued])('goes on with no thread: $thread.type', async (body) => {
    await using scene = await startScene({}, chat)
    const refused = await ask(scene, 'one', body)
    expect([refused.status, refused.text.includes('thread')]).toEqual([400, true])
    expect(scene.requests).toHaveLength(0)
  })

  test('answers with messages that later requests may name', async () => {
    await using scene = await startScene({}, chat)
    const first = { ...asked, diagnostics: { previous_message_id: null } }
    scene.answer = completion
    const { json } = await ask(scene, 'one', first)
    await using other = await startScene({ store: scene.store }, { a: anthropic })
    other.answer = answerJson(message)
    const second = { ...asked, diagnostics: { previous_message_id: json.id } }
    expect((await ask(other, 'one', second)).status).toBe(200)
    expect((await ask(other, 'two', second)).status).toBe(400)
  })

  test('compares no messages', async () => {
    await using scene = await startScene({}, chat)
    scene.answer = completion
    expect((await ask(scene, 'two', compared)).status).toBe(200)
    expect(scene.requests.at(-1)?.body.toString()).not.toContain('msg_1')
  })
})

function ask(scene: Scene, key: string, body: object) {
  return scene.ask(key, '/v1/messages', body)
}
