import { expect, test } from 'vitest'

import { operationScene } from './scene.ts'

const inline = [{ encodedVideo: Buffer.from('0123456789').toString('base64') }]

test.each(['bytes=2-1', 'bytes=1-2,4-5', 'pages=1-2', 'bytes=-'])(
  'a client that asks for %s of a video gets all of it',
  async (range) => {
    await using scene = await operationScene({ videos: inline })
    const whole = await scene.download({ headers: { range } })
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
  },
)

test('so does one that has the beginning of what it cannot know to be the same', async () => {
  await using scene = await operationScene({ videos: inline })
  const headers = { range: 'bytes=5-', 'if-range': '"1"' }
  const whole = await scene.download({ headers })
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
  const told = await scene.download({ method: 'HEAD', headers: { range: 'bytes=5-' } })
  expect(told.status).toBe(200)
})

test('a client is told of a whole video by HEAD, whatever range it names', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file: (response, { headers }) =>
      void response
        .writeHead(headers.range ? 206 : 200, { 'content-length': 10 })
        .end('0123456789'),
  })
  const told = await scene.download({ method: 'HEAD', headers: { range: 'bytes=0-2' } })
  expect([told.status, told.headers.get('content-length')]).toEqual([200, '10'])
})

test('a client that asks for more than an account has is told how much that is', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file: (response) => void response.writeHead(416, { 'content-range': 'bytes */10' }).end(),
  })
  const beyond = await scene.download({ headers: { range: 'bytes=50-' } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  expect(await beyond.json()).toMatchObject({ error: { code: 416 } })
})
