import { readdir, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { Outcome } from '../../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'
import { pngFile } from '../../sandbox/pictures.ts'
import { put, refusal, type Service, startService } from '../../uploads/service.ts'

/** Two accounts, and how attempts at them have ended; `before` is done when one is about to begin. */
async function startHouse(before: () => Promise<void>, uploads?: TestGatewayOptions['uploads']) {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const outcomes: Outcome[] = []
  const watching: GatewayPlugin = definePlugin({
    name: 'watching',
    async onAttempt({ next }) {
      await before()
      return next()
    },
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
  const service = starting.use(
    await startService({
      plugins: [watching],
      ...(uploads && { uploads }),
      accounts: ['a', 'b'].map((id, priority) => ({
        id,
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: `sandbox-key-${id}`,
        models: ['*'],
        priority,
      })),
    }),
  )
  const started = starting.move()
  return { sandbox, service, outcomes, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

function edit({ gateway }: Service, image: string): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ image, prompt: 'a hat', model: 'gpt-image-1' })) {
    form.append(name, value)
  }
  const headers = { authorization: 'Bearer key-of-alice' }
  return fetch(`${gateway.url}/v1/images/edits`, { method: 'POST', headers, body: form })
}

/** The files of the gateway's own storage. */
async function stored({ directory }: Service): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

const changes = {
  'is gone': (file: string) => rm(file),
  'has another size': async (file: string) => truncate(file, (await stat(file)).size - 1),
}

test.each(Object.entries(changes))(
  'an upload that %s when it is to be sent is no account’s fault, and nobody else is asked',
  async (_, change) => {
    const house = await startHouse(async () => {
      for (const file of await stored(house.service)) await change(file)
    })
    await using _house = house
    const issued = await house.service.issue({ path: 'cat.png' })
    await put(issued.upload_url, Buffer.from(await pngFile(512).arrayBuffer()))
    const response = await edit(house.service, issued.path)
    expect(await refusal(response)).toEqual([503, 'storage_unavailable'])
    expect(response.headers.get('x-should-retry')).toBe('true')
    expect(house.outcomes).toMatchObject([{ fault: 'gateway' }])
    const asked = house.sandbox.requests.map(({ headers }) => headers['authorization'])
    expect(asked).not.toContain('Bearer sandbox-key-b')
  },
)

test('nor is a bucket that breaks off while it is read for an account', async () => {
  const picture = Buffer.from(await pngFile(512).arrayBuffer())
  let reads = 0
  const bucket = createServer((_, response) => {
    response.writeHead(200, { 'content-length': picture.length, 'content-type': 'image/png' })
    if (reads++ === 0) response.end(picture)
    else response.write(picture.subarray(0, 10), () => response.destroy())
  })
  await new Promise<void>((resolve) => bucket.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`
  const credentials = { accessKeyId: 'AKIDOFTHETEST', secretAccessKey: 'secret-of-the-test' }
  await using house = await startHouse(async () => {}, {
    storages: { minio: { bucket: 'media', endpoint, ...credentials } },
  })
  const { path } = await house.service.issue({ path: 'cat.png', storage_provider: 'minio' })
  const response = await edit(house.service, path)
  const text = await response.clone().text()
  expect(await refusal(response)).toEqual([503, 'storage_unavailable'])
  expect(text).not.toContain('127.0.0.1')
  expect(house.outcomes).toMatchObject([{ fault: 'gateway' }])
  bucket.closeAllConnections()
  bucket.close()
})
