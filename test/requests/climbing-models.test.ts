import { expect, test } from 'vitest'

import { accountsAt, startService } from './service.ts'

const climbing = [
  'a%2F..%2Fb',
  '..%2Fb',
  '.%2Fb',
  'a%2F',
  '%2Fb',

  'a%5C..%5Cb',
  'a%252Fb',
  'a%3Fb',
  'a%00',
  'a%0Ab',
]

test.each(climbing)('a model named %s in a path is no model', async (name) => {
  await using service = await startService()
  const path = `/v1beta/models/${name}:generateContent`
  expect((await service.ask('generate', {}, { path })).status).toBe(404)
  expect(service.upstream.requests).toEqual([])
})

test('the request inside a token count names the model of the path, and is renamed with it', async () => {
  await using service = await startService()
  const models = { 'fast/one': 'gemini-x' }
  service.gateway.reload({ accounts: accountsAt(service.upstream.url, models) })
  const path = '/v1beta/models/fast/one:countTokens'
  const inside = (model: string) => ({
    generateContentRequest: { model, contents: [{ parts: [{ text: 'hi' }] }] },
  })
  const other = await service.ask('generate', inside('models/gemini-ultra'), { path })
  expect(other.status).toBe(400)
  expect(service.upstream.requests).toEqual([])
  expect((await service.ask('generate', inside('models/fast/one'), { path })).status).toBe(200)
  expect(JSON.parse(service.received().body.toString())).toMatchObject(inside('models/gemini-x'))
})
