import { expect, test } from 'vitest'

import { startService } from './service.ts'
import { expectAccepted, expectRefused } from './verdict.ts'

const bounded = [
  '3-5-sonnet-20241022',
  '3-5-haiku-20241022',
  '3-opus-20240229',
  '3-sonnet-20240229',
  '3-haiku-20240307',
]

test.each(bounded)('max_tokens of claude-%s is 1..8192', async (name) => {
  await using service = await startService()
  for (const model of [`claude-${name}`, `vendor-${name}`]) {
    await expectAccepted(service, 'messages', { model, max_tokens: 1 })
    await expectAccepted(service, 'messages', { model, max_tokens: 8192 })
    await expectRefused(service, 'messages', { model, max_tokens: 0 }, 'max_tokens')
    await expectRefused(service, 'messages', { model, max_tokens: 8193 }, 'max_tokens')
  }
})

test('#5: other models take what their upstream takes, and 0 warms its cache', async () => {
  await using service = await startService()
  for (const model of ['m', 'claude-opus-5', 'claude-3-5-sonnet-20241022-v2']) {
    for (const max_tokens of [0, 1, 8193, 64_000, 1_000_000]) {
      await expectAccepted(service, 'messages', { model, max_tokens })
    }
    await expectRefused(service, 'messages', { model, max_tokens: -1 }, 'max_tokens')
    await expectRefused(service, 'messages', { model, max_tokens: 1.5 }, 'max_tokens')
  }
})

test('an alias of a bounded model has the bound of the model', async () => {
  await using service = await startService({})
  const { gateway, upstream } = service
  const account = { id: 'a', provider: 'anthropic', baseUrl: upstream.url, models: ['*'] }
  gateway.reload({ accounts: [account], aliases: { haiku: 'claude-3-haiku-20240307' } })
  await expectAccepted(service, 'messages', { model: 'haiku', max_tokens: 8192 })
  const response = await service.ask('messages', { model: 'haiku', max_tokens: 8193 })
  expect(response.status).toBe(400)
})
