import Anthropic0 from 'anthropic-0'
import Anthropic1 from 'anthropic-1'
import { GoogleGenAI as GenAI1 } from 'genai-1'
import { GoogleGenAI as GenAI2 } from 'genai-2'
import { GoogleGenAI as GenAI3 } from 'genai-3'
import OpenAI4 from 'openai-4'
import OpenAI7 from 'openai-7'
import { expect, test } from 'vitest'

import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'

const account = { provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', apiKey: 'x' }

function start(): Promise<TestGateway> {
  return createTestGateway({
    accounts: [
      { ...account, id: 'a', models: ['plain', 'acme/one', 'acme/*', 'zeta'] },
      { ...account, id: 'b', models: { plain: 'other', renamed: 'upstream-name' } },
      { ...account, id: 'off', models: ['asleep'], enabled: false },
    ],
    aliases: { quick: 'acme/one', dead: 'asleep' },
  })
}

const names = ['acme/one', 'plain', 'quick', 'renamed', 'zeta']

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of pages) all.push(one)
  return all
}

test.each([OpenAI4, OpenAI7])('#17 an OpenAI client lists and retrieves models', async (OpenAI) => {
  await using gateway = await start()
  const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
  const listed = await collect(client.models.list() as AsyncIterable<{ id: string }>)
  expect(listed.map(({ id }) => id)).toEqual(names)
  for (const name of [...names, 'acme/unlisted']) {
    expect(await client.models.retrieve(name)).toMatchObject({
      id: name,
      object: 'model',
      created: expect.any(Number) as number,
      owned_by: expect.any(String) as string,
    })
  }
  await expect(client.models.retrieve('asleep')).rejects.toMatchObject({ status: 404 })
})

test.each([Anthropic0, Anthropic1])('#17 an Anthropic client does', async (Anthropic) => {
  await using gateway = await start()
  const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, maxRetries: 0 })
  const listed = await collect(client.models.list() as AsyncIterable<{ id: string }>)
  expect(listed.map(({ id }) => id)).toEqual(names)
  const model = await client.models.retrieve('acme/one')
  expect(model).toMatchObject({ id: 'acme/one', type: 'model', display_name: 'acme/one' })
  expect(new Date(model.created_at).getTime()).toBeGreaterThan(0)
  await expect(client.models.retrieve('nobody')).rejects.toMatchObject({
    status: 404,
    error: { type: 'error', error: { type: 'not_found_error' } },
  })
})

test.each([GenAI1, GenAI2, GenAI3])('#17 a Gemini client does', async (GenAI) => {
  await using gateway = await start()
  const client = new GenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } })
  const listed = await collect(await client.models.list())
  expect(listed.map(({ name }) => name)).toEqual(names.map((name) => `models/${name}`))
  expect(await client.models.get({ model: 'acme/one' })).toMatchObject({
    name: 'models/acme/one',
    displayName: 'acme/one',
  })
  await expect(client.models.get({ model: 'nobody' })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining('NOT_FOUND') as string,
  })
})

test('a Gemini client of the enterprise form does', async () => {
  await using gateway = await start()
  const client = new GenAI3({
    vertexai: true,
    apiKey: gateway.key,
    httpOptions: { baseUrl: gateway.url },
  })
  expect(await client.models.get({ model: 'acme/one' })).toMatchObject({ displayName: 'acme/one' })
  expect(await client.models.get({ model: 'plain' })).toMatchObject({ displayName: 'plain' })
})

test('a Gemini client is told which methods a model has', async () => {
  const speaking = (id: string, ...speaks: string[]) => ({ ...account, id, models: [id], speaks })
  await using gateway = await createTestGateway({
    accounts: [
      speaking('chats', 'chat'),
      speaking('films', 'videos'),
      speaking('thinks', 'generate', 'video-operations'),
      speaking('draws', 'images'),
    ],
    aliases: { camera: 'films' },
  })
  const headers = { 'x-goog-api-key': gateway.key }
  const methodsOf = async (path: string) => {
    const response = await fetch(`${gateway.url}/v1beta/models${path}`, { headers })
    return (await response.json()) as { models: Described[] } & Described
  }
  const { models } = await methodsOf('')
  const generating = ['generateContent', 'streamGenerateContent']
  const known = {
    camera: ['predictLongRunning'],
    chats: generating,
    draws: [],
    films: ['predictLongRunning'],
    thinks: [...generating, 'countTokens', 'predictLongRunning'],
  }
  expect(
    Object.fromEntries(models.map((one) => [one.name, one.supportedGenerationMethods])),
  ).toEqual(Object.fromEntries(Object.entries(known).map(([id, all]) => [`models/${id}`, all])))
  expect((await methodsOf('/camera')).supportedGenerationMethods).toEqual(known.camera)
})

interface Described {
  readonly name: string
  readonly supportedGenerationMethods: string[]
}

const versions = ['v1', 'v1beta', 'v1alpha', 'v1beta1']

test.each(versions)('#8 /%s has the models in each spelling', async (version) => {
  await using gateway = await start()
  const get = async (path: string) => {
    const response = await fetch(`${gateway.url}/${version}/${path}`, {
      headers: { 'x-goog-api-key': gateway.key },
    })
    const body = (await response.json()) as { id?: string; data?: { id: string }[] }
    return { path, status: response.status, found: body.data?.map(({ id }) => id) ?? body.id }
  }
  const ok = (path: string, found: unknown) => ({ path, status: 200, found })
  const project = 'projects/p/locations/l/publishers/acme/models'
  for (const list of ['models', 'models?pageSize=5', 'publishers/google/models']) {
    expect(await get(list)).toEqual(ok(list, names))
  }
  for (const one of ['models/acme/one', 'models/acme%2Fone', 'publishers/acme/models/one']) {
    expect(await get(one)).toEqual(ok(one, 'acme/one'))
  }
  expect(await get(`${project}/one`)).toEqual(ok(`${project}/one`, 'acme/one'))
})

test('the list never has a page to turn', async () => {
  await using gateway = await start()
  const headers = { authorization: `Bearer ${gateway.key}` }
  const list = (await (await fetch(`${gateway.url}/v1/models`, { headers })).json()) as object
  expect(list).toMatchObject({ object: 'list', has_more: false })
  expect(list).toMatchObject({ first_id: 'acme/one', last_id: 'zeta' })
  expect(list).not.toHaveProperty('nextPageToken')
})

/** The members that the type of an SDK requires. A new one is missing here, and so fails the type check. */
type Required<T> = keyof { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] }

test('a model has each member that the types of the SDKs require, and no fact is made up', async () => {
  await using gateway = await start()
  const anthropicMembers: Record<Required<Anthropic1.ModelInfo>, unknown> = {
    id: 'plain',
    type: 'model',
    display_name: 'plain',
    created_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT.*Z$/) as unknown,
    lifecycle: 'active',
    capabilities: null,
    deprecated_at: null,
    line: null,
    max_input_tokens: null,
    max_tokens: null,
    retires_at: null,
  }
  const openAiMembers: Record<Required<OpenAI7.Model>, unknown> = {
    id: 'plain',
    object: 'model',
    created: expect.any(Number) as unknown,
    owned_by: 'dragoman',
  }
  const anthropic = new Anthropic1({ apiKey: gateway.key, baseURL: gateway.url })
  const openai = new OpenAI7({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` })
  const { data } = await anthropic.models.list()
  for (const model of [await anthropic.models.retrieve('plain'), data[1]]) {
    expect(model).toMatchObject(anthropicMembers)
  }
  for (const model of [
    await openai.models.retrieve('plain'),
    (await openai.models.list()).data[1],
  ]) {
    expect(model).toMatchObject(openAiMembers)
    expect(model).not.toHaveProperty('inputTokenLimit')
  }
})

test('a key without models gets an empty list that every client can read', async () => {
  await using gateway = await createTestGateway({
    keys: [{ id: 'k', secret: 'test-secret', models: ['none'] }],
    accounts: [{ ...account, id: 'a', models: ['plain'] }],
  })
  const openai = new OpenAI7({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` })
  expect(await collect(openai.models.list())).toEqual([])
  const anthropic = new Anthropic1({ apiKey: gateway.key, baseURL: gateway.url })
  expect(await collect(anthropic.models.list())).toEqual([])
  const gemini = new GenAI3({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.url } })
  expect(await collect(await gemini.models.list())).toEqual([])
})
