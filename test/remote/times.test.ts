import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { until } from '../../src/testing/until.ts'
import { png, serving } from './files.ts'
import { startMediaHost } from './media-host.ts'
import { refusalOf } from './refusal.ts'

const tooSlow = '`url` cannot be fetched: it took longer than 0.2 s.'

test('a host that says nothing is waited for no longer than the limit', async () => {
  await using host = await startMediaHost(() => {})
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], timeoutMs: 200 })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400, message: tooSlow })
  await until(() => host.open.size === 0)
})

test('a host that sends a byte now and then gains no time by that', async () => {
  await using host = await startMediaHost((response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    const drip = setInterval(() => response.write('.'), 10)
    response.once('close', () => clearInterval(drip))
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], timeoutMs: 200 })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal.message).toBe(tooSlow)
  await until(() => host.open.size === 0)
})

test('redirects gain no time either', async () => {
  await using host = await startMediaHost((response) => {
    setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 80)
  })
  const fetch = createRemoteFetch({
    allowHttp: true,
    allow: [host.address],
    timeoutMs: 200,
    maxRedirects: 1_000,
  })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal.message).toBe(tooSlow)
})

test('a name that is never resolved is waited for no longer', async () => {
  const fetch = createRemoteFetch({ lookup: () => {}, timeoutMs: 200 })

  const refusal = await refusalOf(fetch('https://media.example/'))

  expect(refusal.message).toContain('it took longer than 0.2 s')
})

test('only so many files are fetched at once, and the others wait for their turn', async () => {
  let most = 0
  await using host = await startMediaHost((response) => {
    most = Math.max(most, host.open.size)
    setImmediate(() => serving()(response))
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], concurrency: 3 })

  const files = await Promise.all(
    Array.from({ length: 20 }, (_, index) => fetch(`${host.url}/${index}`)),
  )

  expect(files.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 20 }, () => png))
  expect(most).toBeLessThanOrEqual(3)
  expect(host.requests.map(({ url }) => url)).toHaveLength(20)
})

test('slow files of one key do not take all places', async () => {
  await using host = await startMediaHost((response) => {
    if (response.req.url === '/quick') serving()(response)
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], concurrency: 4 })
  const leaving = new AbortController()
  const slow = [1, 2, 3, 4, 5].map((at) =>
    refusalOf(fetch(`${host.url}/slow/${at}`, leaving.signal, { keyId: 'one' })),
  )

  const file = await fetch(`${host.url}/quick`, undefined, { keyId: 'two' })

  expect(file.bytes).toEqual(png)
  leaving.abort()
  await Promise.all(slow)
})

test('a gateway that fetches too much already says so, and recovers', async () => {
  let silent = true
  await using host = await startMediaHost((response) => {
    if (!silent) serving()(response)
  })
  const options = { allowHttp: true, allow: [host.address], concurrency: 1, timeoutMs: 200 }
  const fetch = createRemoteFetch(options)

  const first = refusalOf(fetch(host.url))
  const others = await Promise.all([1, 2, 3].map(() => refusalOf(fetch(host.url))))
  silent = false

  expect((await first).message).toBe(tooSlow)
  expect(others).toContainEqual(expect.objectContaining({ status: 503, retry: true }))
  expect((await fetch(host.url)).bytes).toEqual(png)
})
