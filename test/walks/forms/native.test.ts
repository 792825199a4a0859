import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { boundary, startForms, uploadOf } from './service.ts'

const MiB = 1024 * 1024

test.each([100, MiB, 5 * MiB])(
  'a client that uploads %i bytes has them reach the account byte for byte',
  async (size) => {
    await using service = await startForms()
    const body = uploadOf(randomBytes(size))
    const response = await service.send(body, { headers: { 'openai-beta': 'x' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id: 'ok' })
    const [request] = service.accounts[0]?.requests ?? []
    expect(request?.body.equals(body)).toBe(true)
    expect(request?.headers).toMatchObject({
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(body.length),
      authorization: 'Bearer account-key',
    })
    expect(request?.headers['transfer-encoding']).toBeUndefined()
    await service.isClear()
    const [line] = await service.gateway.logged(1)
    expect(line).toMatchObject({ bytes_in: body.length, status: 200, model_requested: 'm' })
  },
)

test('a client that does not tell its length is served alike', async () => {
  await using service = await startForms()
  const body = uploadOf(randomBytes(2 * MiB))
  const { url, key } = service.gateway
  const response = await fetch(`${url}/v1/forms`, {
    method: 'POST',
    body: new Blob([body]).stream(),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary="${boundary}"`,
    },
    duplex: 'half',
  } as RequestInit)
  expect(response.status).toBe(200)
  expect(service.accounts[0]?.requests[0]?.body.equals(body)).toBe(true)
})

test('where the account calls the model otherwise, that alone changes', async () => {
  await using service = await startForms()
  const file = randomBytes(2 * MiB)
  expect((await service.send(uploadOf(file, 'theirs'))).status).toBe(200)
  const expected = uploadOf(file, 'name-at-the-account')
  const [request] = service.accounts[0]?.requests ?? []
  expect(request?.body.equals(expected)).toBe(true)
  expect(request?.headers['content-length']).toBe(String(expected.length))
})

test('a form made by `FormData` is read', async () => {
  await using service = await startForms()
  const form = new FormData()
  form.append('image[]', new Blob([randomBytes(1_000)], { type: 'image/png' }), 'b "q" é.png')
  form.append('model', 'm')
  const { url, key } = service.gateway
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/v1/forms`, { method: 'POST', body: form, headers })
  expect(response.status).toBe(200)
})

test('the same operation takes JSON', async () => {
  await using service = await startForms()
  const headers = { 'content-type': 'application/json' }
  const response = await service.send('{"model":"theirs","n":1}', { headers })
  expect(response.status).toBe(200)
  const [request] = service.accounts[0]?.requests ?? []
  expect(request?.body.toString()).toBe('{"model":"name-at-the-account","n":1}')
  expect(request?.headers['content-type']).toBe('application/json')
})

test('an operation that takes no forms refuses them', async () => {
  await using service = await startForms()
  const { url, key } = service.gateway
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: uploadOf(Buffer.from('x')),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  expect(response.status).toBe(415)
})
