import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { dataUrl, heavyPng, jpegFile, pngFile } from '../../sandbox/pictures.ts'
import { put, type Service, startService } from '../../uploads/service.ts'

const model = 'gpt-image-1'

async function startHouse(options: TestGatewayOptions = {}) {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const account = { provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a' }
  const service = starting.use(
    await startService({ ...options, accounts: [{ ...account, id: 'a', models: ['*'] }] }),
  )
  const started = starting.move()
  return { sandbox, service, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

async function upload(service: Service, path: string, file: File): Promise<string> {
  const issued = await service.issue({ path })
  expect((await put(issued.upload_url, Buffer.from(await file.arrayBuffer()))).status).toBe(201)
  return issued.path
}

function post({ gateway }: Service, body: FormData | object, key = 'key-of-alice') {
  const isForm = body instanceof FormData
  return fetch(`${gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
}

function formOf(image: string, mask?: string): FormData {
  const form = new FormData()
  form.append('image', image)
  if (mask !== undefined) form.append('mask', mask)
  form.append('prompt', 'a hat')
  form.append('model', model)
  return form
}

test('a client names its uploads as image and mask of a form', async () => {
  await using house = await startHouse()
  const { service, sandbox } = house
  const [cat, hole] = [pngFile(64), pngFile(64, { seeThrough: true })]
  const image = await upload(service, 'cat.png', cat)
  const mask = await upload(service, 'hole', hole)
  expect((await post(service, formOf(image, mask))).status).toBe(200)
  const digest = async (file: File) =>
    createHash('sha256')
      .update(new Uint8Array(await file.arrayBuffer()))
      .digest('hex')
  expect(sandbox.requests[0]?.form?.files).toMatchObject([
    { name: 'image', type: 'image/png', filename: 'image.png', sha256: await digest(cat) },
    { name: 'mask', type: 'image/png', filename: 'mask.png', sha256: await digest(hole) },
  ])
})

test('a client names its uploads in JSON, and the account gets what it can read', async () => {
  await using house = await startHouse()
  const { service, sandbox } = house
  const cat = jpegFile()
  const image_url = await upload(service, 'cat', cat)
  const body = { images: [{ image_url }], prompt: 'a hat', model }
  expect((await post(service, body)).status).toBe(200)
  expect(JSON.parse(sandbox.requests[0]?.body.toString() ?? '')).toEqual({
    ...body,
    images: [{ image_url: await dataUrl(cat) }],
  })
})

test('one that is too large for that is to be sent in a form', async () => {
  await using house = await startHouse()
  const { service, sandbox } = house
  const image_url = await upload(service, 'cat', await heavyPng(16 * 1024 * 1024 + 1))
  const refused = await post(service, { images: [{ image_url }], prompt: 'a hat', model })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'images[0]', message: expect.stringContaining('in a form') as string } },
  ])
  expect(sandbox.requests.length).toBe(0)
  expect((await post(service, formOf(image_url))).status).toBe(200)
})

test('several that are too large together are to be sent in a form too', async () => {
  await using house = await startHouse()
  const { service, sandbox } = house
  const image_url = await upload(service, 'cat', await heavyPng(16 * 1024 * 1024 - 64))
  const images = Array.from({ length: 4 }, () => ({ image_url }))
  const refused = await post(service, { images, prompt: 'a hat', model })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { error: { param: 'images[3]', message: expect.stringContaining('in total') as string } },
  ])
  expect(sandbox.requests).toEqual([])
})

test('those in JSON take what all requests share, and no more once the account has answered', async () => {
  await using house = await startHouse({ limits: { inlineBytes: 100_000 } })
  const { service, sandbox } = house
  const image_url = await upload(service, 'cat', await heavyPng(60_000))
  const asking = (times: number) => {
    const images = Array.from({ length: times }, () => ({ image_url }))
    return post(service, { images, prompt: 'a hat', model })
  }
  expect((await asking(2)).status).toBe(413)
  expect(sandbox.requests).toEqual([])
  expect((await asking(1)).status).toBe(200)
  await until(() => service.gateway.gateway.inlined() === 0)
})

test('none is opened for a model that the key may not use', async () => {
  const keys = [{ id: 'alice', secret: 'key-of-alice', models: ['another'] }]
  await using house = await startHouse({ keys })
  const body = { images: [{ image_url: 'local://not-there' }], prompt: 'a hat', model }
  const refused = await post(house.service, body)
  expect([refused.status, await refused.json()]).toMatchObject([
    404,
    { error: { details: [{ code: 'model_not_found' }] } },
  ])
})

test('an upload has the limits of a file, and is only its owner’s', async () => {
  await using house = await startHouse()
  const { service, sandbox } = house
  const text = await upload(service, 'cat.txt', new File(['no picture'], 'cat.txt'))
  const cat = await upload(service, 'cat.png', pngFile())
  expect((await post(service, formOf(text))).status).toBe(400)
  expect((await post(service, formOf(cat, cat))).status).toBe(400)
  expect((await post(service, formOf(cat), 'key-of-bob')).status).toBe(404)
  expect((await post(service, formOf(`${cat}.not-there`))).status).toBe(404)
  expect(sandbox.requests).toEqual([])
})

test('where an account can reach an upload, JSON names it by a URL', async () => {
  await using house = await startHouse({ publicUrl: 'https://llm.example.com' })
  const { service, sandbox } = house
  const issued = await service.issue({ path: 'cat.png' })
  const here = issued.upload_url.replace('https://llm.example.com', service.gateway.url)
  expect((await put(here, Buffer.from(await pngFile().arrayBuffer()))).status).toBe(201)
  const body = { images: [{ image_url: issued.path }], prompt: 'a hat', model }
  expect((await post(service, body)).status).toBe(200)
  const asked = JSON.parse(sandbox.requests[0]?.body.toString() ?? '') as typeof body
  const url = asked.images[0]?.image_url ?? ''
  const read = await fetch(url.replace('https://llm.example.com', service.gateway.url))
  expect(Buffer.from(await read.arrayBuffer())).toEqual(Buffer.from(await pngFile().arrayBuffer()))
})
