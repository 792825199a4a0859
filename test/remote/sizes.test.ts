import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { createRemoteFetch } from '../../src/remote/fetch.ts'
import { until } from '../../src/testing/until.ts'
import { png, pngOf, serving } from './files.ts'
import { startMediaHost } from './media-host.ts'
import { refusalOf } from './refusal.ts'

const maxBytes = 100_000

test('a file of just the limit is fetched', async () => {
  await using host = await startMediaHost(serving(pngOf(maxBytes)))
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], maxBytes })

  const { bytes } = await fetch(host.url)

  expect(bytes).toHaveLength(maxBytes)
})

test('a file that is a byte larger is not, though its host does not tell', async () => {
  await using host = await startMediaHost((response) => {
    response.writeHead(200, { 'content-type': 'image/png' })
    response.write(pngOf(maxBytes))
    response.end('.')
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], maxBytes })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal).toMatchObject({ code: 'invalid_value', status: 400 })
  expect(refusal.message).toContain('it is larger than 100000 bytes')
})

test('a file without end is read no further than its limit', async () => {
  let written = 0
  await using host = await startMediaHost((response) => {
    const piece = pngOf(65_536)
    function writeOn(): void {
      do written += piece.length
      while (response.write(piece))
    }
    response.writeHead(200, { 'content-type': 'image/png' }).on('drain', writeOn)
    writeOn()
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], maxBytes })

  const refusal = await refusalOf(fetch(host.url))
  await until(() => host.open.size === 0)

  expect(refusal.message).toContain('it is larger than')
  // What lies in the buffers of two sockets comes on top.
  expect(written).toBeLessThan(32 * 1024 * 1024)
})

test('a file that is announced as too large is refused before it arrives', async () => {
  await using host = await startMediaHost((response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': maxBytes + 1 })
    response.write(png)
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address], maxBytes })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal.message).toContain('it is larger than')
})

test('a file that ends before its announced length is an error', async () => {
  await using host = await startMediaHost((response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000 })
    response.write(png, () => response.destroy())
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const refusal = await refusalOf(fetch(host.url))

  expect(refusal.message).toContain('the connection to its host failed')
})

test('a file is no longer than announced, whatever follows it', async () => {
  await using host = await startMediaHost(({ socket }) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${png.length}`
    socket?.end(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), pngOf(50_000)]))
  })
  const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

  const outcome = await fetch(host.url).catch(() => undefined)

  expect(outcome?.bytes ?? png).toEqual(png)
})

test.each(['gzip', 'br', 'identity, gzip'])(
  'a compressed file is refused, so that none grows in memory (%s)',
  async (encoding) => {
    const bomb = gzipSync(pngOf(50 * 1024 * 1024))
    await using host = await startMediaHost(
      serving(bomb, { 'content-type': 'image/png', 'content-encoding': encoding }),
    )
    const fetch = createRemoteFetch({ allowHttp: true, allow: [host.address] })

    const refusal = await refusalOf(fetch(host.url))

    expect(refusal.message).toContain('its host sent it compressed, against the request')
    expect(host.requests[0]?.headers['accept-encoding']).toBe('identity')
  },
)
