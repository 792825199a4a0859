import OpenAI, { APIError, AuthenticationError, NotFoundError } from 'openai-7'
import { expect, test } from 'vitest'

import { printed } from '../docs/shells.ts'
import { withoutAdmin } from '../docs/checkout.ts'
import { openExample } from './example.ts'

test('an external service decides who may call, as the README says', async () => {
  await using example = await openExample('plugins/authorization', withoutAdmin)
  await example.follow('npm install')
  const ownTests = example.start(example.command('npm test'))
  const [gateway, service] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run service', /listens on/),
    example.open('npm run sandbox', /listens on/),
  ])
  const ask = async (apiKey: string, model = 'sandbox/echo') => {
    const client = new OpenAI({ apiKey, baseURL: `${example.url(8787)}/v1`, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'Hello' }]
    return client.chat.completions.create({ model, messages })
  }

  expect(await example.follow('curl')).toMatch(/^HTTP.1.1 200 /m)
  await printed(gateway, /"key_id":"user:ada"/)
  expect((await ask('token-of-ada', 'sandbox/think')).object).toBe('chat.completion')
  expect((await ask('token-of-bob')).object).toBe('chat.completion')
  await expect(ask('token-of-bob', 'sandbox/think')).rejects.toBeInstanceOf(NotFoundError)
  await expect(ask('token-of-a-stranger')).rejects.toBeInstanceOf(AuthenticationError)

  service.signal('SIGTERM')
  await service.ended
  expect((await ask('token-of-ada')).object).toBe('chat.completion')
  const failure: unknown = await ask('token-of-another').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(APIError)
  const { status, headers } = failure as APIError
  expect({ status, retryAfter: headers?.get('retry-after') }).toEqual({
    status: 503,
    retryAfter: '1',
  })
  await printed(gateway, /the authorization service failed/)
  expect(gateway.output.text).not.toMatch(/token-of-|No API key exists/)

  await example.open('npm run service', /listens on/)
  await expect(ask('token-of-another')).rejects.toBeInstanceOf(AuthenticationError)

  gateway.signal('SIGTERM')
  await gateway.ended
  expect(gateway.output.text).toMatch(/Shutting down: \d exchanges? in flight\./)
  expect(await ownTests.ended, ownTests.output.text).toBe(0)
  expect(example.unused()).toEqual([])
})
