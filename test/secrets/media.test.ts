import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import {
  basePath,
  canariesIn,
  everything,
  headersOf,
  placeOf,
  secret,
  wholeOf,
} from './canaries.ts'

type Say = (
  path: string,
  method: string,
  text: string,
) => { status?: number; body: object | Buffer }

/** A gateway with accounts for images and videos, whose server says all that it knows, and its store. */
async function startScene(say: Say, base: { bare: string; versioned: string }) {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-canary-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  let url = ''
  const upstream = starting.use(
    await startFakeAccount((response, request) => {
      const { status = 200, body } = say(request.url, request.method, everything(url))
      const isFile = Buffer.isBuffer(body)
      const type = isFile ? 'video/mp4' : 'application/json'
      const disposition = { 'content-disposition': everything(url), etag: everything(url) }
      response.writeHead(status, { 'content-type': type, ...headersOf(url), ...disposition })
      response.end(isFile ? body : JSON.stringify(body))
    }),
  )
  url = placeOf(upstream)
  const shared = { apiKey: secret, models: ['m'] }
  const gateway = starting.use(
    await createTestGateway({
      store: `file:${directory}`,
      publicUrl: 'https://gateway.example',
      accounts: [
        {
          id: 'images',
          provider: 'openai',
          baseUrl: url + base.versioned,
          speaks: ['images'],
          ...shared,
        },
        {
          id: 'videos',
          provider: 'openai',
          baseUrl: url + base.versioned,
          speaks: ['videos'],
          ...shared,
          models: ['v'],
        },
        {
          id: 'operations',
          provider: 'gemini',
          baseUrl: url + base.bare,
          speaks: ['video-operations'],
          ...shared,
          models: ['o'],
        },
      ],
    }),
  )
  const started = starting.move()
  const ask = (path: string, body?: object, method = body ? 'POST' : 'GET') =>
    fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  return {
    ask,
    url: () => url,
    gateway,
    async expectSilence(responses: readonly Response[]) {
      for (const response of responses) {
        const whole = await wholeOf(response)
        expect([response.url, canariesIn(whole, url), whole]).toEqual([response.url, [], whole])
      }
      const { accessLog, log } = gateway
      expect(JSON.stringify([accessLog, log])).not.toContain(secret)
      for (const file of await readdir(directory, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue
        const bytes = await readFile(join(file.parentPath, file.name))
        expect([file.name, bytes.includes(secret)]).toEqual([file.name, false])
        expect(bytes.includes(Buffer.from(`user:${secret}`).toString('base64'))).toBe(false)
      }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const base = { bare: basePath.replace('/v1', ''), versioned: basePath }
const video = { model: 'v', prompt: 'a cat' }
const operation = { instances: [{ prompt: 'a cat' }] }
const operationPath = '/v1beta/models/o:predictLongRunning'

test('images that an account refuses to make', async () => {
  for (const [status, body] of [
    [400, (text: string) => ({ error: { message: text, code: text } })],
    [200, (text: string) => ({ error: { message: text, code: text } })],
    [200, (text: string) => ({ data: [], note: text })],
  ] as const) {
    await using scene = await startScene(
      (_path, _method, text) => ({ status, body: body(text) }),
      base,
    )
    const made = await scene.ask('/v1/images/generations', { model: 'm', prompt: 'a cat' })
    const streamed = { model: 'm', prompt: 'a cat', stream: true }
    expect(made.ok).toBe(false)
    await scene.expectSilence([made, await scene.ask('/v1/images/generations', streamed)])
  }
})

test('jobs that an account refuses', async () => {
  await using scene = await startScene(
    (_path, _method, text) => ({ status: 400, body: { error: { message: text, status: text } } }),
    base,
  )
  await scene.expectSilence([
    await scene.ask('/v1/videos', video),
    await scene.ask(operationPath, operation),
  ])
})

test('jobs that fail, and their errors in the store', async () => {
  await using scene = await startScene((path, method, text) => {
    const error = { code: 5, message: text, type: text, details: [{ [text]: text }] }
    if (path.includes('/v1beta/')) {
      const name = 'models/o/operations/op1'
      return {
        body: method === 'POST' ? { name } : { name, done: true, error, metadata: { text } },
      }
    }
    const job = { id: 'video_1', object: 'video', created_at: 1, model: 'v', note: text }
    return { body: { ...job, status: method === 'POST' ? 'queued' : 'failed', error } }
  }, base)
  const responses: Response[] = []
  for (const path of ['/v1/videos', operationPath]) {
    const created = await scene.ask(path, path === '/v1/videos' ? video : operation)
    expect(created.status).toBe(200)
    const copy = created.clone()
    const { id, name } = (await created.json()) as { id?: string; name?: string }
    const place = name === undefined ? `/v1/videos/${id}` : `/v1beta/${name}`
    responses.push(copy, await scene.ask(place), await scene.ask(place))
    if (id !== undefined) responses.push(await scene.ask(`${place}/content`))
  }
  responses.push(await scene.ask('/v1/videos'))
  await scene.expectSilence(responses)
})

test('videos that are made, and their downloads', async () => {
  await using scene = await startScene((path, method, text) => {
    if (path.includes('/content') || path.includes(':download'))
      return { body: Buffer.from('video') }
    if (path.includes('/v1beta/')) {
      const name = 'models/o/operations/op1'
      if (method === 'POST') return { body: { name, metadata: { text } } }
      const sample = {
        video: { uri: `http://files.example/v1beta/files/f1:download?alt=media`, note: text },
      }
      const response = { generateVideoResponse: { generatedSamples: [sample] }, note: text }
      return { body: { name, done: true, response, metadata: { text } } }
    }
    const job = { id: 'video_1', object: 'video', created_at: 1, model: 'v', note: text }
    return { body: { ...job, status: method === 'POST' ? 'queued' : 'completed' } }
  }, base)
  const created = (await (await scene.ask('/v1/videos', video)).json()) as { id: string }
  const started = (await (await scene.ask(operationPath, operation)).json()) as { name: string }
  const status = await scene.ask(`/v1/videos/${created.id}`)
  const done = await scene.ask(`/v1beta/${started.name}`)
  const whole = await done.clone().text()
  const [, file = ''] = /files\/([0-9a-z]+)/.exec(whole) ?? []
  expect(file).not.toBe('')
  const downloads = [
    await scene.ask(`/v1/videos/${created.id}/content`),
    await scene.ask(`/v1beta/files/${file}:download?alt=media`),
    await scene.ask(`/v1beta/files/${file}`),
  ]
  expect(downloads.map((response) => response.status)).toEqual([200, 200, 200])
  await scene.expectSilence([status, done, ...downloads, await scene.ask('/v1/videos')])
})

test('downloads that an account refuses', async () => {
  await using scene = await startScene((path, method, text) => {
    if (path.includes('/content')) return { status: 403, body: { error: { message: text } } }
    return { body: { id: 'video_1', status: method === 'POST' ? 'queued' : 'completed' } }
  }, base)
  const created = (await (await scene.ask('/v1/videos', video)).json()) as { id: string }
  const refused = await scene.ask(`/v1/videos/${created.id}/content`)
  expect(refused.ok).toBe(false)
  await scene.expectSilence([refused])
})
