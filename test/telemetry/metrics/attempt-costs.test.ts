import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { chatOf, costStage, startScriptedAccount, usage } from './costs.ts'

const path = '/v1/chat/completions'
const account = { id: 'a', provider: 'openai', apiKey: 'sk-canary', speaks: ['chat'] }
const rates = { input: '2', output: '8', cacheRead: '0.50' }
/** Of the usage that `usage` is: 60 tokens, 40 from the cache, 10 of the reply. */
const each = (60 * 2 + 40 * 0.5 + 10 * 8) / 1e6

test('an attempt that no account has seen is no look-up', async () => {
  const gone = await startFakeAccount(() => {})
  await gone[Symbol.asyncDispose]()
  await using upstream = await startScriptedAccount()
  await using costs = await costStage({
    accounts: [
      { ...account, id: 'gone', baseUrl: `${gone.url}/v1`, models: ['gpt-a'] },
      { ...account, baseUrl: `${upstream.url}/v1`, models: ['gpt-a'], priority: 1 },
    ],
    prices: { 'gpt-a': { rates } },
  })
  expect(await costs.stage.call(path, chatOf('gpt-a', { usage }))).toBe(200)
  expect(upstream.requests).toHaveLength(1)
  await costs.stage.sample('dragoman_upstream_attempts_total{account="a",outcome="ok"}')
  expect(await costs.lookups(1)).toEqual({ priced: 1 })
})

test('a tier that an early chunk of a stream has is that of the usage in a later one', async () => {
  await using upstream = await startScriptedAccount()
  await using costs = await costStage({
    accounts: [{ ...account, baseUrl: `${upstream.url}/v1`, models: ['gpt-a'] }],
    prices: { 'gpt-a': { rates, tiers: { flex: '0.5' } } },
  })
  const script = { usage, tier: 'flex', isTierEarly: true }
  const body = chatOf('gpt-a', script, { stream: true })
  expect(await costs.stage.call(path, body)).toBe(200)
  expect(await costs.lookups(1)).toEqual({ priced: 1 })
  expect(await costs.costs()).toEqual({ 'openai gpt-a': each / 2 })
  const translated = { ...body, max_tokens: 9 }
  const ofMessages = { 'anthropic-version': '2023-06-01' }
  expect(await costs.stage.call('/v1/messages', translated, ofMessages)).toBe(200)
  expect(await costs.lookups(2)).toEqual({ priced: 2 })
  expect(await costs.costs()).toEqual({ 'openai gpt-a': each })
})
