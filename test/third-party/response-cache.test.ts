import { expect, test } from 'vitest'

import { definePlugin, type Outcome } from '../../src/index.ts'
import { answerJson } from '../../src/testing/index.ts'
import { askChat, frames, reply, stage } from './chat.ts'
import { responseCache } from './response-cache.ts'

test('a client that asks again is answered without an account', async () => {
  const outcomes: Outcome[] = []
  const meter = definePlugin({
    name: 'meter',
    onOutcome: ({ outcome }) => void outcomes.push(outcome),
  })
  await using scene = await stage({ plugins: [responseCache(), meter] })

  const first = await askChat(scene.gateway)
  const second = await askChat(scene.gateway)

  expect(await first.json()).toEqual(reply)
  expect(first.headers.get('x-dragoman-account')).toBe('only')
  expect(first.headers.get('x-cache')).toBeNull()
  expect(second.status).toBe(200)
  expect(await second.json()).toEqual(reply)
  expect(second.headers.get('content-type')).toBe('application/json')
  expect(second.headers.get('x-cache')).toBe('hit')
  expect(second.headers.get('x-dragoman-account')).toBeNull()
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(scene.account.requests).toHaveLength(1)
  expect(outcomes).toHaveLength(1)
  const [, cached] = await scene.gateway.logged(2)
  expect(cached).toMatchObject({ status: 200, attempts: 0, stream_end: 'complete' })
  expect(cached).not.toHaveProperty('account')
})

test('a client that asks for something else is not answered from the cache', async () => {
  await using scene = await stage({ plugins: [responseCache()] })
  await askChat(scene.gateway)
  await askChat(scene.gateway, { fields: { temperature: 1 } })
  await askChat(scene.gateway, { fields: { model: 'n' } })
  expect(scene.account.requests).toHaveLength(3)
})

test('a client never gets what another key has asked for', async () => {
  const keys = ['a', 'b'].map((id) => ({ id, secret: `secret-of-${id}` }))
  await using scene = await stage({ keys, plugins: [responseCache()] })
  for (const key of ['secret-of-a', 'secret-of-b', 'secret-of-a']) {
    const response = await askChat(scene.gateway, { key })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
  expect(scene.account.requests).toHaveLength(2)
  expect((await askChat(scene.gateway, { key: 'secret-of-c' })).status).toBe(401)
})

test('a client that asks for a stream gets a new one each time', async () => {
  await using scene = await stage({ plugins: [responseCache()] })
  for (let count = 1; count <= 2; count++) {
    const response = await askChat(scene.gateway, {
      fields: { stream: true, stream_options: { include_usage: true } },
    })
    expect(await response.text()).toBe(frames.join(''))
    expect(scene.account.requests).toHaveLength(count)
  }
})

test('an error is not kept', async () => {
  let status = 400
  await using scene = await stage({ plugins: [responseCache()] }, (response, request) =>
    answerJson(reply, { status })(response, request),
  )
  expect((await askChat(scene.gateway)).status).toBe(400)
  status = 200
  expect((await askChat(scene.gateway)).status).toBe(200)
  expect(scene.account.requests).toHaveLength(2)
})

test('the oldest reply goes when the cache is full', async () => {
  await using scene = await stage({ plugins: [responseCache({ size: 1 })] })
  for (const model of ['m', 'n', 'm']) await askChat(scene.gateway, { fields: { model } })
  expect(scene.account.requests).toHaveLength(3)
})

test('options are checked when the plugin is made', () => {
  expect(() => responseCache({ size: 0 })).toThrow('size')
})
