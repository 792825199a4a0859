import { get } from 'node:http'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'

import { expect, test } from 'vitest'

import type { Answer } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'
import { fakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

const completes = takesVideos(() => ({ status: 'completed', progress: 100 }))

/** A completed video whose account sends its file as a test wants it. */
async function downloadStage(file: Answer, timeouts: TestGatewayOptions['timeouts'] = {}) {
  const stage = await fakeStage({
    timeouts,
    answer: (response, request) =>
      (request.url.includes('/content') ? file : completes)(response, request),
  })
  const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
  const { id } = (await created.json()) as { id: string }
  return { ...stage, path: `/v1/videos/${id}/content` }
}

test('a client that asks for the head of a video has its account send none of it', async () => {
  await using stage = await downloadStage((response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 1e9 }).flushHeaders()
  })
  const told = await stage.ask(stage.path, { method: 'HEAD' })
  expect([told.status, told.headers.get('content-length')]).toEqual([200, '1000000000'])
  await until(() => stage.account.requests.at(-1)?.aborted === true)
  expect((await stage.gateway.logged(2)).at(-1)).toMatchObject({ status: 200 })
})

test('a client that reads nothing for longer than an account may be silent gets its video', async () => {
  const piece = Buffer.alloc(64 * 1024, 7)
  const size = piece.length * 512
  let sent = 0
  const flood: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size })
    const more = () => {
      while (sent < size) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  }
  let isSilent = false
  const idleMs = 300
  await using stage = await downloadStage(
    (response, request) => {
      if (!request.headers.range) return flood(response, request)
      response.writeHead(206, { 'content-type': 'video/mp4', 'content-length': 1_000 })
      response.write('silent from here on', () => (isSilent = true))
    },
    { idleMs },
  )
  const { key, url } = stage.gateway
  const headers = { authorization: `Bearer ${key}` }
  const [slow] = (await once(get(url + stage.path, { headers }), 'response')) as [IncomingMessage]
  let before = -1
  let looks = 0
  await until(() => {
    looks = sent === before ? looks + 1 : 0
    before = sent
    return looks === 20
  })
  expect(sent).toBeLessThan(size)
  // An account that is asked after now and falls silent is given up: the time has passed.
  for (let turn = 0; turn < 2; turn++) {
    const silent = await stage.ask(stage.path, { headers: { range: 'bytes=0-' } })
    await expect(silent.text()).rejects.toThrow()
  }
  expect(isSilent).toBe(true)
  let bytes = 0
  for await (const chunk of slow) bytes += (chunk as Buffer).length
  expect(bytes).toBe(size)
})
