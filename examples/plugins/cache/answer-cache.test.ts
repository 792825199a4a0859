import assert from 'node:assert/strict'
import { test } from 'node:test'

import { answerJson, createTestGateway, startFakeAccount, until } from 'dragoman/testing'

import { answerCache, type AnswerCacheOptions } from './answer-cache.ts'

/** A gateway with the cache before an account that counts its answers. */
async function start(options: AnswerCacheOptions = {}, text = 'x') {
  let status = 200
  let count = 0
  const account = await startFakeAccount((response, request) => {
    const content = `${text} ${++count}`
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    const reply = { id: `c-${count}`, object: 'chat.completion', created: 1, model: 'm', choices }
    return answerJson(reply, { status })(response, request)
  })
  const gateway = await createTestGateway({
    keys: ['ada', 'bob'].map((id) => ({ id, secret: `secret-of-${id}` })),
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
    plugins: [answerCache(options)],
  })
  const ask = async (content: string, { as = 'ada', headers = {} } = {}) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer secret-of-${as}`, ...headers },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    })
    await response.arrayBuffer()
    return response.headers.get('x-answer-cache') ?? String(response.status)
  }
  return {
    ask,
    answerWith: (next: number) => void (status = next),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

test('a repeated question is answered from the cache, for its caller alone', async () => {
  await using scene = await start()
  assert.equal(await scene.ask('one'), '200')
  assert.equal(await scene.ask('one'), 'hit')
  assert.equal(await scene.ask('two'), '200')
  assert.equal(await scene.ask('one', { as: 'bob' }), '200')
})

test('a client can ask for a new answer', async () => {
  await using scene = await start()
  await scene.ask('one')
  assert.equal(await scene.ask('one', { headers: { 'cache-control': 'no-cache' } }), '200')
})

test('an error is not kept', async () => {
  await using scene = await start()
  scene.answerWith(400)
  assert.equal(await scene.ask('one'), '400')
  scene.answerWith(200)
  assert.equal(await scene.ask('one'), '200')
})

test('an answer ages', async () => {
  await using scene = await start({ maxAgeMs: 50 })
  await scene.ask('one')
  await until(async () => (await scene.ask('one')) === '200')
})

test('the cache keeps its size: the answer that was unused the longest leaves', async () => {
  await using scene = await start({ maxBytes: 25_000 }, 'x'.repeat(10_000))
  for (const question of ['one', 'two', 'one', 'three']) await scene.ask(question)
  assert.equal(await scene.ask('one'), 'hit')
  assert.equal(await scene.ask('two'), '200')
})

test('options are checked when the plugin is made', () => {
  assert.throws(() => answerCache({ maxBytes: 0 }), /maxBytes must be above 0/)
})
