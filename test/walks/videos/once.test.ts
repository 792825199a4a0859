import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { type Answer, answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { type TestGatewayOptions, createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'

const taken = { id: 'video_1', object: 'video', status: 'queued', progress: 0 }

/** Two accounts: what the first does with a create, and one behind it that takes everything. */
async function stage(first: Answer, options: TestGatewayOptions = {}) {
  const one = await startFakeAccount(first)
  const two = await startFakeAccount(answerJson(taken))
  const account = (id: string, url: string, priority: number) => ({
    id,
    provider: 'openai',
    baseUrl: `${url}/v1`,
    apiKey: 'k',
    models: ['*'],
    priority,
  })
  const gateway = await createTestGateway({
    ...options,
    accounts: [account('one', one.url, 1), account('two', two.url, 2)],
  })
  return {
    one,
    two,
    gateway,
    create: (signal?: AbortSignal) =>
      fetch(`${gateway.url}/v1/videos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'camera', prompt: 'a' }),
        ...(signal && { signal }),
      }),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
      await two[Symbol.asyncDispose]()
    },
  }
}

test.each([429, 503])(
  'an account that says %i has not begun: another one is asked',
  async (status) => {
    await using staged = await stage(answerJson({ error: { message: 'no' } }, { status }))
    const created = await staged.create()
    expect([created.status, created.headers.get('x-dragoman-account')]).toEqual([200, 'two'])
  },
)

const accidents: Record<string, Answer> = {
  'answers 500': answerJson({ error: { message: 'no' } }, { status: 500 }),
  'answers 502': answerJson({ error: { message: 'no' } }, { status: 502 }),
  'answers 408': answerJson({ error: { message: 'no' } }, { status: 408 }),
  'closes the connection': (response) => void response.destroy(),
  'breaks off': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write('{"id":', () => response.destroy())
  },
  'answers in no words': answerJson('{"id"'),
  'names no video': answerJson({ object: 'video' }),
}

test.each(Object.keys(accidents))(
  'an account that %s may have begun: nobody else is asked',
  async (name) => {
    await using staged = await stage(accidents[name] as Answer)
    const created = await staged.create()
    expect(created.status).toBeGreaterThanOrEqual(400)
    expect(created.headers.get('x-should-retry')).toBe('false')
    expect([staged.one.requests.length, staged.two.requests.length]).toEqual([1, 0])
  },
)

test('an account that takes too long may have begun: nobody else is asked', async () => {
  await using staged = await stage(() => {}, { timeouts: { firstByteMs: 50 } })
  const created = await staged.create()
  expect(created.status).toBe(504)
  expect(created.headers.get('x-should-retry')).toBe('false')
  expect(staged.two.requests).toEqual([])
})

test('a client that leaves finds its job in the list: the work was paid for', async () => {
  let waiting: ServerResponse | undefined
  await using staged = await stage((response) => void (waiting = response))
  const leaving = new AbortController()
  const created = staged.create(leaving.signal)
  await until(() => waiting !== undefined)
  leaving.abort()
  await expect(created).rejects.toThrow()
  await answerJson(taken)(waiting as ServerResponse, staged.one.requests[0]!)
  await staged.gateway.logged(1)
  expect(staged.one.requests[0]?.aborted).toBe(false)
  const { url, key } = staged.gateway
  const headers = { authorization: `Bearer ${key}` }
  const listed = await fetch(`${url}/v1/videos`, { headers })
  expect(await listed.json()).toMatchObject({ data: [{ prompt: 'a', status: 'pending' }] })
})
