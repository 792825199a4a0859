import { request } from 'node:http'

import { expect, test } from 'vitest'

import { type Service, startService } from './service.ts'

const limits = { jsonBodyBytes: 100_000 }
const piece = Buffer.alloc(64 * 1024, 'x')

/** Uploads without an end in sight; resolves with the answer that comes meanwhile. */
function uploadForever(service: Service, headers: Record<string, string>) {
  const { url, key } = service.gateway
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sending = request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    let answered = false
    const more = () => {
      if (!answered) sending.write(piece, () => setImmediate(more))
    }
    sending.on('error', (error) => answered || reject(error))
    sending.once('response', (response) => {
      answered = true
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.once('end', () => {
        sending.destroy()
        resolve({ status: response.statusCode, body })
      })
    })
    more()
  })
}

test('a client that is still uploading learns that its body is too large', async () => {
  await using service = await startService({ limits })
  const { status, body } = await uploadForever(service, {})
  expect(status).toBe(413)
  expect(JSON.parse(body)).toMatchObject({ error: { code: 413 } })
})

test('and so does one that has said how much there will be', async () => {
  await using service = await startService({ limits })
  const { status } = await uploadForever(service, { 'content-length': '10000000000' })
  expect(status).toBe(413)
})

test('and one that uploads with fetch', async () => {
  await using service = await startService({ limits })
  const response = await service.post('chat', Buffer.alloc(20_000_000, 'x'))
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ error: { code: 413 } })
})

test('a client without a key is refused before its body is read', async () => {
  await using service = await startService({ limits })
  const { status } = await uploadForever(service, { authorization: 'Bearer wrong' })
  expect(status).toBe(401)
})

test('the gateway serves others meanwhile and afterwards', async () => {
  await using service = await startService({ limits })
  const upload = uploadForever(service, {})
  expect((await service.ask('messages')).status).toBe(200)
  await upload
  expect((await service.ask('chat')).status).toBe(200)
})
