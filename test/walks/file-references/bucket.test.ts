import { expect, test } from 'vitest'

import { put } from '../../uploads/service.ts'
import { startS3Server } from '../../uploads/s3-server.ts'
import { ask, dialects, png, questions, startHouse } from './stage.ts'

const credentials = { accessKeyId: 'AKIDOFTHETEST', secretAccessKey: 'secret-of-the-test' }

async function startBucket(maxBytes: number) {
  await using starting = new AsyncDisposableStack()
  const s3 = starting.use(await startS3Server({ ...credentials, now: Date.now }))
  const house = starting.use(
    await startHouse('messages', {
      uploads: { storages: { minio: { bucket: 'media', endpoint: s3.url, ...credentials } } },
      remote: { maxBytes },
    }),
  )
  const terms = { path: 'it', storage_provider: 'minio', content_type: 'image/png' }
  const issued = await house.service.issue(terms)
  expect((await put(issued.upload_url, png, issued.headers)).status).toBe(200)
  const started = starting.move()
  return {
    sandbox: house.sandbox,
    path: issued.path,
    ask: () => ask(house.service, dialects.chat, questions.chat.image(issued.path)),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

test('a file in a bucket that only the gateway reaches is read for the account', async () => {
  await using bucket = await startBucket(1_000)
  expect(bucket.path).toMatch(/^minio:\/\/media\//)
  expect((await bucket.ask()).status).toBe(200)
  expect(bucket.sandbox.requests[0]?.body.toString()).toContain(png.toString('base64'))
})

test('one that is too large is refused, and nobody reads it to its end', async () => {
  await using bucket = await startBucket(10)
  const refused = await bucket.ask()
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/10 bytes/)])
  expect(bucket.sandbox.requests).toEqual([])
})
