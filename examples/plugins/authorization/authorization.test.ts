import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Answer, answerJson, until } from 'dragoman/testing'

import { start } from './scene.ts'

const ada = { active: true, sub: 'ada', scope: 'models' }

test('a token of the service is a caller, and is remembered', async () => {
  await using scene = await start(answerJson(ada), { authorization: 'Bearer gateway' })
  assert.deepEqual(await Promise.all([scene.ask('t'), scene.ask('t')]), [200, 200])
  assert.equal(await scene.ask('t'), 200)
  const [request, ...more] = scene.service.requests
  assert.deepEqual(more, [])
  assert.equal(request?.body.toString(), 'token=t')
  assert.equal(request?.headers.authorization, 'Bearer gateway')
})

test('a token without the scope of a model may not use it', async () => {
  await using scene = await start(answerJson({ ...ada, scope: 'model:sandbox/echo' }))
  assert.equal(await scene.ask('t'), 200)
  assert.equal(await scene.ask('t', 'sandbox/think'), 404)
})

test('an unknown token is answered 401, and an API key of the gateway is not', async () => {
  await using scene = await start(answerJson({ active: false }))
  assert.equal(await scene.ask('unknown'), 401)
  assert.equal(await scene.ask('own-secret'), 200)
  assert.equal(await scene.ask('unknown'), 401)
  assert.equal(scene.service.requests.length, 2)
})

test('a withdrawn token works no longer than it is remembered', async () => {
  await using scene = await start(answerJson(ada), { knownMs: 50 })
  assert.equal(await scene.ask('t'), 200)
  scene.answerWith(answerJson({ active: false }))
  await until(async () => (await scene.ask('t')) === 401)
})

test('a token that expires is not remembered', async () => {
  await using scene = await start(answerJson({ ...ada, exp: Math.floor(Date.now() / 1_000) }))
  await scene.ask('t')
  await scene.ask('t')
  assert.equal(scene.service.requests.length, 2)
})

const failures: Record<string, Answer> = {
  'does not answer': () => {},
  'answers 500': answerJson({}, { status: 500 }),
  'does not know the gateway': answerJson({}, { status: 401 }),
  'answers with no JSON': answerJson('<html>secret-token'),
  'answers with something else': answerJson({ status: 'ok' }),
  redirects: answerJson({}, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
}

for (const [what, answer] of Object.entries(failures)) {
  test(`a service that ${what} means 503, and the next call asks again`, async () => {
    await using scene = await start(answer)
    assert.equal(await scene.ask('secret-token'), 503)
    assert.match(scene.log(), /the authorization service failed/)
    assert.doesNotMatch(scene.log(), /secret-token/)
    scene.answerWith(answerJson(ada))
    assert.equal(await scene.ask('secret-token'), 200)
  })
}

test('no more tokens are remembered than configured', async () => {
  await using scene = await start(answerJson(ada), { size: 2 })
  for (const token of ['one', 'two', 'three', 'one']) await scene.ask(token)
  assert.equal(scene.service.requests.length, 4)
})

test('invented tokens do not displace a valid one', async () => {
  await using scene = await start(
    (response, request) =>
      answerJson(request.body.toString() === 'token=good' ? ada : { active: false })(
        response,
        request,
      ),
    { size: 2 },
  )
  for (const token of ['good', 'junk-1', 'junk-2', 'junk-3', 'good']) await scene.ask(token)
  assert.equal(scene.service.requests.length, 4)
})
