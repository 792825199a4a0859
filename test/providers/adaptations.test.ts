import { expect, test } from 'vitest'

import type { Adaptation } from '../../src/contract/adaptation.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGatewayOptions, createTestGateway } from '../../src/testing/gateway.ts'
import { changeBody } from '../../src/upstream/adapt.ts'
import { type DialectName, dialects } from '../requests/dialects.ts'

/** A gateway with one account of a provider that adapts chat requests. */
async function startScene(adapt: Adaptation, options: TestGatewayOptions = {}) {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(await startFakeAccount(answerJson(dialects.chat.reply)))
  const plugin = definePlugin({
    name: 'own',
    providers: { own: { dialects: { chat: { adapt } } } },
  })
  const account = {
    id: 'a',
    provider: 'own',
    baseUrl: `${upstream.url}/v1`,
    models: { m: 'own/m' },
  }
  const gateway = starting.use(
    await createTestGateway({ plugins: [plugin], accounts: [account], ...options }),
  )
  const started = starting.move()
  return {
    async ask(name: DialectName, fields: object = {}) {
      const { path, credential, request } = dialects[name]
      const reply = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credential(gateway.key) },
        body: JSON.stringify({ ...request, ...fields }),
      })
      const last = upstream.requests.at(-1)
      return {
        status: reply.status,
        text: await reply.text(),
        losses: reply.headers.get('x-dragoman-losses'),
        url: last?.url,
        sent: last && (JSON.parse(last.body.toString()) as Record<string, unknown>),
        bytes: last?.body.toString(),
      }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const changes: Adaptation = {
  body: {
    drop: { seed: 'the provider refuses it' },
    rename: { max_completion_tokens: 'max_tokens' },
    set: { safe: true },
    roles: { developer: 'system' },
  },
}

test('a native body is changed in its members and nowhere else', async () => {
  await using scene = await startScene(changes)
  const messages = [
    { role: 'developer', content: 'a "developer"' },
    { role: 'user', content: 'hi' },
  ]
  const { sent, bytes, losses, status } = await scene.ask('chat', {
    messages,
    seed: 1,
    max_completion_tokens: 7,
    top_p: 1.0e-1,
  })
  expect(status).toBe(200)
  expect(sent).toEqual({
    model: 'own/m',
    messages: [{ role: 'system', content: 'a "developer"' }, messages[1]],
    max_tokens: 7,
    top_p: 0.1,
    safe: true,
  })
  expect(bytes).toContain('"content":"a \\"developer\\""')
  expect(losses).toContain('seed')
})

test('a translated body is changed in the same way', async () => {
  await using scene = await startScene({
    body: { drop: { top_p: 'the provider refuses it' }, set: { safe: true } },
  })
  const { sent, losses } = await scene.ask('messages', { top_p: 0.5 })
  expect(sent).toMatchObject({ model: 'own/m', safe: true })
  expect(sent).not.toHaveProperty('top_p')
  expect(losses).toContain('top_p')
})

test.each(['chat', 'messages'] as const)(
  'a policy without losses refuses a call of %s that would lose a member, before it is sent',
  async (name) => {
    const adapt = { body: { drop: { top_p: 'the provider refuses it' } } }
    await using scene = await startScene(adapt, { losses: 'reject' })
    const { status, text, url } = await scene.ask(name, { top_p: 0.5 })
    expect(status).toBe(400)
    expect(text).toContain('top_p')
    expect(url).toBeUndefined()
    expect((await scene.ask(name)).status).toBe(200)
  },
)

test('a provider has a path of its own, which may name the model', async () => {
  await using scene = await startScene({
    target: ({ path, model, stream }) => ({
      path: `/models/${encodeURIComponent(model.replace('/', '-'))}${path.replace('/v1', '')}`,
      query: `stream=${stream}`,
    }),
    body: { move: ['model'] },
  })
  const native = await scene.ask('chat')
  expect(native.url).toBe('/v1/models/own-m/chat/completions?stream=false')
  expect(native.sent).not.toHaveProperty('model')
  expect(native.losses).toBeNull()
  expect((await scene.ask('generate')).url).toBe(native.url)
})

test('a request that the provider does not have reaches no account', async () => {
  await using scene = await startScene({ target: () => undefined })
  const { status, url } = await scene.ask('chat')
  expect(status).toBeGreaterThanOrEqual(400)
  expect(url).toBeUndefined()
})

/** Bodies with members in any order, blanks and escapes. */
const bodies = [
  '{}',
  ' { } ',
  '{"a":1}',
  '{ "a" : [1, {"role":"developer"}] , "b" : "x" }',
  '{"b":"}","a":{"a":1},"c":null}',
  '{"messages":[{"role":"developer","x":{"role":"developer"}},"text",{"role":"d\\u0065veloper"}],"a":1}',
  '{"a":1,"a":2,"b":3}',
]

test.each(bodies)('changed members leave valid JSON: %s', (text) => {
  const lost: string[] = []
  const changed = changeBody(
    Buffer.from(text),
    {
      drop: { a: 'why' },
      rename: { b: 'd' },
      set: { e: [1], c: 2 },
      roles: { developer: 'system' },
    },
    (field) => lost.push(field),
  ).toString()
  const before = JSON.parse(text) as Record<string, unknown>
  const after = JSON.parse(changed) as Record<string, unknown>
  expect(after).not.toHaveProperty('a')
  expect(after['e']).toEqual([1])
  expect(after['c']).toBe(2)
  expect(after['d']).toEqual(before['b'])
  expect(lost.length > 0).toBe(Object.hasOwn(before, 'a'))
  expect(changed).not.toContain('"role":"developer","x"')
})

test('a body without the members of a change keeps its bytes', () => {
  const bytes = Buffer.from('{ "x" : 1.0e3 }')
  expect(changeBody(bytes, { drop: { a: 'why' }, rename: { b: 'c' } }, () => {})).toBe(bytes)
})
