import { expect, test } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { defineDialect } from '../../src/contract/dialect.ts'
import type { ProviderPreset } from '../../src/contract/provider.ts'
import { compileSnapshot } from '../../src/accounts/compile.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'

const speaks: DialectName[] = ['responses', 'chat', 'messages', 'generate']

/** A gateway with one account whose dialects are at servers of their own. */
async function startScene(account: Partial<AccountConfig> = {}) {
  await using starting = new AsyncDisposableStack()
  const server = async (name: DialectName) =>
    starting.use(await startFakeAccount(answerJson(dialects[name].reply)))
  const [responses, chat, messages, generate] = await Promise.all(speaks.map(server))
  const servers = { responses: responses!, chat: chat!, messages: messages!, generate: generate! }
  const gateway = starting.use(
    await createTestGateway({
      admin: true,
      accounts: [
        {
          id: 'a',
          provider: 'openai',
          apiKey: 'key-of-the-account',
          baseUrl: `${servers.responses.url}/v1`,
          baseUrls: {
            chat: `${servers.chat.url}/openai/v4`,
            messages: `${servers.messages.url}/anthropic`,
            generate: servers.generate.url,
          },
          speaks,
          models: ['m'],
          ...account,
        },
      ],
    }),
  )
  const started = starting.move()
  return {
    gateway,
    servers,
    async ask(name: DialectName) {
      const { path, credential, request } = dialects[name]
      return await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credential(gateway.key) },
        body: JSON.stringify(request),
      })
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

test('each dialect of an account is asked at its own root, with one key', async () => {
  await using scene = await startScene()
  for (const name of dialectNames) expect((await scene.ask(name)).status, name).toBe(200)
  const asked = Object.entries(scene.servers).map(([name, { requests }]) => [
    name,
    requests.map(({ url }) => url),
  ])
  expect(Object.fromEntries(asked)).toEqual({
    responses: ['/v1/responses'],
    chat: ['/openai/v4/chat/completions'],
    messages: ['/anthropic/v1/messages'],
    generate: ['/v1beta/models/m:generateContent'],
  })
  for (const { requests } of Object.values(scene.servers)) {
    expect(JSON.stringify(requests[0]?.headers)).toContain('key-of-the-account')
  }
})

test('operators see the roots of an account, and no path that may be secret', async () => {
  await using scene = await startScene()
  const { data } = await scene.gateway.admin!.ask('{ account(id: "a") { baseUrl baseUrls } }')
  const { servers } = scene
  expect(data).toEqual({
    account: {
      baseUrl: `${servers.responses.url}/v1`,
      baseUrls: {
        chat: `${servers.chat.url}/...`,
        messages: `${servers.messages.url}/...`,
        generate: servers.generate.url,
      },
    },
  })
})

test('an error names the address of no root', async () => {
  await using scene = await startScene()
  const { chat, messages } = scene.servers
  const said = `at ${messages.url}/anthropic and ${chat.url}`
  await using broken = await startFakeAccount(
    answerJson({ error: { type: 'invalid_request_error', message: said } }, { status: 400 }),
  )
  const urls = { chat: chat.url, messages: messages.url, generate: broken.url }
  scene.gateway.reload({
    accounts: [{ id: 'a', provider: 'openai', baseUrls: urls, speaks, models: ['m'] }],
  })
  const text = await (await scene.ask('generate')).text()
  expect(text).toContain('at ')
  expect(text).not.toContain('127.0.0.1')
})

test('an account of the store gets its key at no other root than those that it was given for', async () => {
  await using scene = await startScene()
  const admin = scene.gateway.admin!
  const act = (name: string, input: object) =>
    admin.ask(
      `mutation ($input: ${name[0]!.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename ... on Invalid { problems { path } } } }`,
      { variables: { input } },
    )
  const { chat, messages } = scene.servers
  const stored = { id: 'b', provider: 'openai', models: ['n'], speaks: ['chat', 'messages'] }
  const created = await act('createAccount', {
    ...stored,
    baseUrl: `${chat.url}/v1`,
    baseUrls: { messages: messages.url },
  })
  expect(created.data).toMatchObject({ createAccount: { __typename: 'CreateAccountSuccess' } })
  const unknown = await act('updateAccount', { id: 'b', baseUrls: { generate: chat.url } })
  expect(unknown.data).toMatchObject({
    updateAccount: { problems: [{ path: 'input.baseUrls.generate' }] },
  })
  const hidden = await act('updateAccount', {
    id: 'b',
    baseUrls: { messages: `${chat.url}/...` },
  })
  expect(hidden.data).toMatchObject({
    updateAccount: { problems: [{ path: 'input.baseUrls.messages' }] },
  })
})

const noCalls = {
  operations: [],
  credential: () => undefined,
  error: () => ({ status: 500, body: {} }),
}

function compile(account: Partial<AccountConfig>, rows: Record<string, ProviderPreset>) {
  const settings = resolveSettings(
    { accounts: [{ id: 'a', provider: 'p', models: ['m'], ...account }] },
    { env: {} },
  )
  const spoken = Object.entries(rows).map(([id, preset]) =>
    defineDialect({
      id,
      ...noCalls,
      upstream: {
        base: id === 'chat' ? 'versioned' : 'bare',
        providers: { p: preset },
        headers: () => ({}),
      },
    }),
  )
  const { snapshot, problems } = compileSnapshot(settings.accounts, {}, spoken)
  const [compiled] = snapshot.accounts
  const shown = (one: { origin: string; basePath: string; base: string }) =>
    `${one.origin}${one.basePath} ${one.base}`
  return {
    problems: problems.map(({ path, message }) => `${path} ${message}`),
    root: compiled && shown(compiled),
    roots: Object.fromEntries(
      Object.entries(compiled?.roots ?? {}).map(([id, one]) => [id, shown(one)]),
    ),
  }
}

const aggregator = {
  chat: { baseUrl: 'https://api.example.com/api/v1' },
  messages: { baseUrl: 'https://api.example.com/api' },
}

test('a preset has a root for each dialect, which a base URL of the account moves', () => {
  expect(compile({}, aggregator)).toEqual({
    problems: [],
    root: 'https://api.example.com/api/v1 versioned',
    roots: { messages: 'https://api.example.com/api bare' },
  })
  expect(compile({ baseUrl: 'http://proxy:8080/team/api/v1' }, aggregator)).toMatchObject({
    root: 'http://proxy:8080/team/api/v1 versioned',
    roots: { messages: 'http://proxy:8080/team/api bare' },
  })
  expect(compile({ baseUrl: 'http://proxy:8080/v1' }, aggregator)).toMatchObject({
    roots: { messages: 'http://proxy:8080/api bare' },
  })
  expect(compile({ baseUrls: { messages: 'https://other.example' } }, aggregator)).toMatchObject({
    root: 'https://api.example.com/api/v1 versioned',
    roots: { messages: 'https://other.example bare' },
  })
})

test('the paths of a cloud stay its own, and a base URL gives the host alone', () => {
  const cloud = {
    chat: { keepsPath: true, baseUrl: '/openai/v1' },
    messages: { keepsPath: true, baseUrl: '/anthropic' },
  }
  const expected = {
    problems: [],
    root: 'https://res.example.com/openai/v1 versioned',
    roots: { messages: 'https://res.example.com/anthropic bare' },
  }
  for (const path of ['', '/', '/openai', '/openai/v1/'])
    expect(compile({ baseUrl: `https://res.example.com${path}` }, cloud), path).toEqual(expected)
  expect(compile({ baseUrl: 'https://res.example.com/else' }, cloud).problems).toEqual([
    'accounts[0].baseUrl has a path, and the paths of provider "p" are its own',
  ])
  expect(compile({}, cloud).problems).toEqual([
    'accounts[0].baseUrl provider "p" has no default base URL',
  ])
})

test('base URLs of dialects that the account does not speak are named', () => {
  expect(compile({ baseUrls: { generate: 'https://x.example' } }, aggregator).problems).toEqual([
    'accounts[0].baseUrls.generate the account does not speak "generate"',
  ])
})
