import { expect, test } from 'vitest'

import { answerJson, createTestGateway } from '../../../src/testing/index.ts'
import { shout } from './index.ts'
import { accountAt, answerShout, loud, reply, speak, stage, whole } from './speaking.ts'

test('a client says words and gets the reply as it is', async () => {
  await using scene = await stage()
  const response = await speak(scene.gateway)

  expect(await response.json()).toEqual(reply)
  expect(response.headers.get('x-dragoman-account')).toBe('first')
  expect(response.headers.get('x-shout-id')).toBe(response.headers.get('x-request-id'))
  const { method, url, headers, body } = scene.accounts[0]!.requests[0]!
  expect([method, url]).toEqual(['POST', '/shout/v1/say'])
  expect(headers).toMatchObject({ 'x-megaphone': 'key-of-first', 'x-shout-edition': '3' })
  expect(body.toString()).toBe('{"voice":"stentor","words":"hear me"}')
  expect((await scene.gateway.logged(1))[0]).toMatchObject({
    route: 'shout.say',
    dialect: 'shout',
    model_requested: 'stentor',
    response_id: 'shout_1',
    input_tokens: 2,
    output_tokens: 2,
  })
})

test('a client says them loud and gets every event as it is', async () => {
  await using scene = await stage()
  const response = await speak(scene.gateway, loud)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await response.text()).toBe(whole.join(''))
  expect((await scene.gateway.logged(1))[0]).toMatchObject({
    stream: true,
    stream_end: 'complete',
    response_id: 'shout_1',
    output_tokens: 2,
  })
})

test('the account’s name of a voice stands in the body, and nothing else is changed', async () => {
  await using scene = await stage([answerShout], { models: { 'old-*': 'new-*' } })
  const fields = { voice: 'old-homer', number: 12345678901234567890n.toString(), loud: true }
  await (await speak(scene.gateway, { fields })).arrayBuffer()
  const sent = scene.accounts[0]!.requests[0]!.body.toString()
  expect(sent).toBe(
    '{"voice":"new-homer","words":"hear me","number":"12345678901234567890","loud":true}',
  )
})

test('an alias means another voice', async () => {
  await using scene = await stage([answerShout], {}, { aliases: { herald: 'stentor' } })
  await speak(scene.gateway, { fields: { voice: 'herald' } })
  const [request] = scene.accounts[0]!.requests
  expect(JSON.parse(request!.body.toString())).toMatchObject({ voice: 'stentor' })
})

test('a client may bring its key as other clients do', async () => {
  await using scene = await stage()
  const { key } = scene.gateway
  expect((await speak(scene.gateway, { headers: { authorization: `Bearer ${key}` } })).ok).toBe(
    true,
  )
  expect((await speak(scene.gateway, { headers: { 'x-megaphone': 'wrong' } })).status).toBe(401)
  expect((await speak(scene.gateway, { headers: {} })).status).toBe(401)
})

test('an account of any provider may be said to speak the dialect', async () => {
  await using scene = await stage([answerShout], {
    provider: 'openai-compatible',
    speaks: ['shout'],
  })
  expect(await (await speak(scene.gateway)).json()).toEqual(reply)
})

test('the key of a client stays here, even where the account has none', async () => {
  await using scene = await stage([answerJson(reply)])
  const { apiKey: _, ...open } = accountAt('open', scene.accounts[0]!.url)
  await using gateway = await createTestGateway({ plugins: [shout()], accounts: [open] })
  expect((await speak(gateway)).status).toBe(200)
  const { headers } = scene.accounts[0]!.requests[0]!
  expect(JSON.stringify(headers)).not.toContain(gateway.key)
})
