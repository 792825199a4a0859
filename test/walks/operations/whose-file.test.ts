import { expect, test } from 'vitest'

import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { operationScene } from './scene.ts'

const download = '/v1beta/files/abc:download?alt=media'

test.each([
  ['files/abc', download],
  ['/v1beta/files/abc', download],
  ['https://generativelanguage.googleapis.com/v1beta/files/abc:download?alt=media', download],
  ['https://generativelanguage.googleapis.com/v1/files/abc', download],
])('a file at %s is the account’s own', async (uri, path) => {
  await using scene = await operationScene({
    videos: [{ uri }],
    file: (response) => void response.end('the video'),
  })
  expect(await (await scene.download()).text()).toBe('the video')
  const asked = scene.account.requests.at(-1)
  expect([asked?.url, asked?.headers['x-goog-api-key']]).toEqual([path, 'the-secret'])
})

test('a file elsewhere on the account’s host is asked for there, with its key', async () => {
  await using scene = await operationScene({
    videos: (account) => [{ uri: `${account}/proxy/media/abc.mp4?signed=1` }],
    file: (response) => void response.end('the video'),
  })
  expect(await (await scene.download()).text()).toBe('the video')
  const asked = scene.account.requests.at(-1)
  expect([asked?.url, asked?.headers['x-goog-api-key']]).toEqual([
    '/proxy/media/abc.mp4?signed=1',
    'the-secret',
  ])
})

test.each(['/bucket/files/clip.mp4?sig=1', '/files/clip', '/bucket/v1/files/clip'])(
  'a file of another host, at %s, is none of the account’s',
  async (path) => {
    await using bucket = await startFakeAccount((response) => void response.end('the video'))
    const { host } = new URL(bucket.url)
    await using scene = await operationScene({
      videos: [{ uri: bucket.url + path }],
      remote: { allow: [host], allowHttp: true },
    })
    expect(await (await scene.download()).text()).toBe('the video')
    expect(bucket.requests).toMatchObject([{ url: path }])
    expect(JSON.stringify(bucket.requests[0]?.headers)).not.toContain('the-secret')
    expect(scene.account.requests.filter(({ url }) => url.includes('files'))).toEqual([])
  },
)
