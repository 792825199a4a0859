import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'

import { expect, test } from 'vitest'

import { describeError } from '../../src/lib/log.ts'
import type { RemoteOptions } from '../../src/remote/options.ts'
import { pngOf, serving } from './files.ts'
import { asking, imageAt, startGallery, takesNoUrls } from './gallery.ts'
import { resolving } from './names.ts'
import { refusalOf } from './refusal.ts'

const secret = 'SIGNATURE0123'

const failures: readonly [
  why: string,
  options: RemoteOptions,
  answer: (response: ServerResponse, path: string) => void,
][] = [
  ['its host replied with status 403', {}, (response) => response.writeHead(403).end()],
  ['the connection to its host failed', {}, ({ socket }) => socket?.destroy()],
  ['the connection to its host failed', { ca: '' }, serving()],
  ['its host has no public address', { allow: [] }, serving()],
  ['its host has no public address', { lookup: resolving([]).lookup }, serving()],
  ['it is larger than 100 bytes', { maxBytes: 100 }, serving(pngOf(101))],
  ['took longer than 0.1 s', { timeoutMs: 100 }, () => {}],
  ['together', { totalTimeoutMs: 100 }, () => {}],
  ['its content type is a/b', {}, serving(pngOf(20), { 'content-type': 'a/b' })],
  ['its content is not image/png', {}, serving(Buffer.from('words'))],
  [
    'it was redirected more than 3 times',
    {},
    (response, path) => response.writeHead(302, { location: `/next${path}` }).end(),
  ],
  [
    'its URL must be https',
    {},
    (response, path) => response.writeHead(302, { location: `http://other.example${path}` }).end(),
  ],
]

test.each(failures)('the query of an URL is kept back when %s', async (why, options, answer) => {
  await using gallery = await startGallery(answer, options)
  const url = gallery.url(`/a.png?sig=${secret}#${secret}`)

  const refusal = await refusalOf(gallery.inline(asking([imageAt(url)]), takesNoUrls))

  expect(refusal.message).toContain(why)
  expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain(secret)
  expect(JSON.stringify(describeError(refusal, true))).not.toContain(secret)
})

test.each([
  `https://256.1.1.1/?sig=${secret}`,
  `https://10.0.0.1/?sig=${secret}`,
  `https://${secret}@media.example/?sig=${secret}`,
  `http://media.example/?sig=${secret}`,
  `data:image/png;base64,${secret}`,
])('an URL that is refused at once is not repeated (%s)', async (url) => {
  await using gallery = await startGallery(serving())

  const refusal = await refusalOf(gallery.inline(asking([imageAt(url)]), takesNoUrls))

  expect(inspect(refusal, { depth: 20, showHidden: true })).not.toContain(secret)
})
