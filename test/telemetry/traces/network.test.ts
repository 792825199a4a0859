import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { listen } from '../../../src/http/listen.ts'
import { until } from '../../../src/testing/until.ts'
import { serverOf, tracedStage } from './stage.ts'
import { wholeTrace } from './whole.ts'

const client = '203.0.113.7'

/** Asks over a connection of its own. Resolves with its port and the id of the trace once it has ended. */
async function askAlone(url: string, version: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const { port: ownPort } = socket.address() as AddressInfo
  const lines = [
    `GET /v1/models HTTP/${version}`,
    ...Object.entries({ host: 'gateway', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const answer = await text(socket)
  return { port: ownPort, traceId: /^x-trace-id: (\w+)/im.exec(answer)?.[1] }
}

test.each([
  ['a trusted proxy', ['loopback'], client],
  ['a stranger', undefined, '127.0.0.1'],
])('the span of an exchange has both ends of the way of %s', async (_, trustedProxies, address) => {
  await using stage = await tracedStage(trustedProxies && { trustedProxies })
  const { url, key } = stage.gateway
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': client }
  const asked = []
  for (const version of ['1.1', '1.0']) {
    asked.push({ version, ...(await askAlone(url, version, headers)) })
  }
  await stage[Symbol.asyncDispose]()
  for (const { version, port, traceId } of asked) {
    const { attributes } = serverOf(wholeTrace(stage.collector.spans, traceId))
    expect(attributes).toMatchObject({
      'client.address': address,
      'network.peer.address': '127.0.0.1',
      'network.peer.port': port,
      'network.protocol.version': version,
    })
  }
})

test('the other end of a socket of IPv6 has the address of IPv4 that it is', async () => {
  await using stage = await tracedStage()
  const mapped = await listen(stage.gateway.gateway.listener, { host: '::ffff:127.0.0.1', port: 0 })
  const { port: at } = new URL(mapped.url)
  const { traceId } = await askAlone(`http://127.0.0.1:${at}`, '1.1', {
    authorization: `Bearer ${stage.gateway.key}`,
  })
  await mapped.close()
  await stage[Symbol.asyncDispose]()
  const { attributes } = serverOf(wholeTrace(stage.collector.spans, traceId))
  expect(attributes['network.peer.address']).toBe('127.0.0.1')
})

test('the span of a client that has left still has its end of the connection', async () => {
  await using stage = await tracedStage()
  const { hostname, port } = new URL(stage.gateway.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const { port: ownPort } = socket.address() as AddressInfo
  const body = JSON.stringify({
    model: 'sandbox/words=500+pace=100',
    messages: [{ role: 'user', content: 'hi' }],
    stream: true,
  })
  socket.write(
    'POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\ncontent-type: application/json\r\n' +
      `authorization: Bearer ${stage.gateway.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await once(socket, 'data')
  socket.resetAndDestroy()
  await stage.gateway.logged(1)
  await stage[Symbol.asyncDispose]()
  await until(() => stage.collector.spans.length > 0)
  expect(serverOf(stage.collector.spans).attributes).toMatchObject({
    'dragoman.stream.end': 'client_cancelled',
    'network.peer.address': '127.0.0.1',
    'network.peer.port': ownPort,
    'network.protocol.version': '1.1',
  })
})
