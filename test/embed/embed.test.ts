import OpenAI, { NotFoundError } from 'openai-7'
import { expect, test } from 'vitest'

import {
  type Config,
  ConfigurationError,
  createKey,
  definePlugin,
  resolveSettings,
} from '../../src/index.ts'
import { startSandbox, until } from '../../src/testing/index.ts'
import { embedGateway, startHost } from './host.ts'

const secret = 'host-secret'

function configFor(sandboxUrl: string, changes: Config = {}): Config {
  const account = { provider: 'sandbox', baseUrl: sandboxUrl, apiKey: 'sandbox-key-a' }
  return {
    store: 'memory:',
    keys: [{ id: 'host', secret }],
    accounts: [{ id: 'a', ...account, models: ['sandbox/*'] }],
    ...changes,
  }
}

/** What an application's own log takes. */
function collect() {
  const text: string[] = []
  return {
    lines: () => text.join('').split('\n').filter(Boolean),
    sink: {
      writableLength: 0,
      write(piece: string, callback?: () => void) {
        text.push(piece)
        callback?.()
        return true
      },
    },
  }
}

test('an application serves the gateway beside its own pages', async () => {
  await using sandbox = await startSandbox()
  const stdout = collect()
  await using embedded = await embedGateway(configFor(sandbox.url), stdout.sink)
  await using host = await startHost((request, response) => {
    if (request.url === '/about') response.end('our own page')
    else embedded.listener(request, response)
  })

  expect(await (await fetch(`${host.url}/about`)).text()).toBe('our own page')
  const client = new OpenAI({ apiKey: secret, baseURL: `${host.url}/v1`, maxRetries: 0 })
  const reply = await client.responses.create({ model: 'sandbox/echo', input: 'Hello' })
  expect(reply.output_text).toContain('Hello')
  const stream = await client.chat.completions.create({
    model: 'sandbox/echo',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
  })
  let streamed = ''
  for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? ''
  expect(streamed).toContain('Hello')

  const exchanges = () => stdout.lines().filter((line) => line.includes('"msg":"exchange"'))
  await until(() => exchanges().length === 2)
  expect(exchanges().join('\n')).not.toContain(secret)
})

test('an application’s strangers are refused, and the keys that it issues are not', async () => {
  await using sandbox = await startSandbox()
  await using embedded = await embedGateway(configFor(sandbox.url), collect().sink)
  await using host = await startHost(embedded.listener)
  const statusOf = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${host.url}/v1/models`, { headers })
    await response.body?.cancel()
    return response.status
  }

  expect(await statusOf('of-a-stranger')).toBe(401)
  const issued = await createKey(embedded.store, { id: 'later' })
  await until(async () => (await statusOf(issued.secret)) === 200)
})

test('an application brings plugins of its own, and changes accounts while it runs', async () => {
  await using sandbox = await startSandbox()
  const seen: string[] = []
  const counting = definePlugin({
    name: 'counting',
    onEnd: ({ exchange, summary }) => void seen.push(`${exchange.operation?.id} ${summary.status}`),
  })
  const config = configFor(sandbox.url, { plugins: [counting] })
  await using embedded = await embedGateway(config, collect().sink)
  await using host = await startHost(embedded.listener)
  const client = new OpenAI({ apiKey: secret, baseURL: `${host.url}/v1`, maxRetries: 0 })
  const ask = () => client.responses.create({ model: 'fast', input: 'Hello' })

  await expect(ask()).rejects.toBeInstanceOf(NotFoundError)
  embedded.configure(
    resolveSettings({ ...config, aliases: { fast: 'sandbox/echo' } }, { env: process.env }),
  )
  expect((await ask()).status).toBe('completed')
  await until(() => seen.length === 2)
  expect(seen).toEqual(['responses.create 404', 'responses.create 200'])
})

test('a change of accounts and keys that cannot be made changes neither', async () => {
  await using sandbox = await startSandbox()
  const config = configFor(sandbox.url)
  await using embedded = await embedGateway(config, collect().sink)
  await using host = await startHost(embedded.listener)
  const client = new OpenAI({ apiKey: secret, baseURL: `${host.url}/v1`, maxRetries: 0 })
  const changed = resolveSettings(
    { ...config, accounts: [], keys: [{ id: 'other', secret: 'other-secret' }] },
    { env: process.env },
  )
  const malformed = changed.keys.map((key) => ({ ...key, hash: 'other-secret' }))
  expect(() => embedded.configure({ ...changed, keys: malformed })).toThrow(/keys\[0\]\.hash/)
  const { accounts } = resolveSettings(config, { env: process.env })
  const unknown = accounts.map((account) => ({ ...account, provider: 'opnai' }))
  expect(() => embedded.configure({ ...changed, accounts: unknown })).toThrow(ConfigurationError)
  const reply = await client.responses.create({ model: 'sandbox/echo', input: 'Hello' })
  expect(reply.status).toBe('completed')
})

test('an application is told of all that is wrong with its configuration', async () => {
  const broken: Config = {
    store: 'memory:',
    accounts: [{ id: 'a', provider: 'opnai', models: ['*'] }],
  }
  const failure = await embedGateway(broken, collect().sink).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ConfigurationError)
  expect(String(failure)).toContain('unknown provider "opnai"')
})
