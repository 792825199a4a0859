import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { until } from '../../src/testing/until.ts'
import { png, serving } from './files.ts'
import { startMediaHost } from './media-host.ts'
import { refusalOf } from './refusal.ts'

test('a host learns nothing but what is asked for', async () => {
  await using host = await startMediaHost(serving())
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const accepted = ['image/png', 'image/*']
  await fetch(`${host.url}/a%20b.png?sig=1&x=%2F#part`, undefined, { accepted })

  const [request] = host.requests
  expect(request).toMatchObject({ method: 'GET', url: '/a%20b.png?sig=1&x=%2F' })
  expect(request?.headers).toEqual({
    accept: 'image/png, image/*;q=0.5',
    'accept-encoding': 'identity',
    connection: 'close',
    host: host.address,
    'user-agent': 'dragoman',
  })
})

test.each([201, 204, 206, 304, 400, 401, 404, 410, 429, 500, 503])(
  'an answer of %i is the error of the client, without its body',
  async (status) => {
    await using host = await startMediaHost((response) =>
      response.writeHead(status, { 'content-type': 'image/png' }).end('internal words'),
    )
    const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

    const refusal = await refusalOf(
      fetch(host.url, undefined, { field: { param: 'image_url', label: '`image_url`' } }),
    )

    expect(refusal).toMatchObject({ code: 'invalid_value', status: 400, param: 'image_url' })
    expect(refusal.message).toBe(
      `\`image_url\` cannot be fetched: its host replied with status ${status}.`,
    )
    expect(JSON.stringify(refusal)).not.toContain('internal words')
  },
)

const breaking: readonly [name: string, answer: (response: ServerResponse) => void][] = [
  ['hangs up', ({ socket }) => socket?.destroy()],
  ['resets', ({ socket }) => socket?.resetAndDestroy()],
  ['speaks no HTTP', ({ socket }) => socket?.end('220 smtp.internal ESMTP secret\r\n')],
  [
    'has no end of headers',
    ({ socket }) => socket?.end(`HTTP/1.1 200 OK\r\nx: ${'secret'.repeat(10_000)}`),
  ],
  [
    'breaks in the middle',
    (response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.write(png, () => response.socket?.resetAndDestroy())
    },
  ],
]

test.each(breaking)('a host that %s is the error of the client', async (_, answer) => {
  await using host = await startMediaHost(answer)
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400 })
  expect(refusal.message).toBe('`url` cannot be fetched: the connection to its host failed.')
  await until(() => host.open.size === 0)
})

test('a host where nobody listens is the error of the client', async () => {
  const gone = await startMediaHost(serving())
  await gone[Symbol.asyncDispose]()
  const fetch = createRemoteFetch({ allowHttp: true, allow: [gone.address] })

  const refusal = await refusalOf(fetch(gone.url))

  expect(refusal.message).toBe('`url` cannot be fetched: the connection to its host failed.')
})

test('a host that announces its answer first is listened to', async () => {
  await using host = await startMediaHost((response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' })
    serving()(response)
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  expect((await fetch(host.url)).bytes).toEqual(png)
})
