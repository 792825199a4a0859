import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { until } from '../../src/testing/until.ts'
import { type Service, startService } from '../requests/service.ts'
import { statusesIn } from './conversation.ts'

const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}'

/** With an edge plugin, requests take another way into the gateway. */
const ways: Record<string, () => Promise<Service>> = {
  directly: () => startService({ limits: { jsonBodyBytes: 100_000, formBytes: 100_000 } }),
  'through edge plugins': () => {
    const plugin = definePlugin({ name: 'edge', http: { onRequest() {}, onResponse() {} } })
    const limits = { jsonBodyBytes: 100_000, formBytes: 100_000 }
    return startService({ limits, plugins: [plugin] })
  },
}

/** A client that sends its body only when it is asked to. */
function waitingClient(service: Service, { path = '/v1/chat/completions', head = '' }) {
  const { hostname, port } = new URL(service.gateway.url)
  const socket = connect(Number(port), hostname)
  const said = { text: '' }
  socket.setEncoding('latin1').on('data', (chunk: string) => (said.text += chunk))
  socket.on('error', () => {})
  const headers = `host: a\r\nexpect: 100-continue\r\n${head}`
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
  return {
    socket,
    said,
    /** Resolves with the statuses so far, once there is one. */
    async statuses() {
      await until(() => /\r\n\r\n/.test(said.text))
      return statusesIn(said.text)
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

describe.each(Object.entries(ways))('%s', (_, start) => {
  test('a client with a key is asked for its body, once', async () => {
    await using service = await start()
    const head = `authorization: Bearer ${service.gateway.key}\r\ncontent-length: ${body.length}`
    using client = waitingClient(service, { head })
    expect(await client.statuses()).toEqual([100])
    expect(service.upstream.requests).toEqual([])
    client.socket.write(body)
    await until(() => client.said.text.includes('chatcmpl-1'))
    expect(statusesIn(client.said.text)).toEqual([100, 200])
  })

  test('a client with a form is asked for it', async () => {
    await using service = await start()
    const type = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 100'
    const head = `authorization: Bearer ${service.gateway.key}\r\n${type}`
    using client = waitingClient(service, { path: '/v1/images/edits', head })
    expect(await client.statuses()).toEqual([100])
  })

  test.each([
    ['with a wrong key', '/v1/chat/completions', 'authorization: Bearer wrong', 10, 401],
    ['without a key', '/v1/chat/completions', 'x: y', 10, 401],
    ['for an unknown path', '/nowhere', 'x: y', 10, 404],
    ['for a body that is too large', '/v1/chat/completions', 'KEY', 200_000, 413],
    ['for a form that is too large', '/v1/images/edits', 'FORM', 200_000, 413],
    ['with a signature that is not valid', '/v1/files/local/a/b', 'x: y', 10, 404],
  ])(
    'a client %s gets the answer without being asked for its body',
    async (_name, path, header, length, status) => {
      await using service = await start()
      const key = `authorization: Bearer ${service.gateway.key}`
      const form = `${key}\r\ncontent-type: multipart/form-data; boundary=b`
      const shown = { KEY: key, FORM: form }[header] ?? header
      using client = waitingClient(service, {
        path,
        head: `${shown}\r\ncontent-length: ${length}`,
      })
      expect(await client.statuses()).toEqual([status])
      expect(client.said.text).toMatch(/^connection: close/im)
    },
  )
})
