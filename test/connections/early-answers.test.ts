import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { until } from '../../src/testing/until.ts'
import { type Service, startService } from '../requests/service.ts'
import { conversation, statusesIn } from './conversation.ts'

/** With an edge plugin, requests take another way into the gateway. */
const ways: Record<string, () => Promise<Service>> = {
  directly: () => startService({ limits: { jsonBodyBytes: 100_000 } }),
  'through edge plugins': () => {
    const plugin = definePlugin({ name: 'edge', http: { onRequest() {}, onResponse() {} } })
    return startService({ limits: { jsonBodyBytes: 100_000 }, plugins: [plugin] })
  },
}

const post = 'POST /v1/chat/completions HTTP/1.1\r\nhost: a'
const bytes = 8_000_000

/** Requests that are answered by their heads. `KEY` stands for a valid key. */
const refused: Record<string, [head: string, status: number]> = {
  'with a wrong key': [`${post}\r\nauthorization: Bearer wrong`, 401],
  'without a key': [post, 401],
  'for an unknown path': ['POST /nowhere HTTP/1.1\r\nhost: a', 404],
  'with another method': ['PUT /v1/chat/completions HTTP/1.1\r\nhost: a', 405],
  'that is too large': [`${post}\r\nauthorization: Bearer KEY`, 413],
  'that needs no body': ['GET /livez HTTP/1.1\r\nhost: a', 200],
  'that ends its connection itself': [`${post}\r\nconnection: close`, 401],
  'with an unknown expectation': [`${post}\r\nexpect: cake`, 417],
}

function headOf(service: Service, head: string): string {
  return `${head.replace('KEY', service.gateway.key)}\r\ncontent-length: ${bytes}\r\n\r\n`
}

/** A connection on which a client sends a body without reading, until the answer has come. */
function dripOn(service: Service, head: string) {
  const { hostname, port } = new URL(service.gateway.url)
  const socket = connect(Number(port), hostname)
  const said = { text: '', closed: false }
  socket.setEncoding('latin1').on('data', (chunk: string) => (said.text += chunk))
  socket.on('error', () => {}).once('close', () => (said.closed = true))
  socket.write(headOf(service, head))
  const drip = setInterval(() => socket.write('x'), 20)
  return {
    socket,
    said,
    [Symbol.dispose]() {
      clearInterval(drip)
      socket.destroy()
    },
  }
}

const starts = Object.entries(ways)

describe.each(starts)('%s', (way, start) => {
  const nth = starts.findIndex(([name]) => name === way)

  test.each(dailyRows(Object.entries(refused), nth))(
    'a client that sends all of a request %s gets the answer, not a reset',
    async (_name, [head, status]) => {
      await using service = await start()
      const whole = Buffer.concat([Buffer.from(headOf(service, head)), Buffer.alloc(bytes, 'x')])
      const said = await conversation(service.gateway.url, whole)
      expect(said.statuses).toEqual([status])
    },
  )

  test.each(dailyRows(Object.entries(refused), nth + 1))(
    'a client that drips a request %s does not hold its connection',
    async (_name, [head, status]) => {
      await using service = await start()
      using drip = dripOn(service, head)
      await until(() => drip.said.closed, 20_000)
      expect(statusesIn(drip.said.text)).toEqual([status])
    },
  )

  test('a refused client whose body has arrived may go on with its connection', async () => {
    await using service = await start()
    const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}'
    const length = `content-length: ${body.length}`
    const key = `authorization: Bearer ${service.gateway.key}\r\nconnection: close`
    const said = await conversation(
      service.gateway.url,
      `${post}\r\n${length}\r\n\r\n${body}${post}\r\n${key}\r\n${length}\r\n\r\n${body}`,
    )
    expect(said.statuses).toEqual([401, 200])
  })

  test('the rest of a refused body is never read as a request', async () => {
    await using service = await start()
    const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}'
    const key = `authorization: Bearer ${service.gateway.key}`
    const hidden = `${post}\r\n${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const first = Buffer.from(headOf(service, `${post}\r\nauthorization: Bearer wrong`))
    const rest = Buffer.concat([Buffer.alloc(bytes, 'x'), Buffer.from(hidden.repeat(3))])
    const said = await conversation(service.gateway.url, Buffer.concat([first, rest]))
    expect(said.statuses).toEqual([401])
    expect(service.upstream.requests).toEqual([])
  })
})

const unreadable: Record<string, [bytes: string, status: number]> = {
  'that is no HTTP': ['hello\r\n\r\n', 400],
  'whose headers have no end': [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}`, 431],
  'for a tunnel': ['CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n', 405],
}

test.each(Object.entries(unreadable))(
  'a client that goes on sending after a request %s gets the answer and loses its connection',
  async (_name, [head, status]) => {
    await using service = await startService()
    const { hostname, port } = new URL(service.gateway.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    let isClosed = false
    let failure: Error | undefined
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
    socket.on('error', (error) => (failure = error)).once('close', () => (isClosed = true))
    // A client that keeps its side of the connection open.
    socket.allowHalfOpen = true
    socket.write(head)
    await until(() => text.endsWith('}}'))
    socket.write('x'.repeat(100_000))
    await until(() => isClosed || failure !== undefined || gone(socket), 20_000)
    expect(statusesIn(text)).toEqual([status])
    socket.destroy()
  },
)

/** Whether the server has closed the connection for both directions: a write then fails. */
function gone(socket: ReturnType<typeof connect>): boolean {
  return !socket.write('x') && socket.destroyed
}
