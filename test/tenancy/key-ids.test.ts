import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import { recordIdOf } from '../../src/stores/record-id.ts'

/** Callers whose `keyId` is the text that they send, as a plugin's authentication may have it. */
const anybody = definePlugin({
  name: 'anybody',
  onAuthenticate: ({ credential }) =>
    credential === undefined
      ? undefined
      : { keyId: decodeURIComponent(credential), mayUse: () => true },
})

/** An owner, and a stranger whose own id together with the id that it asks for is the same text. */
const pairs = [
  { owner: 'team a', stranger: 'team', prefix: 'a ' },
  { owner: 'team  ', stranger: 'team', prefix: '  ' },
  { owner: 'team %20', stranger: 'team', prefix: '%20 ' },
]

describe.each(pairs)('the responses of the caller "$owner"', ({ owner, stranger, prefix }) => {
  test(`are unknown to the caller "${stranger}", whatever id it names`, async () => {
    await using account = await startFakeAccount(answerJson(made))
    await using gateway = await startGateway(account.url)
    expect(await statusOf(gateway, owner, 'POST', '/v1/responses', asked)).toBe(200)
    const before = account.requests.length

    for (const id of ['resp_1', `${prefix}resp_1`, `${prefix.trim()} resp_1`]) {
      const path = `/v1/responses/${encodeURIComponent(id)}`
      expect(await statusOf(gateway, stranger, 'GET', path)).toBe(404)
      const chained = { ...asked, previous_response_id: id }
      expect(await statusOf(gateway, stranger, 'POST', '/v1/responses', chained)).toBe(400)
    }
    expect(account.requests).toHaveLength(before)
    expect(await statusOf(gateway, owner, 'GET', '/v1/responses/resp_1')).toBe(200)
  })
})

test('the list of a caller has no job of a caller whose id begins with the same word', async () => {
  await using account = await startFakeAccount(
    answerJson({ id: 'video_1', object: 'video', status: 'queued', progress: 0 }),
  )
  await using gateway = await startGateway(account.url)
  const ordered = { model: 'm', prompt: 'a harbour' }
  expect(await statusOf(gateway, 'team a', 'POST', '/v1/videos', ordered)).toBe(200)

  for (const caller of ['team', 'team ', 'tea']) {
    const listed = await ask(gateway, caller, 'GET', '/v1/videos')
    expect(await listed.json()).toMatchObject({ data: [] })
  }
  const own = await ask(gateway, 'team a', 'GET', '/v1/videos')
  expect(((await own.json()) as { data: unknown[] }).data).toHaveLength(1)
})

test('no two owners and ids have the same record, and ordinary ones keep the plain text', () => {
  const texts = ['', ' ', 'a', 'a b', 'b', '%', '%a', '\ud800', '\udfff', 'x'.repeat(600)]
  const words = texts.flatMap((owner) => texts.map((id) => [owner, id] as const))
  const hashed = recordIdOf(['k', 'a b'], 'id').split(' ')[1] ?? ''
  words.push([hashed, 'id'], ['a b', 'id'])
  const ids = words.map(([owner, id]) => recordIdOf(['k', owner], id))
  expect(new Set(ids).size).toBe(words.length)
  expect(ids.every((id) => id.isWellFormed())).toBe(true)
  expect(Math.max(...ids.map((id) => id.length))).toBeLessThan(200)
  expect(recordIdOf(['response', 'key-1'], 'resp 1')).toBe('response key-1 resp 1')
})

const asked = { model: 'm', input: 'hi' }
const made = { id: 'resp_1', object: 'response', status: 'completed', output: [] }

function startGateway(url: string): Promise<TestGateway> {
  const account = { id: 'a', provider: 'openai', baseUrl: `${url}/v1`, models: ['*'] }
  return createTestGateway({
    plugins: [anybody],
    accounts: [{ ...account, speaks: ['responses', 'videos'] }],
  })
}

function ask(gateway: TestGateway, caller: string, method: string, path: string, body?: object) {
  const headers = {
    authorization: `Bearer ${encodeURIComponent(caller)}`,
    'content-type': 'application/json',
  }
  return fetch(gateway.url + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function statusOf(...parameters: Parameters<typeof ask>): Promise<number> {
  const response = await ask(...parameters)
  await response.text()
  return response.status
}
