import { expect, test } from 'vitest'

import { startService } from '../requests/service.ts'
import { sendRaw } from './raw.ts'

const upgrade =
  'host: g\r\nconnection: keep-alive, Upgrade\r\nupgrade: websocket\r\n' +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='

test('a coding agent that tries a WebSocket first is told at once, without a key', async () => {
  await using service = await startService()
  const answer = await sendRaw(
    service.gateway.url,
    `GET /v1/responses HTTP/1.1\r\n${upgrade}\r\n\r\n`,
  )
  expect(answer.status).toBe(426)
  expect(JSON.parse(answer.body)).toMatchObject({
    error: { code: 426, message: expect.stringContaining('POST') as string },
  })
  expect(answer.head).toMatch(/^connection: close/im)
  expect(answer.head).toMatch(/^x-request-id: req_/im)
})

test('and with a query or a key as well', async () => {
  await using service = await startService()
  const line = 'GET /v1/responses?model=m HTTP/1.1'
  const key = `authorization: Bearer ${service.gateway.key}`
  const answer = await sendRaw(service.gateway.url, `${line}\r\n${upgrade}\r\n${key}\r\n\r\n`)
  expect(answer.status).toBe(426)
})

test('the client of the platform itself sees its connection refused and can go on', async () => {
  await using service = await startService()
  const socket = new WebSocket(`${service.gateway.url.replace('http', 'ws')}/v1/responses`)
  const event = await new Promise<string>((resolve) => {
    socket.addEventListener('open', () => resolve('open'))
    socket.addEventListener('error', () => resolve('error'))
  })
  expect(event).toBe('error')
  expect((await service.ask('responses')).status).toBe(200)
})

test('an upgrade anywhere else is no upgrade', async () => {
  await using service = await startService()
  const answer = await sendRaw(service.gateway.url, `GET /livez HTTP/1.1\r\n${upgrade}\r\n\r\n`)
  expect(answer.status).toBe(200)
})

test('a plain GET is told what is here', async () => {
  await using service = await startService()
  const response = await fetch(`${service.gateway.url}/v1/responses`)
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('POST')
})
