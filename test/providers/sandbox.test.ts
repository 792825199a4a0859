import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GoogleGenAI } from 'genai-3'
import OpenAI, { AzureOpenAI, toFile } from 'openai-7'
import { expect, test } from 'vitest'

import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'

/** The accounts of clouds at a sandbox, each with a model of its own. */
async function cloudsAt({ url }: Sandbox) {
  const file = join(await mkdtemp(join(tmpdir(), 'clouds-')), 'service-account.json')
  const reply = await fetch(`${url}/google/service-account/a.json`)
  await writeFile(file, await reply.text())
  const entra = {
    tenantId: 't',
    clientId: 'c',
    clientSecret: 'sandbox-key-a',
    authority: url,
  }
  const azure = { provider: 'azure', baseUrl: url }
  const vertex = { provider: 'vertex', baseUrl: url, project: 'p', location: 'europe-west4' }
  return [
    { ...azure, id: 'key', apiKey: 'sandbox-key-a', models: { 'by-key': 'sandbox/echo' } },
    { ...azure, id: 'entra', entra, models: { 'by-entra': 'sandbox/echo' } },
    {
      ...azure,
      id: 'dated',
      apiKey: 'sandbox-key-a',
      apiVersion: '2024-10-21',
      speaks: ['chat'],
      models: { dated: 'my-deployment' },
    },
    {
      ...azure,
      id: 'foundry',
      apiKey: 'sandbox-key-a',
      speaks: ['messages'],
      models: { foundry: 'claude-at-foundry' },
    },
    {
      ...vertex,
      id: 'vertex',
      googleAuth: { file },
      models: { gemini: 'gemini-2.5-pro', claude: 'claude-x', open: 'google/gemini-2.5-pro' },
    },
  ]
}

const models = ['by-key', 'by-entra', 'dated', 'foundry', 'gemini', 'claude', 'open']

async function ask(
  gateway: { url: string; key: string },
  name: DialectName,
  model: string,
  stream = false,
) {
  const { path, credential, request } = dialects[name]
  const own = path
    .replace('/m:', `/${model}:`)
    .replace(':generateContent', stream ? ':streamGenerateContent?alt=sse' : ':generateContent')
  const body = name === 'generate' ? request : { ...request, model, ...(stream && { stream }) }
  const turns =
    name === 'generate' ? { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] } : {}
  return await fetch(gateway.url + own, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(gateway.key) },
    body: JSON.stringify({ ...body, ...turns }),
  })
}

test.each(dialectNames)('clients of %s reach the accounts of clouds', async (name) => {
  await using sandbox = await startSandbox()
  await using gateway = await createTestGateway({ accounts: await cloudsAt(sandbox) })
  for (const model of models) {
    const reply = await ask(gateway, name, model)
    expect([model, reply.status, reply.status === 200 ? '' : await reply.text()]).toEqual([
      model,
      200,
      '',
    ])
    const stream = await ask(gateway, name, model, true)
    expect([model, stream.status]).toEqual([model, 200])
    expect(await stream.text(), model).not.toMatch(/"error":\{/)
  }
  await gateway.logged(2 * models.length)
  expect(gateway.attemptWarnings).toEqual([])
})

test('the doors of clouds refuse a key where they want a token, and tokens of others', async () => {
  await using sandbox = await startSandbox()
  const at = (path: string, authorization: string) =>
    fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    })
  const openApi = '/v1/projects/p/locations/global/endpoints/openapi/chat/completions'
  expect((await at(openApi, 'Bearer sandbox-key-a')).status).toBe(401)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'c',
    client_secret: 'sandbox-key-a',
    scope: 'https://cognitiveservices.azure.com/.default',
  })
  const granted = await fetch(`${sandbox.url}/t/oauth2/v2.0/token`, { method: 'POST', body: form })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  expect((await at('/openai/v1/chat/completions', `Bearer ${token}`)).status).toBe(200)
  expect((await at(openApi, `Bearer ${token}`)).status).toBe(401)
  expect((await at('/openai/v1/chat/completions', `Bearer ${token}x`)).status).toBe(401)
  form.set('client_secret', 'wrong')
  const refused = await fetch(`${sandbox.url}/t/oauth2/v2.0/token`, { method: 'POST', body: form })
  expect([refused.status, await refused.text()]).toEqual([
    401,
    expect.stringContaining('AADSTS7000215'),
  ])
})

test('the client of Azure in the SDK of OpenAI reads the dated door', async () => {
  await using sandbox = await startSandbox()
  const client = new AzureOpenAI({
    endpoint: sandbox.url,
    apiKey: 'sandbox-key-a',
    apiVersion: '2024-10-21',
    maxRetries: 0,
  })
  const asked = { model: 'my-deployment', messages: [{ role: 'user', content: 'hello' }] } as const
  const completion = await client.chat.completions.create({
    ...asked,
    messages: [...asked.messages],
  })
  expect(completion.choices[0]?.message.content).toContain('hello')
  const stream = await client.chat.completions.create({
    ...asked,
    messages: [...asked.messages],
    stream: true,
  })
  let text = ''
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  expect(text).toContain('hello')
  const blocked = client.chat.completions.create({
    model: 'my-deployment',
    messages: [{ role: 'user', content: 'sandbox: blocked prompt' }],
  })
  await expect(blocked).rejects.toMatchObject({ status: 400, code: 'content_filter' })
  const missing = client.chat.completions.create({ ...asked, messages: [], model: 'not-deployed' })
  await expect(missing).rejects.toMatchObject({ status: 404, code: 'DeploymentNotFound' })
})

test.each(['/v1/videos', '/v1beta/models/veo-3:predictLongRunning'])(
  'a video of Veo is created by %s, polled and read',
  async (path) => {
    await using sandbox = await startSandbox()
    const accounts = (await cloudsAt(sandbox)).filter(({ id }) => id === 'vertex')
    await using gateway = await createTestGateway({
      accounts: accounts.map((one) => ({ ...one, models: ['veo-3'] })),
      publicUrl: 'http://127.0.0.1:1',
    })
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.key}`,
    }
    const isOpenAi = path === '/v1/videos'
    const body = isOpenAi
      ? { model: 'veo-3', prompt: 'a cat', seconds: '4' }
      : { instances: [{ prompt: 'a cat' }], parameters: { durationSeconds: 4 } }
    const created = await fetch(gateway.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const job = (await created.json()) as { id?: string; name?: string }
    expect([created.status, job]).toMatchObject([200, isOpenAi ? { object: 'video' } : {}])
    const place = isOpenAi ? `/v1/videos/${job.id}` : `/v1beta/${job.name}`
    await until(async () => {
      const state = (await (await fetch(gateway.url + place, { headers })).json()) as object
      return /"(?:completed|done":true)/.test(JSON.stringify(state))
    })
    const asked = sandbox.requests.map(({ method, url }) => `${method} ${url}`)
    expect(asked.some((one) => /POST \/v1beta1\/.*veo-3:fetchPredictOperation/.test(one))).toBe(
      true,
    )
  },
)

test.each([undefined, 'gs://my-bucket/videos'])(
  'the client of Google in front of the gateway reads a video in the form that its request chooses: %s',
  async (outputGcsUri) => {
    await using sandbox = await startSandbox()
    const accounts = (await cloudsAt(sandbox)).filter(({ id }) => id === 'vertex')
    await using gateway = await createTestGateway({
      accounts: accounts.map((one) => ({ ...one, models: ['veo-3'] })),
    })
    const client = new GoogleGenAI({
      vertexai: true,
      apiKey: gateway.key,
      httpOptions: { baseUrl: gateway.url },
    })
    let operation = await client.models.generateVideos({
      model: 'veo-3',
      source: { prompt: 'a cat' },
      ...(outputGcsUri && { config: { outputGcsUri } }),
    })
    await until(async () => {
      operation = await client.operations.getVideosOperation({ operation })
      return operation.done === true
    })
    const sent = sandbox.requests.find(({ url }) => url.endsWith(':predictLongRunning'))
    expect(sent?.body.includes('gs://my-bucket/videos')).toBe(outputGcsUri !== undefined)
    expect(sandbox.requests.at(-1)?.headers.authorization).toMatch(/^Bearer sandbox\./)
    const { uri = '', videoBytes } = operation.response?.generatedVideos?.[0]?.video ?? {}
    expect(videoBytes === undefined).toBe(outputGcsUri !== undefined)
    // What lies in the storage of a client is not the gateway's to deliver.
    const { pathname, search } = new URL(uri)
    const content = await fetch(gateway.url + pathname + search, {
      headers: { 'x-goog-api-key': gateway.key },
    })
    expect(content.status).toBe(outputGcsUri ? 404 : 200)
  },
)

test('images and videos are made at Azure, whose paths have the deployment of a dated API', async () => {
  await using sandbox = await startSandbox()
  const azure = { provider: 'azure', baseUrl: sandbox.url, apiKey: 'sandbox-key-a' }
  await using gateway = await createTestGateway({
    accounts: [
      { ...azure, id: 'v1', models: { images: 'gpt-image-1', videos: 'sora-2' } },
      { ...azure, id: 'dated', apiVersion: '2025-04-01-preview', models: { dated: 'gpt-image-1' } },
    ],
    publicUrl: 'http://127.0.0.1:1',
  })
  const client = new OpenAI({
    apiKey: gateway.key,
    baseURL: `${gateway.url}/v1`,
    maxRetries: 0,
  })
  for (const model of ['images', 'dated']) {
    const { data } = await client.images.generate({ model, prompt: 'a cat' })
    expect(data?.[0]?.b64_json, model).toMatch(/^[A-Za-z0-9+/]{20,}/)
  }
  const image = await toFile(Buffer.from(png, 'base64'), 'cat.png', { type: 'image/png' })
  const { data } = await client.images.edit({ model: 'images', image, prompt: 'a hat' })
  expect(data?.[0]?.b64_json).toMatch(/^[A-Za-z0-9+/]{20,}/)
  let video = await client.videos.create({ model: 'videos', prompt: 'a cat' })
  await until(async () => {
    video = await client.videos.retrieve(video.id)
    return video.status === 'completed'
  })
  const content = await client.videos.downloadContent(video.id)
  expect((await content.arrayBuffer()).byteLength).toBeGreaterThan(0)
  const urls = sandbox.requests.map(({ url }) => url)
  expect(urls).toContain('/openai/v1/images/generations')
  expect(urls).toContain('/openai/v1/images/edits')
  expect(urls).toContain(
    '/openai/deployments/gpt-image-1/images/generations?api-version=2025-04-01-preview',
  )
  expect(sandbox.requests.every(({ headers }) => headers['api-key'] === 'sandbox-key-a')).toBe(true)
})

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
