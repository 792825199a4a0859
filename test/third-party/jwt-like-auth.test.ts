import { expect, test } from 'vitest'

import { askChat, stage } from './chat.ts'
import { assertionHeader, jwtLikeAuth, signAssertion } from './jwt-like-auth.ts'

const secret = 'between-proxy-and-gateway'
const ada = { subject: 'ada', models: ['m'], expiresAt: Date.now() + 60_000 }

/** A client without any API key. */
const as = (assertion: string) => ({
  headers: { authorization: undefined, [assertionHeader]: assertion },
})

const stageWithAssertions = () => stage({ plugins: [jwtLikeAuth({ secret })] })

test('a client that brings an assertion needs no API key', async () => {
  await using scene = await stageWithAssertions()
  const response = await askChat(scene.gateway, as(signAssertion(ada, secret)))
  expect(response.status).toBe(200)
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ key_id: 'user:ada' })
})

test('a client that brings none is known by its API key, as before', async () => {
  await using scene = await stageWithAssertions()
  expect((await askChat(scene.gateway)).status).toBe(200)
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ key_id: 'test' })
})

test('the assertion decides where a client brings both', async () => {
  await using scene = await stageWithAssertions()
  const assertion = signAssertion(ada, secret)
  const response = await askChat(scene.gateway, { headers: { [assertionHeader]: assertion } })
  expect(response.status).toBe(200)
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ key_id: 'user:ada' })
})

test('a client with a wrong or an old assertion is not known', async () => {
  await using scene = await stageWithAssertions()
  const wrong = [
    signAssertion(ada, 'another secret'),
    signAssertion({ ...ada, expiresAt: Date.now() - 1 }, secret),
    `${signAssertion(ada, secret)}x`.slice(2),
    'nonsense',
  ]
  for (const assertion of wrong) {
    const response = await askChat(scene.gateway, as(assertion))
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { type: 'authentication_error' } })
  }
  expect(scene.account.requests).toEqual([])
})

test('a model that the assertion does not name is an unknown model', async () => {
  await using scene = await stageWithAssertions()
  const options = as(signAssertion(ada, secret))
  const response = await askChat(scene.gateway, { ...options, fields: { model: 'secret-model' } })
  expect(response.status).toBe(404)
  expect(scene.account.requests).toEqual([])
})

test('the assertion does not reach the account', async () => {
  await using scene = await stageWithAssertions()
  await askChat(scene.gateway, as(signAssertion(ada, secret)))
  const { headers } = scene.account.requests[0]!
  expect(headers).not.toHaveProperty(assertionHeader)
  expect(headers.authorization).toBe('Bearer key-of-only')
})
