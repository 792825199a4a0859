import { GoogleGenAI } from 'genai-3'
import { expect, test } from 'vitest'

import type { LedgerRow } from '../../../src/contract/ledger-row.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { type FilesStage, filesStage } from './stage.ts'

const speaks = ['generate', 'cached-contents']

const stageOf = (options: Parameters<typeof filesStage>[0] = {}) =>
  filesStage({
    ...options,
    accounts: (options.accounts ?? [{ id: 'a' }]).map((one) => ({ speaks, ...one })),
  })

function clientOf({ gateway }: FilesStage, key = 'one') {
  return new GoogleGenAI({
    apiKey: `secret-${key}`,
    httpOptions: { baseUrl: gateway.url, retryOptions: { attempts: 1 } },
  })
}

const contents = [{ role: 'user', parts: [{ text: 'A long text that many requests share.' }] }]

const notFound = { status: 404, message: expect.stringContaining('NOT_FOUND') as string }

async function listed(client: GoogleGenAI, pageSize = 1): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of await client.caches.list({ config: { pageSize } }))
    names.push(name ?? '')
  return names
}

test('a cached content has a name of the gateway, and everything of the account besides', async () => {
  await using stage = await stageOf({ accounts: [{ id: 'a', models: { m: 'gemini-m' } }] })
  const client = clientOf(stage)
  const created = await client.caches.create({
    model: 'm',
    config: { contents, systemInstruction: 'Be short.', ttl: '600s', displayName: 'mine' },
  })
  const name = created.name ?? ''
  expect(name).toMatch(/^cachedContents\/[0-9a-z]{29}$/)
  expect(created).toMatchObject({ model: 'models/m', displayName: 'mine' })
  expect(created.usageMetadata?.totalTokenCount).toBeGreaterThan(0)
  const sent = JSON.parse(String(stage.sandbox.requests.at(-1)?.body)) as object
  expect(sent).toMatchObject({ model: 'models/gemini-m', ttl: '600s' })
  const seconds = (time = '') => (Date.parse(time) - Date.now()) / 1_000
  expect(seconds(created.expireTime)).toBeLessThan(601)
  expect(await client.caches.get({ name })).toMatchObject({ name, model: 'models/m' })
  const longer = await client.caches.update({ name, config: { ttl: '7200s' } })
  expect(seconds(longer.expireTime)).toBeGreaterThan(7_100)
  const expireTime = new Date(Date.now() + 10_800_000).toISOString()
  const longest = await client.caches.update({ name, config: { expireTime } })
  expect(longest).toMatchObject({ name, model: 'models/m', expireTime })
  const page = await client.caches.list()
  expect(page.page).toMatchObject([{ name, model: 'models/m', expireTime }])
  await client.caches.delete({ name })
  await expect(client.caches.get({ name })).rejects.toMatchObject(notFound)
  expect(await listed(client)).toEqual([])
  expect(stage.sandbox.requests.some(({ url }) => url.includes(name))).toBe(false)
})

test('requests, streams and counts that name a cached content reach the account that has it', async () => {
  await using stage = await stageOf({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const client = clientOf(stage)
  const { name = '', usageMetadata } = await client.caches.create({
    model: 'm',
    config: { contents },
  })
  const owner = stage.lastAccount()
  const request = { model: 'm', contents: 'Go on.', config: { cachedContent: name } }
  const isAsked = () => {
    expect(stage.lastAccount()).toBe(owner)
    expect(String(stage.sandbox.requests.at(-1)?.body)).not.toContain(name)
  }
  for (let call = 0; call < 4; call++) {
    const reply = await client.models.generateContent(request)
    expect(reply.usageMetadata?.cachedContentTokenCount).toBe(usageMetadata?.totalTokenCount)
    isAsked()
    for await (const _ of await client.models.generateContentStream(request)) continue
    isAsked()
    for (const body of [
      { contents, cachedContent: name },
      { contents, cached_content: name },
      { generateContentRequest: { model: 'models/m', contents, cachedContent: name } },
    ]) {
      const counted = await post(stage, '/v1beta/models/m:countTokens', body)
      expect(counted).toMatchObject([
        200,
        { cachedContentTokenCount: usageMetadata?.totalTokenCount },
      ])
      isAsked()
    }
  }
})

test('cached contents are listed page by page, from the records of the gateway', async () => {
  await using stage = await stageOf()
  const client = clientOf(stage)
  const names: string[] = []
  for (let count = 0; count < 3; count++)
    names.unshift((await client.caches.create({ model: 'm', config: { contents } })).name ?? '')
  const asked = stage.sandbox.requests.length
  expect(await listed(client)).toEqual(names)
  expect(await listed(client, 100)).toEqual(names)
  for (const query of ['pageSize=x', 'pageSize=-1', 'pageToken=x'])
    expect([query, (await get(stage, `/v1beta/cachedContents?${query}`)).status]).toEqual([
      query,
      400,
    ])
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test.each([
  ['a forbidden model', { model: 'models/secret', contents }, 404],
  ['an unknown model', { model: 'models/nowhere', contents }, 404],
  ['no model', { contents }, 400],
  ['a wrong time to live', { model: 'models/m', contents, ttl: 600 }, 400],
])('a cached content of %s is refused before an account is asked', async (_, body, status) => {
  await using stage = await stageOf({
    accounts: [{ id: 'a', models: ['m', 'secret'] }],
    keys: [{ id: 'one', secret: 'secret-one', models: ['m'] }],
  })
  expect((await post(stage, '/v1beta/cachedContents', body))[0]).toBe(status)
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('an account refuses what it does not take, in its words', async () => {
  await using stage = await stageOf({ accounts: [{ id: 'a', models: ['m', 'n'] }] })
  const client = clientOf(stage)
  const both = { contents, ttl: '600s', expireTime: new Date().toISOString() }
  await expect(client.caches.create({ model: 'm', config: both })).rejects.toMatchObject({
    status: 400,
  })
  expect(await listed(client)).toEqual([])
  const { name = '' } = await client.caches.create({ model: 'm', config: { contents } })
  const other = { model: 'n', contents: 'Go on.', config: { cachedContent: name } }
  await expect(client.models.generateContent(other)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('has to be the same') as string,
  })
})

test('a cached content of another key is unknown in each place, and so is its name at the account', async () => {
  await using stage = await stageOf()
  const [own, other] = [clientOf(stage), clientOf(stage, 'two')]
  const { name = '' } = await own.caches.create({ model: 'm', config: { contents } })
  const naming = (cachedContent: string) => ({
    model: 'm',
    contents: 'Go on.',
    config: { cachedContent },
  })
  await own.models.generateContent(naming(name))
  const [, upstream = ''] =
    /"cachedContent":"([^"]+)"/.exec(String(stage.sandbox.requests.at(-1)?.body)) ?? []
  expect(upstream).toMatch(/^cachedContents\/[0-9a-f]{24}$/)
  const asked = stage.sandbox.requests.length
  for (const named of [name, upstream]) {
    for (const ask of [
      () => other.caches.get({ name: named }),
      () => other.caches.update({ name: named, config: { ttl: '1s' } }),
      () => other.caches.delete({ name: named }),
    ])
      await expect(ask()).rejects.toMatchObject(notFound)
    await expect(other.models.generateContent(naming(named))).rejects.toMatchObject({
      status: named === name ? 404 : 400,
    })
  }
  // A file beside it hides nothing.
  const body = { contents, cachedContent: upstream, fileData: { fileUri: 'https://example.com' } }
  const [status] = await post(stage, '/v1beta/models/m:generateContent', body, 'two')
  expect(status).toBe(400)
  expect(await listed(other)).toEqual([])
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test('a cached content whose account has left, or whose store is away, is not unknown', async () => {
  const store = breakable(openMemoryStore())
  await using stage = await stageOf({ store })
  const client = clientOf(stage)
  const { name = '' } = await client.caches.create({ model: 'm', config: { contents } })
  const asks = [
    () => client.caches.get({ name }),
    () => client.caches.update({ name, config: { ttl: '60s' } }),
    () => client.caches.delete({ name }),
  ]
  const use = () =>
    client.models.generateContent({
      model: 'm',
      contents: 'Go on.',
      config: { cachedContent: name },
    })
  store.broken.reads = true
  for (const ask of [...asks, use, () => client.caches.list()])
    await expect(ask()).rejects.toMatchObject({ status: 503 })
  store.broken.reads = false
  stage.gateway.reload({ accounts: [] })
  for (const ask of asks) await expect(ask()).rejects.toMatchObject({ status: 503 })
  expect(await listed(client)).toEqual([name])
})

test('a cached content that its account has no longer is unknown, and can be deleted', async () => {
  await using stage = await stageOf()
  const client = clientOf(stage)
  const { name = '' } = await client.caches.create({ model: 'm', config: { contents } })
  await client.models.generateContent({
    model: 'm',
    contents: 'Go on.',
    config: { cachedContent: name },
  })
  const [, upstream = ''] =
    /"cachedContent":"([^"]+)"/.exec(String(stage.sandbox.requests.at(-1)?.body)) ?? []
  await fetch(`${stage.sandbox.url}/v1beta/${upstream}`, {
    method: 'DELETE',
    headers: { 'x-goog-api-key': 'sandbox-key-a' },
  })
  await expect(client.caches.get({ name })).rejects.toMatchObject(notFound)
  await expect(client.caches.update({ name, config: { ttl: '9s' } })).rejects.toMatchObject(
    notFound,
  )
  await client.caches.delete({ name })
  expect(await listed(client)).toEqual([])
})

test('a cached content that is kept longer is known longer', async () => {
  let ahead = 0
  await using stage = await stageOf({ now: () => Date.now() + ahead })
  const client = clientOf(stage)
  const make = () => client.caches.create({ model: 'm', config: { contents, ttl: '60s' } })
  const [kept, left] = [await make(), await make()]
  await client.caches.update({ name: kept.name ?? '', config: { ttl: '7200s' } })
  ahead = 120_000
  expect(await listed(client)).toEqual([kept.name])
  expect(await client.caches.get({ name: kept.name ?? '' })).toMatchObject({ name: kept.name })
  await expect(client.caches.get({ name: left.name ?? '' })).rejects.toMatchObject(notFound)
})

test('a translated account takes no cached content', async () => {
  await using stage = await stageOf({ accounts: [{ id: 'a', speaks: ['chat'] }] })
  const client = clientOf(stage)
  await expect(client.caches.create({ model: 'm', config: { contents } })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('cannot cache contents') as string,
  })
  const named = { cachedContent: 'cachedContents/of-the-operator' }
  const used = client.models.generateContent({ model: 'm', contents: 'hi', config: named })
  await expect(used).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('cachedContent') as string,
  })
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('the tokens of a cached content count once, when it is made', async () => {
  const rows: LedgerRow[] = []
  await using stage = await stageOf({
    accounts: [{ id: 'a', prices: { m: { rates: { input: 500, output: 1_000 } } } }],
    plugins: [{ name: 'rows', onLedger: (input) => void rows.push(...input.rows) }],
  })
  const client = clientOf(stage)
  const { name = '', usageMetadata } = await client.caches.create({
    model: 'm',
    config: { contents },
  })
  await client.caches.get({ name })
  await client.caches.update({ name, config: { ttl: '60s' } })
  await client.caches.delete({ name })
  await expect.poll(() => rows.length).toBeGreaterThan(0)
  const inputTokens = usageMetadata?.totalTokenCount ?? 0
  expect(rows.filter(({ tokens }) => tokens !== undefined)).toMatchObject([
    {
      operation: 'cached-contents.create',
      usage: 'reported',
      tokens: { inputTokens, outputTokens: 0 },
      costNano: inputTokens * 500 * 1_000,
    },
  ])
})

test('plugins read and change what is cached', async () => {
  await using stage = await stageOf({
    plugins: [
      {
        name: 'censor',
        onRequest: ({ request }) => ({
          ...request,
          turns: request.turns.map((turn) =>
            turn.role === 'user'
              ? { ...turn, content: [{ type: 'text' as const, text: 'censored' }] }
              : turn,
          ),
        }),
      },
    ],
  })
  await clientOf(stage).caches.create({
    model: 'm',
    config: { contents, systemInstruction: 'Be short.', tools: [{ codeExecution: {} }] },
  })
  const sent = String(stage.sandbox.requests.at(-1)?.body)
  expect(JSON.parse(sent)).toMatchObject({
    contents: [{ role: 'user', parts: [{ text: 'censored' }] }],
    systemInstruction: { parts: [{ text: 'Be short.' }] },
    tools: [{ codeExecution: {} }],
  })
})

function get({ gateway }: FilesStage, path: string): Promise<Response> {
  return fetch(gateway.url + path, { headers: { 'x-goog-api-key': 'secret-one' } })
}

async function post(
  { gateway }: FilesStage,
  path: string,
  body: object,
  key = 'one',
): Promise<[number, unknown]> {
  const headers = { 'x-goog-api-key': `secret-${key}`, 'content-type': 'application/json' }
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return [reply.status, await reply.json()]
}
