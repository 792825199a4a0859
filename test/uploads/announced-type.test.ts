import { expect, test } from 'vitest'

import { put, refusal, startService } from './service.ts'

test('who announces a type is told to send it, and told both where another one comes', async () => {
  await using service = await startService()
  const { upload_url, headers } = await service.issue({
    path: 'cat',
    content_type: 'image/png',
  })
  expect(headers).toEqual({ 'content-type': 'image/png' })
  const refused = await put(upload_url, 'a cat', { 'content-type': 'text/plain' })
  const { error } = (await refused.clone().json()) as { error: { message: string } }
  expect(error.message).toMatch(/of type image\/png: .* not text\/plain\./)
  expect(await refusal(refused)).toEqual([403, 'url_signature_invalid'])
  expect((await put(upload_url, 'a cat', headers)).status).toBe(201)
})

test('a client that says nothing of a file sends what it has announced', async () => {
  await using service = await startService()
  const { upload_url, visit_url } = await service.issue({ path: 'cat', content_type: 'image/png' })
  expect((await put(upload_url, 'a cat')).status).toBe(201)
  expect((await fetch(visit_url)).headers.get('content-type')).toBe('image/png')
})

test.each([
  ['contentType', 'content_type', 'image/png'],
  ['content-type', 'content_type', 'image/png'],
  ['storageProvider', 'storage_provider', 'local'],
])('a field that is misspelt as %s is not passed over', async (name, meant, value) => {
  await using service = await startService()
  const response = await service.ask({ path: 'cat.png', [name]: value })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { param: name, message: `\`${name}\` is not a known field: use \`${meant}\`.` } },
  ])
})

test('what no field is called like is the client’s own', async () => {
  await using service = await startService()
  expect((await service.ask({ path: 'cat.png', purpose: 'vision' })).status).toBe(200)
})
