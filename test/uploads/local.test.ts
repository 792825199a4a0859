import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { type Descriptor, put, startService } from './service.ts'

const bytes = Buffer.from('the bytes of a picture')

test('a client uploads a file in two steps and reads it where it was told to', async () => {
  await using service = await startService()
  const { upload_url, method, path, visit_url } = await service.issue({ path: 'images/cat.png' })
  expect(method).toBe('PUT')
  expect(path).toMatch(/^local:\/\/[0-9a-f]{32}\/images\/cat\.png$/)
  expect(upload_url.startsWith(`${service.gateway.url}/v1/files/`)).toBe(true)

  expect((await fetch(visit_url)).status).toBe(404)
  const uploaded = await fetch(upload_url, { method, body: bytes })
  expect([uploaded.status, await uploaded.text()]).toEqual([201, ''])

  const visited = await fetch(visit_url)
  expect(visited.status).toBe(200)
  expect(Buffer.from(await visited.arrayBuffer())).toEqual(bytes)
  expect(visited.headers.get('content-type')).toBe('image/png')
  expect(await service.onDisk()).toEqual({ complete: 1, incoming: 0 })
})

test('a user of the openai SDK asks for a URL by its generic post', async () => {
  await using service = await startService()
  const client = new OpenAI({ apiKey: 'key-of-alice', baseURL: `${service.gateway.url}/v1` })
  const descriptor = await client.post<Descriptor>('/files/upload_url', {
    body: { path: 'clip.mp4' },
  })
  expect((await put(descriptor.upload_url, bytes)).status).toBe(201)
  expect(await (await fetch(descriptor.visit_url)).text()).toBe(bytes.toString())
})

test('a client of the SDK that asks for what cannot be is told so as the SDK tells it', async () => {
  await using service = await startService()
  const client = new OpenAI({ apiKey: 'key-of-alice', baseURL: `${service.gateway.url}/v1` })
  const asked = client.post('/files/upload_url', { body: { path: '../cat.png' } })
  await expect(asked).rejects.toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    param: 'path',
  })
})

test('a type that was announced is the type of the file, another one is refused', async () => {
  await using service = await startService()
  const { upload_url, visit_url } = await service.issue({ path: 'a/b', content_type: 'video/mp4' })
  const other = await put(upload_url, bytes, { 'content-type': 'text/html' })
  expect(other.status).toBe(403)
  expect((await put(upload_url, bytes, { 'content-type': 'video/mp4' })).status).toBe(201)
  expect((await fetch(visit_url)).headers.get('content-type')).toBe('video/mp4')
})

test('the access log tells what was moved, and shows no signature', async () => {
  await using service = await startService()
  const { upload_url, visit_url } = await service.issue({ path: 'cat.png' })
  await put(upload_url, bytes)
  await (await fetch(visit_url)).text()
  await (await fetch(visit_url, { headers: { range: 'bytes=0-3' } })).text()
  const [, received, visited, partly] = await service.gateway.logged(4)
  expect(received).toMatchObject({ route: 'uploads.receive', status: 201, bytes_in: bytes.length })
  expect(visited).toMatchObject({ route: 'uploads.visit', status: 200, bytes_out: bytes.length })
  expect(partly).toMatchObject({ status: 206, bytes_out: 4 })
  expect(JSON.stringify([received, visited])).not.toContain('signature')
})

test('an empty file is a file', async () => {
  await using service = await startService()
  const { upload_url, visit_url } = await service.issue({ path: 'empty.txt' })
  expect((await put(upload_url, '')).status).toBe(201)
  const visited = await fetch(visit_url)
  expect([visited.status, await visited.text()]).toEqual([200, ''])
})

test('a file of several megabytes comes back byte for byte', async () => {
  await using service = await startService()
  const large = Buffer.alloc(9 * 1024 * 1024, 'some more of the film; ')
  const { upload_url, visit_url } = await service.issue({ path: 'film.mp4', size: large.length })
  expect((await put(upload_url, large)).status).toBe(201)
  const visited = Buffer.from(await (await fetch(visit_url)).arrayBuffer())
  expect(visited.equals(large)).toBe(true)
})

test.each([
  'with spaces & signs/ü?#%+!*()\'".png',
  'a/b/c/d/e/f.bin',
  '日本語/写真.jpg',
  'images/%2e%2e/cat.png',
])('a file called %s is found under its name', async (name) => {
  await using service = await startService()
  const { upload_url, visit_url, path } = await service.issue({ path: name })
  expect(path.endsWith(`/${name}`)).toBe(true)
  expect((await put(upload_url, bytes)).status).toBe(201)
  expect(await (await fetch(visit_url)).text()).toBe(bytes.toString())
})

test('names that a disk could take for one another stay apart', async () => {
  await using service = await startService()
  const names = ['a', 'a/b', 'A', 'é', 'e\u0301']
  for (const path of names) {
    expect((await put((await service.issue({ path })).upload_url, path)).status).toBe(201)
  }
  for (const path of names) {
    expect(await (await fetch((await service.issue({ path })).visit_url)).text()).toBe(path)
  }
})
