import { once } from 'node:events'
import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { listen } from '../../src/http/listen.ts'
import {
  type RefusedConnection,
  noteRefusedConnections,
} from '../../src/http/refused-connections.ts'

const canary = 'canary-of-the-client'

/** Lines of an access log, as objects. */
function collectAccessLog() {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  return { lines, writer: { write } }
}

/** Sends bytes, and returns what is answered. */
async function send(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(text)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

const cases: [text: string, status: number, code: string][] = [
  [`${canary}\r\n\r\n`, 400, 'HPE_INVALID_METHOD'],
  [`GET /${canary} HTTP/1.1\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, 431, 'HPE_HEADER_OVERFLOW'],
  [`CONNECT ${canary}:443 HTTP/1.1\r\nhost: a\r\n\r\n`, 405, 'CONNECT'],
  [
    `POST /${canary} HTTP/1.1\r\nhost: a\r\nexpect: ${canary}\r\nconnection: close\r\n\r\n`,
    417,
    'EXPECT',
  ],
]

test('an operator sees connections that were no requests, without a byte of their clients', async () => {
  for (const [text, status, code] of cases) {
    const log = collectAccessLog()
    const onRefused = noteRefusedConnections({ lines: log.writer, listener: 'admin' })
    const listener = await listen((_request, response) => response.end(), {
      host: '127.0.0.1',
      port: 0,
      onRefused,
    })
    const answer = await send(listener.port, text)
    listener.closeNow()
    await listener.close()
    expect(answer).toContain(`HTTP/1.1 ${status} `)
    expect(log.lines).toEqual([
      {
        time: expect.any(String) as string,
        level: 'info',
        msg: 'refused connection',
        listener: 'admin',
        request_id: /x-request-id: (\S+)/i.exec(answer)?.[1],
        status,
        error: code,
        client_ip: '127.0.0.1',
      },
    ])
    expect(JSON.stringify(log.lines)).not.toContain(canary)
  }
})

test('a flood of such connections fills no log: one line a second for an address, twenty in all', () => {
  const log = collectAccessLog()
  let now = 0
  const note = noteRefusedConnections({ lines: log.writer, listener: 'api', elapsed: () => now })
  const refused = (address: string): RefusedConnection => ({
    requestId: 'r',
    status: 400,
    code: 'HPE_INVALID_METHOD',
    address,
  })
  for (let sent = 0; sent < 500; sent++) note(refused('::ffff:10.0.0.1'))
  expect(log.lines).toHaveLength(1)
  for (let sent = 0; sent < 500; sent++) note(refused(`10.1.${sent >> 8}.${sent & 255}`))
  expect(log.lines).toHaveLength(20)
  now = 1_000
  note(refused('10.0.0.1'))
  expect(log.lines).toHaveLength(21)
  const counted = log.lines.reduce((sum, { omitted = 0 }) => sum + 1 + Number(omitted), 0)
  expect(counted).toBe(1_001)
})
