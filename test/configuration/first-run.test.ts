import { expect, test } from 'vitest'

import { ensureBootstrapKey, firstRunSettings } from '../../src/configuration/first-run.ts'
import { createKey, listKeys, revokeKey } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'

const sandboxUrl = 'http://127.0.0.1:1234'

test('with nothing at hand there is the sandbox', () => {
  const { accounts, listen, keys } = firstRunSettings({ env: {}, sandboxUrl })
  expect(accounts).toMatchObject([
    { id: 'sandbox', provider: 'sandbox', baseUrl: sandboxUrl, apiKey: 'sandbox-key-a' },
  ])
  expect(accounts[0]?.models).toContain('sandbox/*')
  expect(listen).toEqual({ host: '127.0.0.1', port: 8787 })
  expect(keys).toEqual([])
})

test('each provider key in the environment is an account', () => {
  const env = {
    OPENAI_API_KEY: 'sk-1',
    ANTHROPIC_API_KEY: 'sk-ant',
    ANTHROPIC_BASE_URL: 'https://proxy.example',
    GOOGLE_API_KEY: 'g',
  }
  const { accounts } = firstRunSettings({ env, flags: { port: '0' }, sandboxUrl })
  expect(accounts.slice(1)).toMatchObject([
    { id: 'openai', provider: 'openai', apiKey: 'sk-1' },
    { id: 'anthropic', apiKey: 'sk-ant', baseUrl: 'https://proxy.example', models: ['claude-*'] },
    { id: 'gemini', apiKey: 'g' },
  ])
  const both = firstRunSettings({ env: { ...env, GEMINI_API_KEY: 'first' }, sandboxUrl })
  expect(both.accounts.at(-1)).toMatchObject({ id: 'gemini', apiKey: 'first' })
})

test('a key of a server by name is an account whose models have its name', () => {
  const env = { OPENROUTER_API_KEY: 'or', CO_API_KEY: 'co', GROQ_API_KEY: 'dgm_x', XAI_API_KEY: '' }
  const { accounts } = firstRunSettings({ env, sandboxUrl })
  expect(accounts.slice(1)).toMatchObject([
    {
      id: 'openrouter',
      provider: 'openrouter',
      apiKey: 'or',
      models: { 'openrouter/*': '*' },
    },
    { id: 'cohere', provider: 'cohere', apiKey: 'co', models: { 'cohere/*': '*' } },
  ])
  expect(accounts.every(({ baseUrl }, index) => index === 0 || baseUrl === undefined)).toBe(true)
})

test("a gateway's own key, or an empty one, is no provider key", () => {
  const env = { OPENAI_API_KEY: 'dgm_abc', OPENAI_BASE_URL: 'http://127.0.0.1:8787/v1' }
  const { accounts } = firstRunSettings({ env: { ...env, GEMINI_API_KEY: '' }, sandboxUrl })
  expect(accounts.map(({ id }) => id)).toEqual(['sandbox'])
})

test('the bootstrap key is made once', async () => {
  const store = openMemoryStore()
  const first = await ensureBootstrapKey(store)
  expect(first).toMatchObject({ state: 'created', secret: expect.stringMatching(/^dgm_/) })
  expect(await ensureBootstrapKey(store)).toEqual({ state: 'exists' })
  await revokeKey(store, 'bootstrap')
  expect(await ensureBootstrapKey(store)).toEqual({ state: 'revoked' })
  expect(await listKeys(store)).toHaveLength(1)
})

test('who has keys already gets none', async () => {
  const store = openMemoryStore()
  await createKey(store, { id: 'team' })
  expect(await ensureBootstrapKey(store)).toEqual({ state: 'not needed' })
})

test('two first runs at once make one key', async () => {
  const store = openMemoryStore()
  const states = await Promise.all([ensureBootstrapKey(store), ensureBootstrapKey(store)])
  expect(states.map(({ state }) => state).toSorted()).toEqual(['created', 'exists'])
})
