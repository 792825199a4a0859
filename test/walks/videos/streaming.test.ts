import { get, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'

const video = { id: 'v', object: 'video', status: 'completed', progress: 100 }

/** An account whose videos are sent as a test wants it. */
async function stage(send: (response: ServerResponse) => void) {
  const account = await startFakeAccount((response, { url }) => {
    if (url.includes('/content')) return send(response)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(video))
  })
  const gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  const created = await fetch(`${gateway.url}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'camera', prompt: 'a' }),
  })
  const { id } = (await created.json()) as { id: string }
  return {
    account,
    gateway,
    download: () => open(gateway, `/v1/videos/${id}/content`),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

/** A download that nobody reads yet. */
async function open(gateway: TestGateway, path: string): Promise<IncomingMessage> {
  const request = get(gateway.url + path, { headers: { authorization: `Bearer ${gateway.key}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

test('a client that does not read holds the account back, and gets all when it does', async () => {
  const piece = Buffer.alloc(64 * 1024, 7)
  const pieces = 1_024
  let sent = 0
  let isHeld = false
  await using staged = await stage((response) => {
    response.writeHead(200, {
      'content-type': 'video/webm',
      'content-length': piece.length * pieces,
    })
    const more = () => {
      while (sent < pieces) {
        sent++
        if (!response.write(piece)) {
          isHeld = true
          return void response.once('drain', more)
        }
      }
      response.end()
    }
    more()
  })
  const response = await staged.download()
  let before = -1
  let looks = 0
  await until(() => {
    looks = isHeld && sent === before ? looks + 1 : 0
    before = sent
    return looks === 50
  })
  expect(sent).toBeLessThan(pieces / 2)
  let bytes = 0
  for await (const chunk of response) bytes += (chunk as Buffer).length
  expect(bytes).toBe(piece.length * pieces)
  expect(response.headers['content-type']).toBe('video/webm')
  expect(response.headers['content-disposition']).toMatch(/\.webm"$/)
})

test('a video that breaks off is no whole one for its client', async () => {
  await using staged = await stage((response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1_000 })
    response.write('the beginning', () => response.destroy())
  })
  const response = await staged.download()
  await expect(response.toArray()).rejects.toThrow()
  expect(response.complete).toBe(false)
  const [, line] = await staged.gateway.logged(2)
  expect(line).toMatchObject({ stream_end: 'broken' })
})

test('a client that leaves has the account stop', async () => {
  await using staged = await stage((response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    response.write('the beginning')
  })
  const response = await staged.download()
  response.destroy()
  await until(() => staged.account.requests.at(-1)?.aborted === true)
  const { gateway } = staged
  await gateway.logged(2)
  expect(gateway.gateway.inflight()).toBe(0)
})

test('headers of an account that say nothing of the file stay behind', async () => {
  await using staged = await stage((response) => {
    response.writeHead(200, {
      'content-type': 'video/mp4',
      etag: '"1"',
      'set-cookie': 'a=b',
      'x-internal': 'yes',
      'openai-organization': 'org',
    })
    response.end('all of it')
  })
  const response = await staged.download()
  expect(response.headers).toMatchObject({ etag: '"1"', 'content-type': 'video/mp4' })
  for (const name of ['set-cookie', 'x-internal', 'openai-organization']) {
    expect(response.headers).not.toHaveProperty(name)
  }
  expect(Buffer.concat(await response.toArray()).toString()).toBe('all of it')
})
