import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import type { OperationAnswer } from './stage.ts'
import { operationScene } from './scene.ts'

/** The contents that a client in enterprise mode is told, `undefined` where it is told a URI alone. */
async function contentsIn(response: Response): Promise<(string | undefined)[]> {
  const { response: result } = (await response.json()) as OperationAnswer
  return (result?.videos ?? []).map(({ gcsUri, bytesBase64Encoded }) => {
    expect(gcsUri).toContain(':download')
    return bytesBase64Encoded && Buffer.from(bytesBase64Encoded, 'base64').toString()
  })
}

test('a poll tells the second video where the download of the first breaks off', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }, { uri: 'files/two' }],
    file(response, { url }) {
      if (url.includes('two')) return void response.end('the second video')
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 100_000 })
      response.write('the beginning', () => response.destroy())
    },
  })
  for (let poll = 0; poll < 3; poll++) {
    expect(await contentsIn(await scene.poll())).toEqual([undefined, 'the second video'])
  }
  const [, line] = await scene.gateway.logged(4)
  expect(line).toMatchObject({ status: 200, stream_end: 'complete' })
})

test('a poll tells whole videos, whatever range the client asks the answer for', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file(response, { headers }) {
      const { range } = headers
      response.writeHead(range ? 206 : 200, { 'content-type': 'video/mp4' })
      response.end(range ? 'the' : 'the whole video')
    },
  })
  const ranged = await scene.poll({ range: 'bytes=0-2', 'if-range': '"1"' })
  expect(await contentsIn(ranged)).toEqual(['the whole video'])
  expect(scene.account.requests.at(-1)?.headers).not.toHaveProperty('if-range')
})

test('a video that the account compresses unasked is decoded', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file: (response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('the whole video')),
  })
  expect(await contentsIn(await scene.poll())).toEqual(['the whole video'])
})

test('a video that is too large when it is decompressed is downloaded later', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file: (response) =>
      void response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync(randomBytes(33 * 2 ** 20), { level: 0 })),
  })
  expect(await contentsIn(await scene.poll())).toEqual([undefined])
})

test.each([
  ['a part of it', 206, {}, Buffer.from('the')],
  ['more than an answer holds', 200, {}, Buffer.alloc(33 * 2 ** 20)],
  ['that it is larger still', 200, { 'content-length': String(2 ** 30) }, Buffer.alloc(9)],
])(
  'a client is told the URI alone where the account sends %s',
  async (_, status, headers, body) => {
    await using scene = await operationScene({
      videos: [{ uri: 'files/one' }],
      file: (response) =>
        void response.writeHead(status, headers).write(body, () => response.end()),
    })
    expect(await contentsIn(await scene.poll())).toEqual([undefined])
  },
)
