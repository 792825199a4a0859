import { expect, test } from 'vitest'

import type { StorageConfig } from '../../src/configuration/config.generated.ts'
import { put, refusal, type Service, startService } from './service.ts'
import { type S3Server, startS3Server } from './s3-server.ts'

const credentials = {
  accessKeyId: 'AKIDOFTHETEST',
  secretAccessKey: 'the+secret/of=the-test',
}
const minutes = 60_000

interface World extends AsyncDisposable {
  readonly s3: S3Server
  readonly service: Service
  pass(ms: number): void
}

/** A gateway whose uploads go to an S3-compatible server on this machine. */
async function startWorld(storage: Partial<StorageConfig> = {}): Promise<World> {
  let time = Date.parse('2026-11-21T12:00:00Z')
  const now = () => time
  const s3 = await startS3Server({ ...credentials, now })
  const bucket = { bucket: 'media', endpoint: s3.url, prefix: 'of/gateway' }
  const service = await startService({
    now,
    uploads: { default: 'minio', storages: { minio: { ...bucket, ...credentials, ...storage } } },
  })
  return {
    s3,
    service,
    pass: (ms) => void (time += ms),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await s3[Symbol.asyncDispose]()
    },
  }
}

test('a client sends a file straight to the bucket and reads it from there', async () => {
  await using world = await startWorld()
  const { upload_url, method, path, visit_url, headers } = await world.service.issue({
    path: 'films/ä b+c(1).mp4',
    content_type: 'video/mp4',
  })
  expect(upload_url.startsWith(world.s3.url)).toBe(true)
  expect(method).toBe('PUT')
  expect(headers).toEqual({ 'if-none-match': '*', 'content-type': 'video/mp4' })
  expect(path).toMatch(/^minio:\/\/media\/of\/gateway\/[0-9a-f]{32}\/films\/ä b\+c\(1\)\.mp4$/)

  expect((await put(upload_url, 'the film', headers)).status).toBe(200)
  const key = path.slice('minio://'.length)
  expect(world.s3.objects.get(key)).toEqual({ bytes: Buffer.from('the film'), type: 'video/mp4' })
  const visited = await fetch(visit_url)
  expect([visited.status, await visited.text()]).toEqual([200, 'the film'])
})

test('a URL that may replace files needs no headers', async () => {
  await using world = await startWorld()
  const descriptor = await world.service.issue({ path: 'a.bin', overwrite: true })
  expect(descriptor).not.toHaveProperty('headers')
  expect((await put(descriptor.upload_url, 'first')).status).toBe(200)
  expect((await put(descriptor.upload_url, 'second')).status).toBe(200)
})

test('a storage can be for clients that send no headers at all', async () => {
  await using world = await startWorld({ overwrite: true })
  const descriptor = await world.service.issue({ path: 'a.bin' })
  expect(descriptor).not.toHaveProperty('headers')
  expect((await put(descriptor.upload_url, 'bytes')).status).toBe(200)
})

test('nothing is replaced by a URL that is not signed for it', async () => {
  await using world = await startWorld()
  const { upload_url, headers = {}, visit_url } = await world.service.issue({ path: 'a.bin' })
  expect((await put(upload_url, 'first')).status).toBe(403)
  expect((await put(upload_url, 'first', headers)).status).toBe(200)
  expect((await put(upload_url, 'second', headers)).status).toBe(412)
  expect(await (await fetch(visit_url)).text()).toBe('first')
})

test('the server refuses what was not signed', async () => {
  await using world = await startWorld()
  const { upload_url, headers, visit_url } = await world.service.issue({
    path: 'a.bin',
    size: 5,
    content_type: 'image/png',
  })
  expect((await put(upload_url, 'longer', headers)).status).toBe(403)
  expect((await put(upload_url, 'bytes', { ...headers, 'content-type': 'a/b' })).status).toBe(403)
  expect((await put(upload_url.replace('a.bin', 'b.bin'), 'bytes', headers)).status).toBe(403)
  expect((await put(visit_url, 'bytes', headers)).status).toBe(403)
  expect((await fetch(upload_url)).status).toBe(403)
  expect((await put(upload_url, 'bytes', headers)).status).toBe(200)
  world.pass(15 * minutes + 1_000)
  expect((await fetch(visit_url)).status).toBe(403)
  expect(world.s3.objects.size).toBe(1)
})

test('regions have buckets of their own, and are named as requests name them', async () => {
  await using world = await startWorld({ regions: { 'eu-1': { bucket: 'media-eu' } } })
  for (const field of ['region', 'storage_region']) {
    const { path } = await world.service.issue({ path: 'a', [field]: 'eu-1' })
    expect(path.startsWith('minio://media-eu/')).toBe(true)
  }
  const { path } = await world.service.issue({ path: 'a', region: 'us-east-1' })
  expect(path.startsWith('minio://media/')).toBe(true)
  const response = await world.service.ask({ path: 'a', region: 'mars-1' })
  expect(await response.clone().text()).toContain('use us-east-1, eu-1')
  expect(await refusal(response)).toEqual([400, 'invalid_value'])
})

test('types that an operator takes have to be announced', async () => {
  await using world = await startWorld()
  await using strict = await startService({
    uploads: {
      directory: false,
      types: ['image/*'],
      storages: { minio: { bucket: 'media', endpoint: world.s3.url, ...credentials } },
    },
  })
  const silent = await strict.ask({ path: 'a.png' })
  expect(await refusal(silent)).toEqual([400, 'missing_required_parameter'])
  expect((await strict.ask({ path: 'a', content_type: 'video/mp4' })).status).toBe(415)
  expect((await strict.ask({ path: 'a', content_type: 'image/png' })).status).toBe(200)
  const local = await strict.ask({ path: 'a.png', storage_provider: 'local' })
  expect(await refusal(local)).toEqual([400, 'invalid_value'])
})

test('no secret of a storage is in an answer or a log', async () => {
  await using world = await startWorld()
  const descriptor = await world.service.issue({ path: 'a' })
  await world.service.ask({ path: 'a', region: 'mars' })
  const { gateway } = world.service
  const shown = JSON.stringify([descriptor, await gateway.logged(2), gateway.log])
  expect(shown).not.toContain(credentials.secretAccessKey)
})
