import { once } from 'node:events'
import type { Server } from 'node:http'
import { type Socket, connect } from 'node:net'

import { expect, test } from 'vitest'

import { listen } from '../../src/http/listen.ts'

test('the head of a request may take longer than a connection may be idle', async () => {
  let server: Server | undefined
  const listener = await listen(
    ({ socket }, response) => {
      server = (socket as Socket & { readonly server?: Server }).server
      response.end()
    },
    { host: '127.0.0.1', port: 0 },
  )
  const client = connect(listener.port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(client, 'data')
  // The times themselves are too long for a test.
  expect(server).toMatchObject({
    keepAliveTimeout: 75_000,
    headersTimeout: 80_000,
    requestTimeout: 0,
  })
  client.destroy()
  listener.closeNow()
  await listener.close()
})
