import { once } from 'node:events'
import { connect } from 'node:net'

import { expect } from 'vitest'

import type { TestGateway } from '../../../src/testing/gateway.ts'
import type { Form } from './forms.ts'

/** What a client of one connection gets for this text, until the gateway closes it. */
export async function converse({ url }: TestGateway, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (bytes: Buffer) => received.push(bytes))
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(received).toString()
}

/** A request for a stream, byte by byte. */
export function requestOf(
  { key }: TestGateway,
  form: Form,
  version: string,
  connection: string,
): string {
  const body = JSON.stringify(form.body('m', true))
  const lines = [
    `POST ${form.path('m', true)} HTTP/${version}`,
    'host: gateway',
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `connection: ${connection}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Reads replies of a connection as RFC 9112 says, chunk by chunk. */
export function repliesIn(text: string): string[][] {
  const replies: string[][] = []
  let rest = text
  while (rest !== '') {
    const [head = '', body = ''] = rest.split(/\r\n\r\n(.*)/s)
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*transfer-encoding: chunked/i)
    const chunks: string[] = []
    rest = body
    for (let size = -1; size !== 0;) {
      const [line = '', behind = ''] = rest.split(/\r\n(.*)/s)
      expect(line).toMatch(/^[\da-f]+$/)
      size = Number.parseInt(line, 16)
      const bytes = Buffer.from(behind)
      chunks.push(bytes.subarray(0, size).toString())
      expect(bytes.subarray(size, size + 2).toString()).toBe('\r\n')
      rest = bytes.subarray(size + 2).toString()
    }
    replies.push(chunks)
  }
  return replies
}
