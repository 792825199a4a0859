import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'

/** Sends bytes as they are and returns all that comes back. */
async function send(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(bytes)
  return text(socket)
}

const unreadable: Record<string, [bytes: string, status: number]> = {
  'no HTTP at all': ['hello\r\n\r\n', 400],
  'a header without end': [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 431],
  'an expectation of its own': ['GET /livez HTTP/1.1\r\nhost: a\r\nexpect: cake\r\n\r\n', 417],
}

test.each(Object.entries(unreadable))(
  '%s gets the general envelope',
  async (_, [bytes, status]) => {
    await using gateway = await createTestGateway()
    const answer = await send(gateway.url, bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head).toMatch(/x-request-id: req_/i)
    expect(JSON.parse(body)).toMatchObject({ error: { code: status, details: [{}] } })
  },
)

test('a whole URL as target is the path in it', async () => {
  await using gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'openai', models: ['m'] }],
  })
  const target =
    'GET http://gateway.example/livez?x=1 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
  expect(await send(gateway.url, target)).toContain('HTTP/1.1 200 ')
})
