import { expect, test } from 'vitest'
import { z } from 'zod'

import { chatDialect } from '../../plugins/dialects/chat/index.ts'
import { ConfigurationError } from '../../src/contract/problems.ts'
import {
  type AccountDialect,
  defineAccountDialect,
  definePlugin,
  type GatewayPlugin,
  optionsOf,
} from '../../src/dialect-kit/index.ts'
import { createTestGateway, startFakeAccount } from '../../src/testing/index.ts'
import { form } from '../walks/streams/forms.ts'
import { answerJson } from '../../src/testing/fake-account.ts'

const options = z.strictObject({
  region: z.enum(['north', 'south']).default('north'),
  port: z.int().optional(),
  deployments: z.record(z.string(), z.string()).default({}),
})

/** A cloud whose address, headers and paths depend on the options of its accounts. */
function cloud(seen: unknown[] = [], change: Partial<AccountDialect> = {}): GatewayPlugin {
  const { codec } = chatDialect.generate!
  const dialect = defineAccountDialect({
    id: 'cloud',
    upstream: {
      base: 'bare',
      providers: {
        cloud: { options, baseUrl: ({ port }) => `http://127.0.0.1:${String(port)}` },
      },
      headers: (account) => ({ 'x-region': optionsOf(account, options).region }),
    },
    generate: {
      codec: {
        ...codec,
        encodeRequest(request, model, drop, account) {
          const { deployments } = optionsOf(account ?? {}, options)
          const encoded = codec.encodeRequest(request, model, drop, account)
          return { ...encoded, path: `/deployments/${deployments[model] ?? model}` }
        },
      },
    },
    ...change,
  })
  return definePlugin({
    name: 'cloud',
    dialects: [dialect],
    onAttempt({ exchange, next }) {
      seen.push(exchange.candidate.account.options)
      return next()
    },
  })
}

const portOf = (url: string) => Number(new URL(url).port)

async function ask({ url, key }: { url: string; key: string }, model = 'm') {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
  })
  return response.status
}

test('options of an account reach address, headers, codec and hooks as their schema returns them', async () => {
  await using account = await startFakeAccount(answerJson(form.chat.reply))
  const seen: unknown[] = []
  const port = portOf(account.url)
  await using gateway = await createTestGateway({
    plugins: [cloud(seen)],
    accounts: [
      {
        id: 'a',
        provider: 'cloud',
        models: ['m'],
        options: { region: 'south', port, deployments: { m: 'mine' } },
      },
      { id: 'b', provider: 'cloud', models: ['n'], options: null, baseUrl: account.url },
      { id: 'c', provider: 'cloud', models: ['o'], baseUrl: account.url },
    ],
  })
  for (const model of ['m', 'n', 'o']) expect(await ask(gateway, model)).toBe(200)
  const defaults = { region: 'north', deployments: {} }
  expect(seen).toEqual([{ region: 'south', port, deployments: { m: 'mine' } }, defaults, defaults])
  expect(account.requests.map(({ url, headers }) => [url, headers['x-region']])).toEqual([
    ['/deployments/mine', 'south'],
    ['/deployments/n', 'north'],
    ['/deployments/o', 'north'],
  ])
})

const later = {
  '~standard': { version: 1, vendor: 'x', validate: () => Promise.resolve({ value: {} }) },
} as const

const failing = {
  '~standard': {
    version: 1,
    vendor: 'x',
    validate() {
      throw new Error('sk-live')
    },
  },
} as const

async function problemsOf(written: object, change?: Partial<AccountDialect>, provider = 'cloud') {
  const account = { id: 'a', provider, models: ['m'], options: written as Record<string, unknown> }
  const plugins = [cloud([], change)]
  try {
    await using _ = await createTestGateway({ plugins, accounts: [account] })
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map(({ path, message, fix }) => `${path}: ${message} / ${fix}`)
  }
}

const providers = (schema: unknown) => ({
  upstream: {
    base: 'bare' as const,
    headers: () => ({}),
    providers: { cloud: { baseUrl: 'http://127.0.0.1:9', options: schema as typeof options } },
  },
})

test.each<[string, object, string, (Partial<AccountDialect> | undefined)?, string?]>([
  [
    'an unknown option',
    { regoin: 'south' },
    'accounts[0].options.regoin: unknown option "regoin" / did you mean "region"?',
  ],
  [
    'a wrong value, which may be a secret',
    { port: 'sk-live-0123456789' },
    'accounts[0].options.port: Invalid input: expected number, received string / write port: a value of type integer',
  ],
  [
    'the place of a secret',
    { deployments: { m: 'env:HOME' } },
    "accounts[0].options.deployments.m: names the place of a secret, and options have none / write the value; a secret is the account's credential",
  ],
  [
    'a provider without options',
    { region: 'south' },
    'accounts[0].options: are given, but provider "openai" takes none / leave them out',
    undefined,
    'openai',
  ],
  [
    'a schema that answers later',
    {},
    'accounts[0].options: have a schema that checks later: provider "cloud" / correct it in its plugin',
    providers(later),
  ],
  [
    'a schema that throws',
    {},
    'accounts[0].options: have a schema that fails: provider "cloud" / correct it in its plugin',
    providers(failing),
  ],
])('the start reports %s', async (_what, written, problem, change, provider) => {
  expect(await problemsOf(written, change, provider)).toEqual([problem])
})

const create = `mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename
  ... on CreateAccountSuccess { account { id options } }
  ... on Invalid { problems { path message } } } }`
const update = `mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { __typename
  ... on UpdateAccountSuccess { account { id options } }
  ... on Invalid { problems { path message } } } }`

test('the admin API checks options, shows them, and sends no credential where other options lead', async () => {
  await using account = await startFakeAccount(answerJson(form.chat.reply))
  await using thief = await startFakeAccount(answerJson(form.chat.reply))
  const env = { DRAGOMAN_ACCOUNT_A: 'secret-of-a', DRAGOMAN_ACCOUNT_FILE: 'secret-of-file' }
  const port = portOf(account.url)
  await using gateway = await createTestGateway({
    plugins: [cloud()],
    accounts: [
      {
        id: 'of-file',
        provider: 'cloud',
        models: ['f'],
        apiKey: 'env:DRAGOMAN_ACCOUNT_FILE',
        options: { port },
      },
    ],
    admin: true,
    env,
  })
  const run = async (operation: string, input: object) =>
    (await gateway.admin!.ask(operation, { variables: { input } })).data
  const fields = { id: 'a', provider: 'cloud', models: ['m'] }

  const wrong = await run(create, { ...fields, options: { regoin: 'south' } })
  expect(wrong).toEqual({
    createAccount: {
      __typename: 'Invalid',
      problems: [{ path: 'input.options.regoin', message: 'unknown option "regoin"' }],
    },
  })
  const place = await run(create, { ...fields, options: { deployments: { m: 'env:HOME' } } })
  expect(JSON.stringify(place)).toContain('"path":"input.options.deployments.m"')

  const credential = 'env:DRAGOMAN_ACCOUNT_A'
  const made = await run(create, { ...fields, credential, options: { port } })
  expect(made).toEqual({
    createAccount: {
      __typename: 'CreateAccountSuccess',
      account: { id: 'a', options: { region: 'north', port, deployments: {} } },
    },
  })
  expect(await ask(gateway)).toBe(200)

  const moved = await run(update, { id: 'a', options: { port: portOf(thief.url) } })
  expect(JSON.stringify(moved)).toContain('"path":"input.credential"')
  const stolen = await run(create, {
    id: 'b',
    provider: 'cloud',
    models: ['m'],
    credential: 'env:DRAGOMAN_ACCOUNT_FILE',
    options: { port: portOf(thief.url) },
  })
  expect(JSON.stringify(stolen)).toContain('"path":"input.credential"')
  expect(thief.requests).toEqual([])

  const cleared = await run(update, { id: 'a', options: null, baseUrl: account.url, credential })
  expect(cleared).toMatchObject({
    updateAccount: { account: { options: { region: 'north', deployments: {} } } },
  })
})
