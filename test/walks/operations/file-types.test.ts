import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { operationScene } from './scene.ts'

const encodedVideo = Buffer.from('<script>alert(1)</script>').toString('base64')

test.each([
  ['video/mp4', 'video/mp4', 'mp4'],
  ['video/webm; codecs="vp9"', 'video/webm; codecs="vp9"', 'webm'],
  ['video/mp4\r\nx-evil: 1', 'video/mp4', 'mp4'],
  ['vidéo/✓', 'video/mp4', 'mp4'],
  ['text/html', 'application/octet-stream', 'bin'],
  ['image/svg+xml', 'application/octet-stream', 'bin'],
  ['IMAGE/SVG+XML; charset=utf-8', 'application/octet-stream', 'bin'],
  ['image/x+xml', 'application/octet-stream', 'bin'],
  ['video/xml', 'application/octet-stream', 'bin'],
  ['application/xhtml+xml', 'application/octet-stream', 'bin'],
])('a video that is told to be %j is downloaded as %s', async (encoding, type, ending) => {
  await using scene = await operationScene({ videos: [{ encodedVideo, encoding }] })
  const video = await scene.download()
  expect(video.status).toBe(200)
  expect(video.headers.get('content-type')).toBe(type)
  expect(video.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment.*\\.${ending}"$`),
  )
  expect(video.headers.has('x-evil')).toBe(false)
})

test.each([
  'text/html',
  'image/svg+xml',
  'image/x+xml',
  'application/xhtml+xml',
  'text/xml',
  'multipart/related; boundary=x',
])('a browser is told to run nothing of what an account sends as %s', async (type) => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file(response) {
      const headers = {
        'content-type': type,
        'content-disposition': 'inline',
        'content-security-policy': 'sandbox allow-scripts allow-same-origin',
        'set-cookie': 'a=b',
        refresh: '0;url=https://elsewhere.example',
        link: '<https://elsewhere.example/a.css>; rel=stylesheet',
      }
      response.writeHead(200, headers).end('<script>alert(1)</script>')
    },
  })
  const { headers } = await scene.download()
  expect(headers.get('content-type')).toBe('application/octet-stream')
  expect(headers.get('content-disposition')).toMatch(/^attachment/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  for (const name of ['set-cookie', 'refresh', 'link']) expect(headers.has(name)).toBe(false)
})

test('a client gets a video that its account has compressed all the same', async () => {
  const compressed = gzipSync('the whole video')
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file(response) {
      const headers = { 'content-type': 'video/mp4', 'content-encoding': 'gzip' }
      response.writeHead(200, { ...headers, 'content-length': compressed.length }).end(compressed)
    },
  })
  const video = await scene.download()
  expect(await video.text()).toBe('the whole video')
})
