import { expect, test } from 'vitest'

import { definePlugin } from '../../../src/contract/plugin.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { operationScene } from './scene.ts'

test('an account that leads in a circle is not followed without end', async () => {
  await using scene = await operationScene({
    videos: [{ uri: 'files/one' }],
    file: (response) => void response.writeHead(302, { location: '/v1beta/files/one' }).end(),
  })
  expect((await scene.download()).status).toBe(502)
  expect(scene.account.requests.filter(({ url }) => url.includes('/files/'))).toHaveLength(6)
})

test('a host is asked for a file as it is', async () => {
  await using bucket = await startFakeAccount((response) => void response.end('the video'))
  await using scene = await operationScene({
    videos: [{ uri: `${bucket.url}/film` }],
    remote: { allow: [new URL(bucket.url).host], allowHttp: true },
  })
  expect(await (await scene.download()).text()).toBe('the video')
  expect(bucket.requests[0]?.headers['accept-encoding']).toBe('identity')
})

test('a file that is handed out without encryption is not fetched where that is not allowed', async () => {
  await using bucket = await startFakeAccount((response) => void response.end('the video'))
  await using scene = await operationScene({
    videos: [{ uri: `${bucket.url}/film` }],
    remote: { allow: [new URL(bucket.url).host] },
  })
  expect((await scene.download()).status).toBe(502)
  expect(bucket.requests).toEqual([])
})

test('a plugin that changes what an account is told tells other hosts nothing', async () => {
  await using bucket = await startFakeAccount((response) => void response.end('the video'))
  const signing = definePlugin({
    name: 'signing',
    onAttempt: ({ outbound, next }) =>
      next({ ...outbound, headers: { ...outbound.headers, 'x-signature': 'of the account' } }),
  })
  await using scene = await operationScene({
    plugins: [signing],
    videos: [{ uri: `${bucket.url}/film` }],
    remote: { allow: [new URL(bucket.url).host], allowHttp: true },
  })
  expect(await (await scene.download()).text()).toBe('the video')
  expect(scene.account.requests[0]?.headers).toHaveProperty('x-signature')
  expect(bucket.requests[0]?.headers).not.toHaveProperty('x-signature')
})
