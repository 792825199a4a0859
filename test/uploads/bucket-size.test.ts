import { expect, test } from 'vitest'

import { put, refusal, type Service, startService } from './service.ts'
import { type S3Server, startS3Server } from './s3-server.ts'

const credentials = { accessKeyId: 'AKIDOFTHETEST', secretAccessKey: 'the+secret/of=the-test' }

/** A gateway before a bucket, with the operator's limit if there is one. */
async function startWorld(maxBytes?: number) {
  await using starting = new AsyncDisposableStack()
  const s3: S3Server = starting.use(await startS3Server({ ...credentials, now: Date.now }))
  const storages = { minio: { bucket: 'media', endpoint: s3.url, ...credentials } }
  const uploads = { default: 'minio', storages, ...(maxBytes !== undefined && { maxBytes }) }
  const service: Service = starting.use(await startService({ uploads }))
  const started = starting.move()
  return { s3, service, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

test('a client says how large a file is that a bucket takes under the operator’s limit', async () => {
  await using world = await startWorld(10)
  const silent = await world.service.ask({ path: 'a.bin' })
  const text = await silent.clone().text()
  expect(await refusal(silent)).toEqual([400, 'missing_required_parameter'])
  expect(JSON.parse(text)).toMatchObject({
    error: { param: 'size', message: expect.stringContaining('minio') as string },
  })
  const large = await world.service.ask({ path: 'a.bin', size: 11 })
  expect(await refusal(large)).toEqual([413, 'request_too_large'])

  const { upload_url, headers } = await world.service.issue({ path: 'a.bin', size: 10 })
  expect((await put(upload_url, 'more than that', headers)).status).toBe(403)
  expect((await put(upload_url, 'ten bytes.', headers)).status).toBe(200)
  expect(world.s3.objects.size).toBe(1)
})

test('the gateway’s own storage counts for itself', async () => {
  await using world = await startWorld(10)
  const own = { path: 'a.bin', storage_provider: 'local' }
  const { upload_url } = await world.service.issue(own)
  expect((await put(upload_url, 'more than that')).status).toBe(413)
  expect((await put(upload_url, 'ten bytes.')).status).toBe(201)
})

test('without a limit of the operator’s the fields of the contract will do', async () => {
  await using world = await startWorld()
  const { upload_url, headers } = await world.service.issue({ path: 'a.bin' })
  expect((await put(upload_url, 'some bytes', headers)).status).toBe(200)
})
