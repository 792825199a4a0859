import { connect } from 'node:net'

import Anthropic1 from 'anthropic-1'
import { GoogleGenAI as GenAI3 } from 'genai-3'
import OpenAI7 from 'openai-7'
import { expect, test, vi } from 'vitest'

import type { AccountRequest } from '../../../src/testing/fake-account.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { listedNames, openAiList } from './lists.ts'

const openAi = { id: 'a', provider: 'openai', apiKey: 'sk-account-key' }

test('an interface that asks for models finds those of an account with a pattern', async () => {
  const all = ['gpt-5', 'gpt-4o', 'whisper-1', 'ft:gpt-4o:acme::x1']
  await using account = await startFakeAccount(openAiList(...all))
  await using gateway = await createTestGateway({
    accounts: [{ ...openAi, baseUrl: `${account.url}/v1`, models: ['gpt-*', 'named'] }],
  })
  const expected = ['gpt-4o', 'gpt-5', 'named']
  const openai = new OpenAI7({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` })
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(expected)
  const anthropic = new Anthropic1({ apiKey: gateway.key, baseURL: gateway.url })
  const page = await anthropic.models.list({ limit: 1000 })
  expect(page).toMatchObject({ first_id: 'gpt-4o', last_id: 'named', has_more: false })
  expect(page.data.map(({ id }) => id)).toEqual(expected)
  const gemini = new GenAI3({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } })
  const names: unknown[] = []
  for await (const { name } of await gemini.models.list()) names.push(name)
  expect(names).toEqual(expected.map((name) => `models/${name}`))
  expect(await openai.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o' })
})

test('the account is asked once, as its provider expects it, and only when somebody lists models', async () => {
  await using account = await startFakeAccount(openAiList('gpt-5'))
  await using gateway = await createTestGateway({
    accounts: [
      {
        ...openAi,
        baseUrl: `${account.url}/v1`,
        models: ['gpt-*'],
        headers: { 'x-team': 'inference' },
      },
      { ...openAi, id: 'exact', baseUrl: `${account.url}/exact`, models: ['only-this'] },
      { ...openAi, id: 'off', baseUrl: `${account.url}/off`, models: ['*'], enabled: false },
    ],
  })
  expect(account.requests).toEqual([])
  const lists = await Promise.all([1, 2, 3].map(() => listedNames(gateway.url, gateway.key)))
  for (const list of lists) expect(list).toEqual(['gpt-5', 'only-this'])
  await listedNames(gateway.url, gateway.key)
  expect(account.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/models'])
  const [{ headers } = {} as AccountRequest] = account.requests
  expect(headers).toMatchObject({ authorization: 'Bearer sk-account-key', 'x-team': 'inference' })
  expect(JSON.stringify(headers)).not.toContain(gateway.key)
})

test('each name is the one that the key can call: maps, aliases and scopes count', async () => {
  const all = ['gpt-5', 'gpt-4o', 'acme/large', 'other']
  await using account = await startFakeAccount(openAiList(...all))
  const baseUrl = `${account.url}/v1`
  await using gateway = await createTestGateway({
    keys: [
      { id: 'test', secret: 'test-secret' },
      { id: 'team', secret: 'team-secret', models: ['team/*', 'quick'] },
    ],
    accounts: [
      {
        ...openAi,
        baseUrl,
        models: { 'team/*': 'gpt-*', 'team/4o': 'special', 'fixed-*': 'gpt-5', 'x/*': 'acme/*' },
      },
    ],
    aliases: { quick: 'team/5', 'x/large': 'nowhere' },
  })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['quick', 'team/4o', 'team/5'])
  const scoped = ['quick', 'team/4o', 'team/5']
  expect(await listedNames(gateway.url, 'team-secret')).toEqual(scoped)
})

test('the pages of an Anthropic account are read, each from its own address', async () => {
  const page = (ids: string[], has_more: boolean) =>
    answerJson({ data: ids.map((id) => ({ type: 'model', id })), has_more, last_id: ids.at(-1) })
  await using account = await startFakeAccount((response, request) =>
    request.url.includes('after_id')
      ? page(['claude-b'], false)(response, request)
      : page(['claude-a', 'claude-x&y=1'], true)(response, request),
  )
  await using gateway = await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: 'anthropic',
        apiKey: 'sk-ant-key',
        baseUrl: account.url,
        models: ['claude-*'],
      },
    ],
  })
  const names = await listedNames(gateway.url, gateway.key)
  expect(names).toEqual(['claude-a', 'claude-b', 'claude-x&y=1'])
  expect(account.requests.map(({ url }) => url)).toEqual([
    '/v1/models?limit=1000',
    '/v1/models?limit=1000&after_id=claude-x%26y%3D1',
  ])
  expect(account.requests[1]?.headers).toMatchObject({ 'x-api-key': 'sk-ant-key' })
})

test('the pages of a Gemini account are read, without models that no call here can use', async () => {
  const model = (name: string, ...methods: string[]) => ({
    name: `models/${name}`,
    supportedGenerationMethods: methods,
  })
  await using account = await startFakeAccount((response, request) =>
    answerJson(
      request.url.includes('pageToken')
        ? {
            models: [model('veo-3', 'predictLongRunning'), { name: 'models/unsaid' }],
            nextPageToken: '',
          }
        : {
            models: [model('gemini-3', 'generateContent'), model('live-1', 'bidiGenerateContent')],
            nextPageToken: 'a/b=',
          },
    )(response, request),
  )
  await using gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'gemini', apiKey: 'key', baseUrl: account.url, models: ['*'] }],
  })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['gemini-3', 'unsaid', 'veo-3'])
  expect(account.requests.map(({ url }) => url)).toEqual([
    '/v1beta/models?pageSize=1000',
    '/v1beta/models?pageSize=1000&pageToken=a%2Fb%3D',
  ])
})

test('a chat server whose list is the array itself is read', async () => {
  await using account = await startFakeAccount(answerJson([{ id: 'meta/llama' }, { id: 7 }, null]))
  await using gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'openai-compatible', baseUrl: `${account.url}/v1`, models: ['*'] },
    ],
  })
  expect(await listedNames(gateway.url, gateway.key)).toEqual(['meta/llama'])
})

test('a long list that its client does not read takes memory of its key', async () => {
  const namesOf = (letter: string) =>
    Array.from({ length: 5_000 }, (_, at) => `${letter}${at}`.padEnd(190, '"'))
  // Longer than what the system takes of a connection that is not read.
  const accounts = ['a', 'b'].map((id) => ({ id, names: namesOf(id) }))
  await using account = await startFakeAccount((response, request) => {
    const asked = accounts.find(({ id }) => request.url.startsWith(`/${id}/`))
    return openAiList(...(asked?.names ?? []))(response, request)
  })
  await using gateway = await createTestGateway({
    accounts: accounts.map(({ id }) => ({
      ...openAi,
      id,
      baseUrl: `${account.url}/${id}/v1`,
      models: ['*'],
    })),
    limits: { memoryBytes: 1024 * 1024 },
  })
  const { hostname, port } = new URL(gateway.url)
  const client = connect(Number(port), hostname)
  client.pause()
  client.write(`GET /v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\n\r\n`)
  const { held } = gateway.gateway
  await vi.waitFor(() => expect(held()).toBeGreaterThan(10_000_000), 5_000)
  client.destroy()
  await vi.waitFor(() => expect(held()).toBe(0), 5_000)
  expect(await listedNames(gateway.url, gateway.key)).toHaveLength(10_000)
})
