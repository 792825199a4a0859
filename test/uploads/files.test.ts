import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import type { Caller } from '../../src/contract/request.ts'
import { createPublicUrl } from '../../src/kit/public-url.ts'
import type { S3Setting } from '../../src/storage/s3/storage.ts'
import { type UploadsOptions, createUploads } from '../../src/storage/uploads.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { put, startService } from './service.ts'
import { startS3Server } from './s3-server.ts'

const callerOf = (keyId: string): Caller => ({ keyId, mayUse: () => true })
const [alice, bob] = [callerOf('alice'), callerOf('bob')]
const credentials = { accessKeyId: 'AKIDOFTHETEST', secretAccessKey: 'secret-of-the-test' }

function s3At(endpoint: string, changes: Partial<S3Setting> = {}): S3Setting {
  const buckets = [{ region: 'auto', bucket: 'media', endpoint }]
  return {
    name: 's3',
    kind: 'minio',
    prefix: '',
    pathStyle: true,
    buckets,
    ...credentials,
    ...changes,
  }
}

/** What other operations have of uploads. */
function filesOf(options: { directory?: string; storages?: S3Setting[] } & UploadsOptions) {
  const { directory, storages = [], ...rest } = options
  const settings = { default: 'local', maxBytes: 1_000, storages, ...(directory && { directory }) }
  return createUploads({ ...rest, settings, store: openMemoryStore() })
}

test('an operation opens what its caller has uploaded, and nobody else’s', async () => {
  await using service = await startService()
  const { upload_url, path } = await service.issue({ path: 'images/cat.png' })
  const { files } = filesOf({ directory: service.directory })
  await expect(files.open(path, alice)).rejects.toMatchObject({ status: 404 })
  await put(upload_url, 'the bytes')

  const file = await files.open(path, alice)
  expect(file).toMatchObject({ size: 9, type: 'image/png' })
  expect((await buffer(file.stream)).toString()).toBe('the bytes')
  await expect(files.open(path, bob)).rejects.toMatchObject({ status: 404 })
  await expect(files.urlFor(path, bob)).rejects.toMatchObject({ status: 404 })
})

test.each([
  'local://images/cat.png',
  'local://',
  'local:///etc/passwd',
  'local://OWNER',
  'local://OWNER/',
  'local://OWNER/../OWNER/cat.png',
  'local://OWNER//cat.png',
  'local://OWNER/c\u0000t.png',
  's3://media/cat.png',
  's3://other/OWNER/cat.png',
  's3://media/OWNER/../x/cat.png',
])('%s is no file, whatever is there', async (form) => {
  await using service = await startService()
  const { path } = await service.issue({ path: 'cat.png' })
  const owner = /[0-9a-f]{32}/.exec(path)?.[0] ?? ''
  const { files } = filesOf({
    directory: service.directory,
    storages: [s3At('http://127.0.0.1:9')],
  })
  const named = form.replaceAll('OWNER', owner)
  expect(files.owns(named)).toBe(true)
  await expect(files.open(named, alice)).rejects.toMatchObject({ status: 404 })
})

test('URLs and paths of others are none of the gateway’s', async () => {
  const { files } = filesOf({ directory: '/nowhere' })
  for (const text of ['https://a.b/c', 'data:image/png;base64,', 'gs://bucket/a', 'file_1', '']) {
    expect(files.owns(text)).toBe(false)
    await expect(files.open(text, alice)).rejects.toMatchObject({ status: 400 })
  }
})

test('a file in a bucket is read through the gateway', async () => {
  const now = Date.now
  await using s3 = await startS3Server({ ...credentials, now })
  const { files, issue } = filesOf({ storages: [s3At(s3.url)] })
  const { upload_url, path, headers } = await issue(
    { path: 'clip.mp4', provider: 's3', type: 'video/mp4' },
    alice,
  )
  await expect(files.open(path, alice)).rejects.toMatchObject({ status: 404 })
  expect((await put(upload_url, 'the film', headers)).status).toBe(200)
  const file = await files.open(path, alice)
  expect(file).toMatchObject({ size: 8, type: 'video/mp4' })
  expect((await buffer(file.stream)).toString()).toBe('the film')
  await expect(files.open(path, bob)).rejects.toMatchObject({ status: 404 })
})

test('a storage that cannot tell is no file that is not there, and its URL is shown to nobody', async () => {
  const { issue, files: away } = filesOf({ storages: [s3At('http://127.0.0.1:9')] })
  const { path } = await issue({ path: 'a', provider: 's3' }, alice)
  const unreachable = await away.open(path, alice).catch((error: unknown) => error)
  expect(unreachable).toMatchObject({ status: 503, code: 'storage_unavailable', retry: true })

  const server = createServer((_, response) => response.writeHead(500).end('secret internals'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { files } = filesOf({
    storages: [s3At(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)],
  })
  const broken = await files.open(path, alice).catch((error: unknown) => error)
  expect(broken).toMatchObject({ status: 503, code: 'storage_unavailable' })
  server.close()

  await using s3 = await startS3Server({ ...credentials, now: Date.now })
  const { files: stranger } = filesOf({ storages: [s3At(s3.url, { secretAccessKey: 'other' })] })
  const refused = await stranger.open(path, alice).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 502, retry: false })
  for (const error of [unreachable, broken, refused] as Error[]) {
    expect(`${error.message} ${String(error.cause)}`).not.toMatch(/X-Amz|AKID|secret/)
  }
})

test('an account is given a URL only where it can be expected to reach it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'uploads-'))
  const urlWith = async (options: Parameters<typeof filesOf>[0], provider = 'local') => {
    const { files, issue } = filesOf({ directory, ...options })
    const { path } = await issue({ path: 'a.png', provider }, alice)
    return files.urlFor(path, alice)
  }
  const loopback = createPublicUrl()
  loopback.listening('http://127.0.0.1:8787')
  expect(await urlWith({ publicUrl: loopback })).toBe(undefined)
  for (const inside of ['http://localhost:8787', 'http://10.0.0.5', 'https://gateway.internal']) {
    expect(await urlWith({ publicUrl: createPublicUrl(inside) })).toBe(undefined)
  }
  const outside = createPublicUrl('https://llm.example.com/gateway/')
  expect(await urlWith({ publicUrl: outside })).toMatch(
    /^https:\/\/llm\.example\.com\/gateway\/v1\/files\/stored\/local\/[0-9a-f]{32}\/a\.png\?/,
  )
  const storages = [s3At('http://minio.internal:9000')]
  expect(await urlWith({ storages, publicUrl: outside }, 's3')).toBe(undefined)
  const aws = [s3At('https://s3.eu-west-1.amazonaws.com')]
  expect(await urlWith({ storages: aws, publicUrl: outside }, 's3')).toMatch(/^https:\/\/s3\.eu/)
  await rm(directory, { recursive: true, force: true })
})
