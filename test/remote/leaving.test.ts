import { type AddressInfo, createServer, type Socket } from 'node:net'

import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { until } from '../../src/testing/until.ts'
import { png, serving } from './files.ts'
import { startMediaHost } from './media-host.ts'
import { refusalOf } from './refusal.ts'

test('a client that leaves while the host is silent ends the connection', async () => {
  await using host = await startMediaHost(() => {})
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })
  const client = new AbortController()

  const refused = refusalOf(fetch(host.url, client.signal))
  await until(() => host.requests.length === 1)
  client.abort()

  expect((await refused).code).toBe('client_closed_request')
  await until(() => host.open.size === 0)
})

test('a client that leaves in the middle of a file ends the connection', async () => {
  await using host = await startMediaHost((response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    response.write(png)
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })
  const client = new AbortController()
  let begun = false

  const refused = refusalOf(fetch(host.url, client.signal, { onBytes: () => (begun = true) }))
  await until(() => begun)
  client.abort()

  expect((await refused).code).toBe('client_closed_request')
  await until(() => host.open.size === 0)
})

test('a client that leaves while the connection is still made secure ends it', async () => {
  const open = new Set<Socket>()
  await using silent = createServer((socket) => {
    open.add(socket.on('error', () => {}))
    socket.once('close', () => open.delete(socket)).resume()
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`
  const fetch = createRemoteFetch({ allow: [address] })
  const client = new AbortController()

  const refused = refusalOf(fetch(`https://${address}/`, client.signal))
  await until(() => open.size === 1)
  client.abort()

  expect((await refused).code).toBe('client_closed_request')
  await until(() => open.size === 0)
})

test('a client that left before is not served', async () => {
  await using host = await startMediaHost(serving())
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const refusal = await refusalOf(fetch(host.url, AbortSignal.abort()))

  expect(refusal.code).toBe('client_closed_request')
  expect(host.connections()).toBe(0)
})

test('a client that leaves while it waits gives its turn to the next', async () => {
  let silent = true
  await using host = await startMediaHost((response) => {
    if (!silent) serving()(response)
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], concurrency: 1 })
  const [first, second] = [new AbortController(), new AbortController()]

  const refusals = [first, second].map(({ signal }) => refusalOf(fetch(host.url, signal)))
  const third = fetch(host.url)
  await until(() => host.requests.length === 1)
  second.abort()
  await refusals[1]
  silent = false
  first.abort()

  expect((await third).bytes).toEqual(png)
  expect((await Promise.all(refusals)).map(({ code }) => code)).toEqual([
    'client_closed_request',
    'client_closed_request',
  ])
  expect(host.connections()).toBe(2)
})

test('a signal that outlives its fetches is not held on to', async () => {
  await using host = await startMediaHost(serving())
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })
  const { signal } = new AbortController()
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners++
    add(...given)
  }
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners--
    remove(...given)
  }

  await fetch(host.url, signal)
  await refusalOf(fetch('http://10.0.0.1/', signal))

  expect(listeners).toBe(0)
})
